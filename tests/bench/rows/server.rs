//! `hpdl serve`: reading jobs among many by eight clients, submissions, memory.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::{Child, Command},
    thread,
    time::{Duration, Instant},
};

use hpdlc_host::home::Home;
use hpdlc_store::query;
use hpdlc_tests::served;
use serde_json::Value;

use self::load::{Connection, Load};
use crate::{
    measure::{self, BudgetRow},
    rows::Bench,
    workload,
};

pub mod browser;
pub mod containers;
mod fill;
mod load;
pub mod oozie;
mod oozie_server;
mod pages;

const N_CLIENTS: usize = 8;
const JOB: Duration = Duration::from_millis(5);
const LIST: Duration = Duration::from_millis(20);
/// Of the console: to its first paint it may take as long again.
const PAGE: Duration = Duration::from_millis(100);
const REGISTERED: Duration = Duration::from_millis(20);
const COMPILED: Duration = Duration::from_secs(1);
/// Of a server that nobody calls, in KiB.
const IDLE: u64 = 20 << 10;
/// What it may take until it is idle.
const SETTLED: Duration = Duration::from_secs(2);
const NOTHING: &str = r#"<workflow-app name="nothing" xmlns="uri:oozie:workflow:1.0"><start to="end"/><end name="end"/></workflow-app>"#;
const URI: &str = "hdfs://nn/apps/nothing";

/// A server, which ends with this.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(bench: &Bench, home: &Path) -> Server {
        let hpdl = bench.hpdlc.with_file_name("hpdl");
        let options = ["--log-level", "error"];
        let (child, address) = served::serve(&hpdl, home, "127.0.0.1:0", &options);
        Server { child, address }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A job, and lists of jobs.
pub fn reading(bench: &Bench) -> Vec<BudgetRow> {
    let n_jobs = if bench.is_quick { 10_000 } else { 100_000 };
    let n_requests = bench.times(200);
    let home = bench.folder.join("home-of-many");
    fill::fill(&home, n_jobs);
    let server = Server::start(bench, &home);
    thread::sleep(SETTLED);
    let idle = resident(server.child.id());
    let mut rows = vec![BudgetRow::absolute(
        "server, idle",
        format!("{:.1} MB", idle as f64 / 1024.0),
        "20 MB".to_owned(),
        Some(idle <= IDLE),
    )];
    let mut first = Connection::open(&server.address);
    let mut measured = |name: &str, path: &(dyn Fn(usize, usize) -> String + Sync), budget| {
        // What the floor answers with has the same length.
        let body = first.ask("GET", &path(0, 0), "").body;
        let floor = load::answer_always(body);
        let floor = load::get(&floor, 0, N_CLIENTS, n_requests, path);
        let pid = server.child.id();
        let load = load::get(&server.address, pid, N_CLIENTS, n_requests, path);
        rows.push(row(name, &load, &floor, budget));
    };
    let of_job = |client: usize, number: usize| {
        let number = 1 + (client * 7_919 + number * 104_729) % n_jobs;
        format!("/oozie/v2/job/{}", fill::id(number))
    };
    measured("job", &of_job, JOB);
    for (name, more) in [
        ("list", String::new()),
        ("list, middle", format!("&offset={}", n_jobs / 2)),
        ("list, end", format!("&offset={}", n_jobs - 60)),
        (
            "list, KILLED",
            format!("&offset={}&filter=status%3DKILLED", n_jobs / 25),
        ),
        (
            "list, states of a user",
            "&filter=user%3Dada%3Bstatus%3DRUNNING%3Bstatus%3DFAILED".to_owned(),
        ),
        (
            "list, user, middle",
            format!("&offset={}&filter=user%3Dada", n_jobs / 6),
        ),
        ("list, name", "&filter=name%3Dapp-7".to_owned()),
        ("list, text", "&filter=text%3Dapp-7".to_owned()),
        (
            "list, last changed",
            "&filter=sortby%3DlastModifiedTime".to_owned(),
        ),
        (
            "list, last changed, middle",
            format!("&offset={}&filter=sortby%3DlastModifiedTime", n_jobs / 2),
        ),
    ] {
        let path = format!("/oozie/v2/jobs?len=50{more}");
        measured(name, &|_, _| path.clone(), LIST);
    }
    measured("overview page", &|_, _| "/oozie/".to_owned(), PAGE);
    rows.push(pages::idle(&server.address, server.child.id()));
    rows
}

/// When each node of a job ended, in milliseconds since 1970.
fn ends(home: &Path, job: &str) -> BTreeMap<String, i64> {
    let home = Home::open_at(home.to_owned()).expect("the folder of the job");
    let connection = hpdlc_store::open(&home).expect("its store");
    let rows = query::actions(&connection, job).expect("its rows");
    rows.into_iter()
        .filter_map(|row| Some((row.name, row.ended?)))
        .collect()
}

fn row(name: &str, load: &Load, floor: &Load, budget: Duration) -> BudgetRow {
    let times = (load.p99(), floor.p99());
    let processor = measure::format_time(load.processor);
    let name = format!("server, {name} (CPU {processor})");
    let mut row = BudgetRow::ratio(name, times, None);
    row.budget = measure::format_time(budget);
    row.is_within = Some(times.0 <= budget);
    row
}

/// The resident memory of a process, in KiB.
fn resident(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.expect("the kernel tells")
}

/// New jobs.
pub fn submission(bench: &Bench) -> Vec<BudgetRow> {
    let home = bench.folder.join("home-of-server");
    let program = bench.program("nothing", NOTHING);
    let mut register = Command::new(&program);
    register
        .args(["register", "--as", URI])
        .env("HPDL_HOME", &home);
    measure::time(&mut register);
    let server = Server::start(bench, &home);
    let user = user();
    let mut connection = Connection::open(&server.address);
    let mut submit = || {
        let body = configuration(&user, URI);
        let (answer, time) = connection.timed("POST", "/oozie/v2/jobs", &body);
        assert_eq!(answer.status, 201, "{}", answer.body);
        time
    };
    let mut directly = || {
        let mut command = Command::new(&program);
        measure::time(command.arg("submit").env("HPDL_HOME", &home))
    };
    submit();
    let times = measure::in_turn(bench.times(61), &mut submit, &mut directly);
    let mut registered = BudgetRow::ratio("submission, registered", times, None);
    registered.budget = measure::format_time(REGISTERED);
    registered.is_within = Some(times.0 <= REGISTERED);

    let mut number = 0;
    let mut folder = |bench: &Bench| -> PathBuf {
        number += 1;
        let xml = workload::chain(40);
        let name = format!("submitted-{number}");
        let xml = xml.replacen(
            "hpdlc-bench-chain",
            &format!("hpdlc-bench-submitted-{number}"),
            1,
        );
        bench.application(&name, &xml)
    };
    let build = |application: PathBuf| {
        let mut build = bench.hpdlc();
        build.arg("build").arg(application).arg("-o");
        measure::time(build.arg(bench.folder.join("built")))
    };
    let mut compiled = |application: PathBuf| {
        let body = configuration(&user, &format!("file://{}", application.display()));
        let (answer, time) = connection.timed("POST", "/oozie/v2/jobs", &body);
        assert_eq!(answer.status, 201, "{}", answer.body);
        time
    };
    // Both have what is made once.
    build(folder(bench));
    compiled(folder(bench));
    let mut ours = Vec::new();
    let mut builds = Vec::new();
    for _ in 0..bench.times(7) {
        ours.push(compiled(folder(bench)));
        builds.push(build(folder(bench)));
    }
    let times = (measure::median(ours), measure::median(builds));
    let mut row = BudgetRow::ratio("submission, compiled, 40 nodes", times, None);
    row.budget = measure::format_time(COMPILED);
    row.is_within = Some(times.0 <= COMPILED);
    vec![registered, row, rush(bench, &server)]
}

/// Many submissions by eight clients, each started: every one is a job of its own that reaches its end.
fn rush(bench: &Bench, server: &Server) -> BudgetRow {
    let n_each = if bench.is_quick { 25 } else { 125 };
    let user = user();
    let began = Instant::now();
    let ids: Vec<String> = thread::scope(|scope| {
        let clients: Vec<_> = (0..N_CLIENTS)
            .map(|_| {
                scope.spawn(|| {
                    let mut connection = Connection::open(&server.address);
                    let body = configuration(&user, URI);
                    let ids = (0..n_each).map(|_| {
                        let answer = connection.ask("POST", "/oozie/v2/jobs?action=start", &body);
                        assert_eq!(answer.status, 201, "{}", answer.body);
                        let answer: Value = serde_json::from_str(&answer.body).expect("JSON");
                        answer["id"].as_str().unwrap_or_default().to_owned()
                    });
                    ids.collect::<Vec<_>>()
                })
            })
            .collect();
        clients
            .into_iter()
            .flat_map(|client| client.join().expect("a client ends"))
            .collect()
    });
    let took = began.elapsed();
    let different: BTreeSet<&String> = ids.iter().collect();
    assert_eq!(different.len(), ids.len(), "each job has an id of its own");
    let mut connection = Connection::open(&server.address);
    for id in &ids {
        loop {
            let answer = connection.ask("GET", &format!("/oozie/v2/job/{id}?show=status"), "");
            let answer: Value = serde_json::from_str(&answer.body).expect("JSON");
            match answer["status"].as_str() {
                Some("SUCCEEDED") => break,
                Some("RUNNING") => thread::sleep(Duration::from_millis(5)),
                other => panic!("job {id} is {other:?}"),
            }
        }
    }
    let minute = Duration::from_mins(1);
    let for_1000 = took * 1000 / u32::try_from(ids.len()).expect("few");
    BudgetRow::absolute(
        "1,000 submissions, all SUCCEEDED",
        measure::format_time(for_1000),
        measure::format_time(minute),
        Some(for_1000 <= minute),
    )
}

/// The body of a submission.
fn configuration(user: &str, path: &str) -> String {
    configuration_with(user, path, &[])
}

/// The same with further properties of the job.
fn configuration_with(user: &str, path: &str, more: &[(&str, &str)]) -> String {
    let own = [("user.name", user), ("oozie.wf.application.path", path)];
    let properties = own.iter().chain(more).map(|(name, value)| {
        format!("<property><name>{name}</name><value>{value}</value></property>")
    });
    format!(
        "<configuration>{}</configuration>",
        properties.collect::<String>()
    )
}

/// The user of this process.
fn user() -> String {
    let user = Command::new("id").arg("-un").output().expect("id runs");
    String::from_utf8_lossy(&user.stdout).trim().to_owned()
}
