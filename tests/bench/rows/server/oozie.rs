//! `hpdl serve` beside Oozie's own server, which comes from Maven Central: the same requests to both in one run.
//!
//! Oozie gets what is best for it: a data base in memory, the local file system, and applications that both have seen before.

use std::{
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use super::{
    NOTHING, Server, configuration,
    load::Connection,
    oozie_server::{self, OozieServer, PATIENCE},
    user,
};
use crate::{
    measure::{self, BudgetRow},
    rows::Bench,
    workload,
};

const LOOK_AGAIN: Duration = Duration::from_millis(1);
const N_FS: usize = 40;

pub fn rows(bench: &Bench) -> Vec<BudgetRow> {
    let home = bench.folder.join("oozie");
    let Some(classes) = oozie_server::prepare(&home) else {
        return vec![BudgetRow::skipped(
            "server beside oozie",
            oozie_server::NEEDED,
        )];
    };
    let user = user();
    let hadoop = oozie_server::without_cluster(&home);
    let (oozie, oozies_start) = OozieServer::start(&home, &classes, &hadoop, &[]);
    let began = Instant::now();
    let ours = Server::start(bench, &bench.folder.join("home-beside-oozie"));
    let mut our = Connection::open(&ours.address);
    assert_eq!(our.ask("GET", "/oozie/v1/admin/status", "").status, 200);
    let our_start = began.elapsed();

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
        run(&ours.address, &body);
        run(&oozie.address, &body);
        let times = measure::in_turn(
            bench.times(n_times),
            || run(&ours.address, &body),
            || run(&oozie.address, &body),
        );
        let name = format!("server, {name} (Oozie)");
        rows.push(BudgetRow::ratio(name, times, None));
    }
    let mut our = Connection::open(&ours.address);
    let mut their = Connection::open(&oozie.address);
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
fn run(address: &str, body: &str) -> Duration {
    // One that is kept is closed while the other server takes long.
    let mut connection = Connection::open(address);
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
