//! Children on an instance that counts how often each is started, with processes and answers that are lost at every point.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use hpdlc_host::home::Home;
use tempfile::TempDir;

use super::*;
use crate::AttemptPlace;

/// What the instance was asked, and what it does.
#[derive(Debug, Default)]
struct Served {
    /// The external ids and the states of its jobs.
    jobs: Vec<(String, String)>,
    n_submitted: u32,
    n_killed: u32,
    n_looks: u32,
    /// The properties of the last submission.
    properties: BTreeMap<String, String>,
    /// The headers of the last request.
    head: String,
    /// `drop`: the job is made and the connection breaks; `lose`: the same without a job; `refuse`: E0504; `busy`: 503; `slow`: the job
    /// appears some time after the connection has broken; `prep`: the job waits to be started.
    submission: &'static str,
    /// The states that its jobs go through, one for each look.
    states: Vec<&'static str>,
}

struct Other {
    url: String,
    served: Arc<Mutex<Served>>,
}

impl Other {
    fn new(submission: &'static str, states: &[&'static str]) -> Other {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/oozie", listener.local_addr().unwrap());
        let served = Arc::new(Mutex::new(Served {
            submission,
            states: states.to_vec(),
            ..Served::default()
        }));
        let own = Arc::clone(&served);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let own = Arc::clone(&own);
                thread::spawn(move || answer(&own, stream));
            }
        });
        Other { url, served }
    }

    fn with<T>(&self, look: impl FnOnce(&mut Served) -> T) -> T {
        look(&mut self.served.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn answer(served: &Arc<Mutex<Served>>, mut stream: TcpStream) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).unwrap_or(0) == 0 {
            return;
        }
    }
    let length = head.lines().find_map(|line| {
        line.to_ascii_lowercase()
            .strip_prefix("content-length: ")?
            .parse()
            .ok()
    });
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).unwrap();
    let body = String::from_utf8(body).unwrap();
    let mut words = head.split(' ');
    let (method, target) = (words.next().unwrap(), words.next().unwrap());
    let (path, query) = target.split_once('?').unwrap();
    let query: BTreeMap<String, String> = form_urlencoded::parse(query.as_bytes())
        .into_owned()
        .collect();
    assert_eq!(query["user.name"], "ann");
    let mut known = served.lock().unwrap_or_else(PoisonError::into_inner);
    known.head = head.clone();
    let told = match (method, path.strip_prefix("/oozie/v1/").unwrap()) {
        ("GET", "jobs") => {
            let jobs = known.jobs.iter();
            let at = jobs.clone().position(|(id, _)| *id == query["external-id"]);
            let id = at.map(|at| format!("{at}-W"));
            Some((
                "200 OK",
                format!("{{\"id\":\"{}\"}}", id.unwrap_or_default()),
            ))
        }
        ("POST", "jobs") => {
            known.n_submitted += 1;
            let properties = hpdlc_core::configuration::parse(&body).unwrap().to_map();
            let external_id = properties[EXTERNAL_ID].clone();
            known.properties = properties;
            let job = (external_id, "RUNNING".to_owned());
            match known.submission {
                "drop" => {
                    known.jobs.push(job);
                    None
                }
                "lose" => None,
                "slow" => {
                    let later = Arc::clone(served);
                    thread::spawn(move || {
                        thread::sleep(Duration::from_millis(700));
                        later.lock().unwrap().jobs.push(job);
                    });
                    None
                }
                "refuse" => Some(("401 Unauthorized", String::new())),
                "busy" => Some(("503 Service Unavailable", String::new())),
                "prep" => {
                    known.jobs.push((job.0, "PREP".to_owned()));
                    let id = format!("{}-W", known.jobs.len() - 1);
                    Some(("201 Created", format!("{{\"id\":\"{id}\"}}")))
                }
                _ => {
                    known.jobs.push(job);
                    let id = format!("{}-W", known.jobs.len() - 1);
                    Some(("201 Created", format!("{{\"id\":\"{id}\"}}")))
                }
            }
        }
        (method, job) => {
            let at: usize = job
                .strip_prefix("job/")
                .unwrap()
                .trim_end_matches("-W")
                .parse()
                .unwrap();
            match (method, query.get("action").map(String::as_str)) {
                ("PUT", Some("kill")) => {
                    known.n_killed += 1;
                    known.jobs[at].1 = "KILLED".to_owned();
                }
                ("PUT", Some("start")) => known.jobs[at].1 = "RUNNING".to_owned(),
                _ => {
                    known.n_looks += 1;
                    if known.jobs[at].1 == "RUNNING" && !known.states.is_empty() {
                        known.jobs[at].1 = known.states.remove(0).to_owned();
                    }
                }
            }
            let status = &known.jobs[at].1;
            let actions =
                "[{\"errorMessage\":null},{\"errorMessage\":\"no space\"},{\"errorMessage\":null}]";
            Some((
                "200 OK",
                format!("{{\"status\":\"{status}\",\"actions\":{actions}}}"),
            ))
        }
    };
    drop(known);
    if let Some((status, body)) = told {
        let _ = write!(
            stream,
            "HTTP/1.1 {status}\r\noozie-error-code: E0504\r\noozie-error-message: E0504: no folder\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
    }
}

/// An attempt, with what an earlier process of it has left.
struct Case {
    folder: TempDir,
    attempt: Attempt,
}

impl Case {
    fn new(number: &str) -> Case {
        let folder = tempfile::tempdir().unwrap();
        let attempt = Attempt::new(folder.path().join("node").join(number));
        fs::create_dir_all(attempt.folder()).unwrap();
        Case { folder, attempt }
    }

    fn child(&self, url: &str) -> RemoteChild {
        RemoteChild {
            url: url.to_owned(),
            conf: [(EXTERNAL_ID, "p-W@node@0"), ("day", "1")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            user: "ann".to_owned(),
            run: 0,
            timeout: 2,
            patience: 2,
            token_file: None,
        }
    }

    fn attend(&self, child: &RemoteChild) -> String {
        let never = std::sync::atomic::AtomicBool::new(false);
        let home = Home::open_at(self.folder.path().join("home")).unwrap();
        let context = WorkContext {
            place: AttemptPlace {
                job_id: "p-W",
                node: "node",
                attempt: &self.attempt,
                app_folder: Path::new("/"),
                app_path: "/",
                home: home.root(),
                is_canceled: &never,
            },
            home: home.clone(),
        };
        match child.attend(&context) {
            Ok(result) => format!("{} {}", result.external_id.unwrap(), result.external_status),
            Err(WorkError::Lost(problem)) => format!("lost: {problem}"),
            Err(WorkError::Action(error) | WorkError::Ended(error, _)) => {
                format!("{:?} {}", error.class, error.code)
            }
            Err(WorkError::Known(error, result)) => {
                format!("{} {}", result.external_id.unwrap(), error.message)
            }
        }
    }
}

const DONE: &str = "0-W SUCCEEDED";

#[test]
fn a_child_is_submitted_once_and_awaited() {
    let other = Other::new("", &["RUNNING", "SUCCEEDED"]);
    let case = Case::new("1");
    assert_eq!(case.attend(&case.child(&other.url)), DONE);
    // The process has died before it could report the end.
    assert_eq!(case.attend(&case.child(&other.url)), DONE);
    let served = other.with(|served| (served.n_submitted, std::mem::take(&mut served.properties)));
    assert_eq!(served.0, 1);
    assert_eq!(served.1[EXTERNAL_ID], "p-W@node@0");
    assert_eq!(served.1["day"], "1");
    let notification = &served.1[NOTIFICATION];
    assert!(
        notification.contains("/callback?id=p-W@node&status=$status&token="),
        "{notification}"
    );
    // A second attempt has a child of its own.
    let second = Case::new("2");
    other.with(|served| served.states = vec!["SUCCEEDED"]);
    assert_eq!(second.attend(&second.child(&other.url)), "1-W SUCCEEDED");
    assert_eq!(
        other.with(|served| served.jobs[1].0.clone()),
        "p-W@node@0@2"
    );
}

/// Wherever a process of the attempt has died, or an answer is lost, the next one goes on with the same child.
#[test]
fn nothing_is_started_twice() {
    // What the instance does with the submission, whether an earlier process had begun, whether the job was made by then.
    for (submission, has_begun, is_there, expected, n_submitted) in [
        ("", false, true, DONE, 0),
        ("", true, true, DONE, 0),
        ("drop", false, false, DONE, 1),
        ("slow", false, false, DONE, 1),
        ("prep", false, false, DONE, 1),
        ("lose", false, false, "lost", 1),
        ("", true, false, "lost", 0),
        ("refuse", false, false, "Error E0504", 1),
        ("busy", false, false, "Transient HTTP002", 1),
    ] {
        let shown = format!("{submission} {has_begun} {is_there}");
        let other = Other::new(submission, &["RUNNING", "SUCCEEDED"]);
        let case = Case::new("1");
        if has_begun {
            fs::write(begun_file(&case.attempt), "").unwrap();
        }
        if is_there {
            let job = ("p-W@node@0".to_owned(), "RUNNING".to_owned());
            other.with(|served| served.jobs.push(job));
        }
        let ended = case.attend(&case.child(&other.url));
        assert!(ended.starts_with(expected), "{shown}: {ended}");
        assert_eq!(
            other.with(|served| served.n_submitted),
            n_submitted,
            "{shown}"
        );
        // What was surely not submitted may be submitted again.
        let is_retried = matches!(submission, "refuse" | "busy");
        assert_eq!(
            begun_file(&case.attempt).exists(),
            !is_retried && (has_begun || n_submitted > 0),
            "{shown}"
        );
    }
}

#[test]
fn the_end_of_a_child_is_that_of_the_action() {
    for status in ["KILLED", "FAILED"] {
        let other = Other::new("", &[status]);
        let case = Case::new("1");
        let ended = case.attend(&case.child(&other.url));
        assert_eq!(
            ended,
            format!("0-W sub-workflow job 0-W ended {status}: no space")
        );
    }
}

#[test]
fn what_cannot_be_reached_is_tried_again_later() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let case = Case::new("1");
    assert_eq!(case.attend(&case.child(&url)), "Transient HTTP002");
    assert!(!begun_file(&case.attempt).exists());
}

#[test]
fn a_callback_has_the_instance_asked_at_once() {
    let other = Other::new("", &["RUNNING"; 100]);
    let case = Case::new("1");
    let child = case.child(&other.url);
    thread::scope(|scope| {
        let attending = scope.spawn(|| case.attend(&child));
        // Intervals have grown by now.
        while other.with(|served| served.n_looks) < 4 {
            thread::sleep(LOOK_AGAIN);
        }
        other.with(|served| served.states = vec!["SUCCEEDED"]);
        let begun = Instant::now();
        fs::write(
            case.attempt.beside("callback"),
            r#"{"state":"SUCCEEDED","content_type":null,"body":""}"#,
        )
        .unwrap();
        assert_eq!(attending.join().unwrap(), DONE);
        assert!(
            begun.elapsed() < Duration::from_secs(2),
            "{:?}",
            begun.elapsed()
        );
    });
    assert!(!case.attempt.beside("callback").exists());
}

#[test]
fn a_child_is_killed_with_its_parent_wherever_that_has_died() {
    for (is_recorded, has_begun, is_there, n_killed) in [
        (true, true, true, 1),
        (false, true, true, 1),
        (false, false, false, 0),
    ] {
        let other = Other::new("", &[]);
        let case = Case::new("1");
        if has_begun {
            fs::write(begun_file(&case.attempt), "").unwrap();
        }
        if is_there {
            let job = ("p-W@node@0".to_owned(), "RUNNING".to_owned());
            other.with(|served| served.jobs.push(job));
        }
        if is_recorded {
            fs::write(child_file(&case.attempt), "0-W").unwrap();
        }
        assert_eq!(case.child(&other.url).kill("p-W", &case.attempt), Ok(()));
        assert_eq!(other.with(|served| served.n_killed), n_killed);
    }
}

#[test]
fn the_token_of_the_site_is_sent() {
    let other = Other::new("", &["SUCCEEDED"]);
    let case = Case::new("1");
    let token = case.folder.path().join("token");
    fs::write(&token, "s3cret\n").unwrap();
    let child = RemoteChild {
        token_file: Some(token.display().to_string()),
        ..case.child(&other.url)
    };
    assert_eq!(case.attend(&child), DONE);
    let head = other.with(|served| served.head.to_ascii_lowercase());
    assert!(head.contains("authorization: bearer s3cret"), "{head}");
}
