//! A simulated resource manager and history server, by HTTP.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    sync::{Arc, Mutex},
    thread,
};

use serde_json::{Value, json};

/// The services of one test. Their thread ends with the test process.
#[derive(Clone)]
pub struct Yarn {
    address: String,
    known: Arc<Mutex<ClusterMemory>>,
}

#[derive(Default)]
struct ClusterMemory {
    /// Applications by their id.
    applications: BTreeMap<String, Value>,
    /// Every request, in order.
    asked: Vec<String>,
    /// Ids of applications that were killed.
    killed: Vec<String>,
    /// Jobs that the history server does not know.
    forgotten: Vec<String>,
    /// How many of the next requests are answered as by a standby.
    n_standby: usize,
}

impl Yarn {
    pub fn start() -> Yarn {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let yarn = Yarn {
            address: listener.local_addr().expect("an address").to_string(),
            known: Arc::default(),
        };
        let server = yarn.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let server = server.clone();
                thread::spawn(move || server.serve(&stream));
            }
        });
        yarn
    }

    /// Writes Hadoop's own files, with these services in them.
    pub fn configure(&self, folder: &Path) {
        std::fs::create_dir_all(folder).expect("a folder");
        for (file, properties) in [
            ("core-site.xml", vec![("fs.defaultFS", "file:///")]),
            (
                "mapred-site.xml",
                vec![
                    ("mapreduce.framework.name", "yarn"),
                    ("mapreduce.jobhistory.webapp.address", &self.address),
                ],
            ),
            (
                "yarn-site.xml",
                vec![
                    ("yarn.resourcemanager.address", "rm:8032"),
                    ("yarn.resourcemanager.webapp.address", &self.address),
                ],
            ),
        ] {
            let properties: String = properties
                .iter()
                .map(|(name, value)| {
                    format!("<property><name>{name}</name><value>{value}</value></property>")
                })
                .collect();
            let text = format!("<configuration>{properties}</configuration>");
            std::fs::write(folder.join(file), text).expect("a file");
        }
    }

    /// Adds an application in this state.
    pub fn know(&self, id: &str, tags: &str, state: &str, status: &str) {
        let app = json!({
            "id": id, "state": state, "finalStatus": status, "applicationTags": tags,
            "diagnostics": "because\nof this", "trackingUrl": "http://rm/page", "startedTime": 1,
        });
        self.lock().applications.insert(id.to_owned(), app);
    }

    /// Adds a finished application of another framework than MapReduce.
    pub fn know_foreign(&self, id: &str, framework: &str) {
        self.know(id, "", "FINISHED", "SUCCEEDED");
        if let Some(app) = self.lock().applications.get_mut(id) {
            app["applicationType"] = framework.into();
        }
    }

    /// Makes the history server forget a job.
    pub fn forget(&self, job: &str) {
        self.lock().forgotten.push(job.to_owned());
    }

    /// Makes the history server know them again.
    pub fn remember(&self) {
        self.lock().forgotten.clear();
    }

    /// Answers the next requests as a standby does.
    pub fn stand_by(&self, n_requests: usize) {
        self.lock().n_standby = n_requests;
    }

    pub fn killed(&self) -> Vec<String> {
        self.lock().killed.clone()
    }

    pub fn asked(&self) -> Vec<String> {
        self.lock().asked.clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, ClusterMemory> {
        self.known.lock().expect("nobody panics with it")
    }

    fn serve(&self, stream: &TcpStream) {
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        if reader.read_line(&mut line).is_err() {
            return;
        }
        let mut length = 0;
        loop {
            let mut header = String::new();
            if reader.read_line(&mut header).is_err() || header.trim().is_empty() {
                break;
            }
            if let Some(value) = header.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap_or(0);
            }
        }
        let mut body = vec![0; length];
        let _ = reader.read_exact(&mut body);
        let mut words = line.split_whitespace();
        let (method, target) = (
            words.next().unwrap_or_default(),
            words.next().unwrap_or_default(),
        );
        let (status, answer) = self.answer(method, target);
        let _ = write!(
            &*stream,
            "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{answer}",
            answer.len()
        );
    }

    fn answer(&self, method: &str, target: &str) -> (&'static str, String) {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let mut known = self.lock();
        known.asked.push(format!("{method} {target}"));
        if known.n_standby > 0 {
            known.n_standby -= 1;
            return ("503 Standby", "This is standby RM.".to_owned());
        }
        let missing = ("404 Not Found", "{\"RemoteException\":{}}".to_owned());
        let ok = |value: Value| ("200 OK", value.to_string());
        if let Some(rest) = path.strip_prefix("/ws/v1/cluster/apps/") {
            if let Some(id) = rest.strip_suffix("/state") {
                known.killed.push(id.to_owned());
                if let Some(app) = known.applications.get_mut(id) {
                    app["state"] = "KILLED".into();
                    app["finalStatus"] = "KILLED".into();
                }
                return ok(json!({ "state": "KILLED" }));
            }
            return match known.applications.get(rest) {
                Some(app) => ok(json!({ "app": app })),
                // The state of an application that was not added follows from its number.
                None => match end_of(rest) {
                    Some((state, status)) => ok(json!({ "app": {
                        "id": rest, "state": state, "finalStatus": status, "applicationTags": "",
                        "diagnostics": "because\nof this", "trackingUrl": "", "startedTime": 1,
                    } })),
                    None => missing,
                },
            };
        }
        if path == "/ws/v1/cluster/apps" {
            let tag = query
                .split('&')
                .find_map(|part| part.strip_prefix("applicationTags="))
                .unwrap_or_default();
            let found: Vec<&Value> = known
                .applications
                .values()
                .filter(|app| {
                    app["applicationTags"]
                        .as_str()
                        .is_some_and(|tags| tags.split(',').any(|it| it == tag))
                })
                .collect();
            return match found.is_empty() {
                true => ok(json!({ "apps": null })),
                false => ok(json!({ "apps": { "app": found } })),
            };
        }
        let job = path.strip_prefix("/ws/v1/history/mapreduce/jobs/");
        if let Some(job) = job.and_then(|rest| rest.strip_suffix("/counters")) {
            if known.forgotten.iter().any(|it| it == job) {
                return missing;
            }
            return ok(json!({ "jobCounters": { "counterGroup": [{
                "counterGroupName": "org.apache.hadoop.mapreduce.TaskCounter",
                "counter": [
                    { "name": "MAP_INPUT_RECORDS", "totalCounterValue": 7 },
                    { "name": "REDUCE_OUTPUT_RECORDS", "totalCounterValue": 3 },
                ],
            }] } }));
        }
        missing
    }
}

/// Applications whose number ends in 1 succeed, in 2 fail, in 3 are killed; others are unknown.
fn end_of(id: &str) -> Option<(&'static str, &'static str)> {
    match id.chars().last()? {
        '1' => Some(("FINISHED", "SUCCEEDED")),
        '2' => Some(("FINISHED", "FAILED")),
        '3' => Some(("KILLED", "KILLED")),
        _ => None,
    }
}
