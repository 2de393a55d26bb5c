//! `hpdl serve` beside Oozie's own server, which comes from Maven Central: the same requests to both in one run.
//!
//! Oozie gets what is best for it: a data base in memory, the local file system, and applications that both have seen before.

use std::{
    fs,
    net::TcpListener,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use hpdlc_tests::{java, repository};
use serde_json::Value;

use super::{NOTHING, Server, configuration, load::Connection};
use crate::{
    measure::{self, BudgetRow},
    rows::Bench,
    workload,
};

/// How long Oozie may take to start, and a job to end, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);
const LOOK_AGAIN: Duration = Duration::from_millis(1);
const N_FS: usize = 40;
/// What a JDK of today hides and Oozie's libraries use.
const OPENED: [&str; 10] = [
    "java.base/java.lang",
    "java.base/java.lang.reflect",
    "java.base/java.util",
    "java.base/java.util.concurrent",
    "java.base/java.net",
    "java.base/java.io",
    "java.base/java.nio",
    "java.base/java.text",
    "java.base/sun.nio.ch",
    "java.security.jgss/sun.security.krb5",
];

pub fn rows(bench: &Bench) -> Vec<BudgetRow> {
    let home = bench.folder.join("oozie");
    let Some(classes) = prepare(&home) else {
        let why = "Maven, a JDK and Oozie's libraries are needed";
        return vec![BudgetRow::skipped("server beside oozie", why)];
    };
    let user = Command::new("id").arg("-un").output().expect("id runs");
    let user = String::from_utf8_lossy(&user.stdout).trim().to_owned();
    let (oozie, oozies_start) = Oozie::start(&home, &classes);
    let began = Instant::now();
    let ours = Server::start(bench, &bench.folder.join("home-beside-oozie"));
    let mut our = Connection::open(&ours.address);
    assert_eq!(our.ask("GET", "/oozie/v1/admin/status", "").status, 200);
    let our_start = began.elapsed();
    let mut their = Connection::open(&oozie.address);

    let mut rows = vec![BudgetRow::ratio(
        "server, start (floor: Oozie)",
        (our_start, oozies_start),
        None,
    )];
    let applications = [
        ("a no-op to SUCCEEDED", NOTHING.to_owned(), 41),
        ("40 fs to SUCCEEDED", workload::fs(N_FS, &bench.folder), 7),
    ];
    for (name, xml, n_times) in applications {
        let folder = bench.application(&name.replace(' ', "-"), &xml);
        let body = configuration(&user, &format!("file://{}", folder.display()));
        // Both have what is made once.
        run(&mut our, &body);
        run(&mut their, &body);
        let times = measure::in_turn(
            bench.times(n_times),
            || run(&mut our, &body),
            || run(&mut their, &body),
        );
        let name = format!("server, {name} (Oozie)");
        rows.push(BudgetRow::ratio(name, times, None));
    }
    let list = |connection: &mut Connection| {
        let (answer, time) = connection.timed("GET", "/oozie/v2/jobs?len=50", "");
        assert_eq!(answer.status, 200, "{}", answer.body);
        time
    };
    let times = measure::in_turn(bench.times(201), || list(&mut our), || list(&mut their));
    rows.push(BudgetRow::ratio("server, list of 50 (Oozie)", times, None));
    rows
}

/// From the submission of a job to its end.
fn run(connection: &mut Connection, body: &str) -> Duration {
    let began = Instant::now();
    let answer = connection.ask("POST", "/oozie/v2/jobs?action=start", body);
    assert_eq!(answer.status, 201, "{}", answer.body);
    let answer: Value = serde_json::from_str(&answer.body).expect("JSON");
    let id = answer["id"].as_str().unwrap_or_default();
    let path = format!("/oozie/v2/job/{id}?show=status");
    loop {
        let answer = connection.ask("GET", &path, "");
        let answer: Value = serde_json::from_str(&answer.body).expect("JSON");
        match answer["status"].as_str() {
            Some("SUCCEEDED") => return began.elapsed(),
            Some("RUNNING" | "PREP") if began.elapsed() < PATIENCE => thread::sleep(LOOK_AGAIN),
            other => panic!("job {id} is {other:?}"),
        }
    }
}

/// Oozie's server, which ends with this.
struct Oozie {
    child: Child,
    address: String,
}

impl Oozie {
    /// The server, and the time until it answered.
    fn start(home: &Path, classes: &str) -> (Oozie, Duration) {
        // Oozie cannot choose a port itself.
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = free.expect("a free port").port();
        configure(home, port);
        let mut java = Command::new("java");
        for name in OPENED {
            java.args(["--add-opens", &format!("{name}=ALL-UNNAMED")]);
        }
        java.args([
            "--add-exports",
            "java.security.jgss/sun.security.krb5=ALL-UNNAMED",
        ]);
        for (name, folder) in [
            ("home", ""),
            ("config", "conf"),
            ("log", "log"),
            ("data", "data"),
        ] {
            let folder = home.join(folder).display().to_string();
            java.arg(format!("-Doozie.{name}.dir={folder}"));
        }
        let began = Instant::now();
        let child = java
            .args(["-Duser.timezone=UTC", "-cp", &format!("root:{classes}")])
            .arg("org.apache.oozie.server.EmbeddedOozieServer")
            .current_dir(home)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("java starts");
        let oozie = Oozie {
            child,
            address: format!("127.0.0.1:{port}"),
        };
        while !oozie.answers() {
            assert!(began.elapsed() < PATIENCE, "Oozie does not come up");
            thread::sleep(LOOK_AGAIN);
        }
        (oozie, began.elapsed())
    }

    fn answers(&self) -> bool {
        std::net::TcpStream::connect(&self.address).is_ok() && {
            let mut connection = Connection::open(&self.address);
            connection.ask("GET", "/oozie/v1/admin/status", "").status == 200
        }
    }
}

impl Drop for Oozie {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The libraries and folders of a server; the class path is relative to it.
fn prepare(home: &Path) -> Option<String> {
    let conf = home.join("conf");
    let folders = ["conf/hadoop-conf", "conf/action-conf", "log", "data"];
    // The server serves its console from the class path.
    for folder in folders.into_iter().chain(["root/webapp"]) {
        fs::create_dir_all(home.join(folder)).expect("a folder");
    }
    fs::write(home.join("root/webapp/index.txt"), "").expect("a file");
    let local = properties(&[("fs.defaultFS", "file:///")]);
    fs::write(conf.join("hadoop-conf/core-site.xml"), local).expect("a file");
    let logging =
        "log4j.rootLogger=ERROR, A\nlog4j.appender.A=org.apache.log4j.varia.NullAppender\n";
    fs::write(conf.join("oozie-log4j.properties"), logging).expect("a file");
    let project = project().expect("it is in the repository");
    java::libraries(home, &project)
}

fn project() -> std::io::Result<String> {
    fs::read_to_string(repository().join("tests/bench/oozie/pom.xml"))
}

fn configure(home: &Path, port: u16) {
    let hadoop = format!("*={}", home.join("conf/hadoop-conf").display());
    let site = properties(&[
        ("oozie.http.port", &port.to_string()),
        ("oozie.base.url", &format!("http://localhost:{port}/oozie")),
        (
            "oozie.service.JPAService.jdbc.url",
            "jdbc:derby:memory:oozie;create=true",
        ),
        ("oozie.service.JPAService.create.db.schema", "true"),
        (
            "oozie.service.HadoopAccessorService.supported.filesystems",
            "*",
        ),
        (
            "oozie.service.HadoopAccessorService.hadoop.configurations",
            &hadoop,
        ),
    ]);
    fs::write(home.join("conf/oozie-site.xml"), site).expect("a file");
}

fn properties(all: &[(&str, &str)]) -> String {
    let all = all.iter().map(|(name, value)| {
        format!("<property><name>{name}</name><value>{value}</value></property>\n")
    });
    format!(
        "<configuration>\n{}</configuration>\n",
        all.collect::<String>()
    )
}
