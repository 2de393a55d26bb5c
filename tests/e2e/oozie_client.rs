//! Oozie's own client, as it was published, against `hpdl serve`: whole lives of jobs of all three kinds.
//!
//! The files of `oozie` have what is typed and what comes of it. Applications and properties are beside them. A line after `$ ` is a command
//! of the client, shown with what it prints and its exit code if that is not 0, or one of these:
//!
//! ```text
//! await ID STATUS          waits until a job or an action of a coordinator has this status
//! await-members ID STATUS  waits until all coordinators of a bundle have this status
//! touch PATH               makes a file in the folder `OUT` of the applications
//! ```
//!
//! Jobs are called `W1`, `C1`, `B1` and so on, in the order in which their ids are seen. `{-90m}` is the time 90 minutes before the start.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    io::{BufRead, BufReader, Write as _},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::{Duration, SystemTime},
};

use chrono::{DateTime, SubsecRound as _, TimeDelta, Utc};
use hpdlc_tests::{cases, copy, folder::files_below, hpdlc, java, repository};
use serde_json::Value;

use crate::{
    harness::{kill_dash_nine, text, wait_within},
    serve::Server,
};

/// How long a job may take to come to a state on a slow and busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

const APPLICATIONS: [&str; 6] = [
    "workflow",
    "parent",
    "coordinator",
    "data",
    "levels",
    "bundle",
];

#[test]
fn oozies_client_prints_what_it_prints_with_oozie() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let here = repository().join("tests/e2e/oozie");
    let project = fs::read_to_string(here.join("pom.xml")).expect("a project");
    let Some(classes) = java::compiled(folder.path(), &project, &here.join("Client.java")) else {
        println!("skipped: Maven and a Java compiler are needed for Oozie's client");
        return;
    };
    let site = Site::new(folder.path(), &here);
    let client = RefCell::new(None);
    cases::check("tests/e2e/oozie", |case| {
        let server = site.fresh();
        let mut client = client.borrow_mut();
        let client = client.get_or_insert_with(|| Client::start(folder.path(), &classes));
        Session::new(&site, &server, client).play(&case.expected)
    });
}

/// The applications, compiled once.
struct Site {
    folder: PathBuf,
}

impl Site {
    fn new(folder: &Path, sources: &Path) -> Site {
        let site = Site {
            folder: folder.to_owned(),
        };
        copy(&sources.join("apps"), &site.folder.join("apps"));
        for file in files_below(&site.folder.join("apps")) {
            site.fill(&file, &file);
        }
        for name in APPLICATIONS {
            let built = Command::new(hpdlc())
                .arg("build")
                .arg(site.folder.join("apps").join(name))
                .arg("-o")
                .arg(site.folder.join(name))
                .output()
                .expect("hpdlc can be started");
            let said = String::from_utf8_lossy(&built.stderr);
            assert!(built.status.success(), "hpdlc build {name}: {said}");
        }
        for entry in fs::read_dir(sources).expect("a folder") {
            let path = entry.expect("an entry").path();
            // The scripts are sent by the client.
            let ending = path.extension().and_then(|ending| ending.to_str());
            if matches!(ending, Some("properties" | "pig" | "q")) {
                let name = path.file_name().expect("a file has a name");
                site.fill(&path, &site.folder.join(name));
            }
        }
        site
    }

    /// Copies a file with the folders in place of their names.
    fn fill(&self, from: &Path, to: &Path) {
        let text = fs::read_to_string(from).expect("a file");
        let text = text.replace("APPS", &self.apps());
        let text = text.replace("OUT", &format!("file://{}/out", self.folder.display()));
        fs::write(to, text).expect("a file");
    }

    fn apps(&self) -> String {
        format!("file://{}/apps", self.folder.display())
    }

    fn home(&self) -> PathBuf {
        self.folder.join("home")
    }

    /// A server on a state folder with the applications and no jobs.
    fn fresh(&self) -> Server {
        let number = fs::read_dir(&self.folder).expect("a folder").count();
        for left in ["home", "out"] {
            let path = self.folder.join(left);
            if path.exists() {
                // Owners of jobs may still write to it.
                let aside = self.folder.join(format!("{left}-{number}"));
                fs::rename(&path, aside).expect("it can be moved");
            }
        }
        fs::create_dir(self.folder.join("out")).expect("a folder");
        for name in APPLICATIONS {
            let registered = Command::new(self.folder.join(name))
                .args(["register", "--as", &format!("{}/{name}", self.apps())])
                .envs(hpdlc_tests::command::home_variables(self.home()))
                .env_remove("HPDL_SITE")
                .output()
                .expect("a program starts");
            let said = String::from_utf8_lossy(&registered.stderr);
            assert!(registered.status.success(), "register {name}: {said}");
        }
        Server::at(&self.home(), &[])
    }
}

/// The client, in a Java process that waits for commands.
struct Client {
    child: Option<Child>,
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Client {
    fn start(folder: &Path, classes: &str) -> Client {
        let mut child = Command::new("java")
            .arg(format!("-Duser.home={}", folder.display()))
            .args([
                "-Duser.timezone=UTC",
                "-Duser.language=en",
                "-cp",
                classes,
                "Client",
            ])
            .current_dir(folder)
            .env_remove("OOZIE_URL")
            .env_remove("OOZIE_TIMEZONE")
            .env_remove("OOZIE_AUTH")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("where there is a Java compiler, there is Java");
        Client {
            commands: child.stdin.take().expect("a pipe"),
            answers: BufReader::new(child.stdout.take().expect("a pipe")),
            child: Some(child),
        }
    }

    /// The exit code, and what a command prints.
    fn run(&mut self, arguments: &[String]) -> (i32, String) {
        writeln!(self.commands, "{}", arguments.join("\t")).expect("it reads");
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("it answers");
        let parts: Vec<&str> = line.trim_end().split(' ').collect();
        let [exit, out, errors] = parts[..] else {
            panic!("{arguments:?}: {line}");
        };
        let printed = [out, errors].map(|digits| java::text_of(&digits[1..]));
        (exit.parse().expect("a number"), printed.concat())
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if let Some(child) = self.child.take() {
            kill_dash_nine(child);
        }
    }
}

/// One case: jobs get their names in it.
struct Session<'a> {
    site: &'a Site,
    server: &'a Server,
    client: &'a mut Client,
    begun: DateTime<Utc>,
    /// The ids of jobs by their names.
    ids: BTreeMap<String, String>,
}

impl<'a> Session<'a> {
    fn new(site: &'a Site, server: &'a Server, client: &'a mut Client) -> Session<'a> {
        Session {
            site,
            server,
            client,
            begun: DateTime::<Utc>::from(SystemTime::now()).trunc_subsecs(0),
            ids: BTreeMap::new(),
        }
    }

    fn play(mut self, lines: &str) -> String {
        let mut played = String::new();
        for line in lines.lines().filter_map(|line| line.strip_prefix("$ ")) {
            let _ = writeln!(played, "$ {line}");
            played.push_str(&self.call(line));
        }
        played
    }

    fn call(&mut self, line: &str) -> String {
        let typed = self.with_ids(&self.with_times(line));
        let words: Vec<&str> = typed.split(' ').collect();
        match words[..] {
            ["await", id, status] => {
                let show = if id.contains('@') { "info" } else { "status" };
                let path = format!("/v2/job/{id}?show={show}");
                let mut last = String::new();
                let reached = wait_within(PATIENCE, || {
                    let (_, body) = self.server.ask("GET", &path, "");
                    let job: Value = serde_json::from_str(&body).unwrap_or_default();
                    last = text(&job["status"]);
                    (last == status).then_some(())
                });
                match reached {
                    Some(()) => String::new(),
                    None => format!("it is still {last}\n"),
                }
            }
            ["await-members", id, status] => {
                let path = format!("/v2/job/{id}?show=info");
                let mut last = Vec::new();
                let reached = wait_within(PATIENCE, || {
                    let job = self.server.json(&path);
                    let members = job["bundleCoordJobs"].as_array()?;
                    last = members.iter().map(|it| text(&it["status"])).collect();
                    let is_so = !last.is_empty() && last.iter().all(|it| it == status);
                    is_so.then_some(())
                });
                match reached {
                    Some(()) => String::new(),
                    None => format!("they are {}\n", last.join(", ")),
                }
            }
            ["expected-duration", id] => {
                let sla = self
                    .server
                    .json(&format!("/v2/sla?timezone=GMT&filter=id%3D{id}"));
                format!("{}\n", sla["slaSummaryList"][0]["expectedDuration"])
            }
            ["touch", path] => {
                let path = self.site.folder.join("out").join(path);
                fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
                fs::write(path, "").expect("a file");
                String::new()
            }
            ["oozie", command, ref arguments @ ..] => {
                let mut all = vec![command.to_owned()];
                if !["help", "version", "info"].contains(&command) {
                    let url = format!("http://{}/oozie", self.server.address());
                    all.extend(["-oozie".to_owned(), url]);
                }
                all.extend(arguments.iter().map(|it| (*it).to_owned()));
                let (exit, printed) = self.client.run(&all);
                let mut shown = self.shown(&printed);
                if exit != 0 {
                    let _ = writeln!(shown, "exit {exit}");
                }
                shown
            }
            _ => panic!("`{line}` is no command of a session"),
        }
    }

    /// `{-90m}` as a time.
    fn with_times(&self, line: &str) -> String {
        let mut text = String::new();
        let mut rest = line;
        while let Some((before, behind)) = rest.split_once('{') {
            let parsed = behind
                .split_once("m}")
                .and_then(|(minutes, behind)| Some((minutes.parse::<i64>().ok()?, behind)));
            text.push_str(before);
            match parsed {
                Some((minutes, behind)) => {
                    let time = self.begun + TimeDelta::minutes(minutes);
                    let _ = write!(text, "{}", time.format("%Y-%m-%dT%H:%MZ"));
                    rest = behind;
                }
                None => {
                    text.push('{');
                    rest = behind;
                }
            }
        }
        text + rest
    }

    /// Names of jobs as their ids.
    fn with_ids(&self, line: &str) -> String {
        let words = line.split_inclusive([' ', '@', '=', ';', ',']);
        words
            .map(|word| {
                let name = word.trim_end_matches([' ', '@', '=', ';', ',']);
                match self.ids.get(name) {
                    Some(id) => format!("{id}{}", &word[name.len()..]),
                    None => word.to_owned(),
                }
            })
            .collect()
    }

    /// What is printed, without what differs from run to run.
    fn shown(&mut self, printed: &str) -> String {
        let mut shown = String::new();
        let address = self.server.address().to_owned();
        let lines = printed.lines().map(str::trim_end);
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with("\tat ")) {
            let line = line.replace(&self.site.folder.display().to_string(), "FOLDER");
            let line = line.replace(&address, "ADDRESS");
            let line = with_times_named(&self.with_names(&line));
            let line = match line.split_once("sequence-id>") {
                // They grow, but not one by one.
                Some((before, _)) => format!("{before}sequence-id>N"),
                None => line,
            };
            let _ = writeln!(shown, "{}", evenly_spaced(&line));
        }
        shown
    }

    /// Ids as the names of jobs.
    fn with_names(&mut self, line: &str) -> String {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let mut named = String::new();
        let mut rest = line;
        while !rest.is_empty() {
            let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end);
            // A column may follow without a blank.
            let id = word.trim_end_matches('-');
            if is_id(id) {
                named.push_str(&self.name_of(id));
                named.push_str(&word[id.len()..]);
            } else {
                named.push_str(word);
            }
            let other = behind.chars().next().map_or(0, char::len_utf8);
            named.push_str(&behind[..other]);
            rest = &behind[other..];
        }
        named
    }

    fn name_of(&mut self, id: &str) -> String {
        if let Some((name, _)) = self.ids.iter().find(|(_, known)| *known == id) {
            return name.clone();
        }
        let letter = &id[id.len() - 1..];
        let known = self.ids.keys().filter(|name| name.starts_with(letter));
        let name = format!("{letter}{}", known.count() + 1);
        self.ids.insert(name.clone(), id.to_owned());
        name
    }
}

/// `0000001-261125093313444-hpdl-W`
fn is_id(word: &str) -> bool {
    let parts: Vec<&str> = word.split('-').collect();
    let is_number = |text: &str, len: usize| {
        text.len() == len && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    matches!(parts[..], [number, time, .., kind]
        if parts.len() > 3 && is_number(number, 7) && is_number(time, 15) && ["W", "C", "B"].contains(&kind))
}

/// Times of the forms that the client and the server write, as `TIME`.
fn with_times_named(line: &str) -> String {
    const FORMS: [&str; 6] = [
        "0000-00-00 00:00:00,000",
        "0000-00-00 00:00:00",
        "0000-00-00 00:00",
        "0000-00-00T00:00Z",
        "aaa aaa 00 00:00:00 aaa 0000",
        "aaa aaa  0 00:00:00 aaa 0000",
    ];
    let fits = |text: &str, form: &str| {
        text.len() >= form.len()
            && text
                .bytes()
                .zip(form.bytes())
                .all(|(found, wanted)| match wanted {
                    b'0' => found.is_ascii_digit(),
                    b'a' => found.is_ascii_alphabetic(),
                    _ => found == wanted,
                })
    };
    let mut named = String::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        match FORMS.iter().find(|form| fits(rest, form)) {
            Some(form) => {
                named.push_str("TIME");
                rest = &rest[form.len()..];
            }
            None => {
                named.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    named
}

/// Columns with two blanks between, rulers of three dashes: widths depend on ids and folders.
fn evenly_spaced(line: &str) -> String {
    let mut even = String::new();
    for c in line.chars() {
        let is_same = match c {
            ' ' => even.ends_with("  "),
            '-' => even.ends_with("---"),
            _ => false,
        };
        if !is_same {
            even.push(c);
        }
    }
    even.trim_end().to_owned()
}
