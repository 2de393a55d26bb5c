//! What the store says of the jobs of a world, whatever servers answer.

use std::{collections::BTreeMap, fs, time::Duration};

use rusqlite::{Connection, OpenFlags};

use crate::harness::World;

pub fn open(world: &World) -> Connection {
    let path = world.home().join("jobs.db");
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).expect("a store");
    connection
        .busy_timeout(Duration::from_secs(60))
        .expect("a time-out");
    connection
}

/// The state of a job in the terms of its kind.
pub fn status(world: &World, id: &str) -> String {
    open(world)
        .query_row(
            "SELECT coalesce((SELECT status FROM coordinators WHERE job_id = id), status) FROM jobs WHERE id = ?1",
            [id],
            |row| row.get(0),
        )
        .expect("the job")
}

pub fn run(world: &World, id: &str) -> u64 {
    let run: i64 = open(world)
        .query_row("SELECT run FROM jobs WHERE id = ?1", [id], |row| row.get(0))
        .expect("the job");
    u64::try_from(run).expect("a number")
}

/// How often each command was carried out on a job.
pub fn carried_out(world: &World, id: &str) -> BTreeMap<String, u64> {
    let store = open(world);
    let mut statement = store
        .prepare("SELECT verb FROM commands WHERE job_id = ?1 AND handled IS NOT NULL AND answer IS NULL")
        .expect("a statement");
    let verbs = statement
        .query_map([id], |row| row.get::<_, String>(0))
        .expect("a query");
    let mut counted = BTreeMap::new();
    for verb in verbs {
        let verb = verb.expect("a row");
        let word = verb.split(' ').next().unwrap_or_default();
        if !matches!(word, "workflow-changed" | "coordinator-changed") {
            *counted.entry(word.to_owned()).or_default() += 1;
        }
    }
    counted
}

/// How often the log has each event of a job itself.
pub fn events(world: &World, id: &str) -> BTreeMap<String, u64> {
    let store = open(world);
    let mut statement = store
        .prepare("SELECT event FROM log WHERE job_id = ?1 AND node IS NULL")
        .expect("a statement");
    let events = statement
        .query_map([id], |row| row.get::<_, String>(0))
        .expect("a query");
    let mut counted = BTreeMap::new();
    for event in events {
        *counted.entry(event.expect("a row")).or_default() += 1;
    }
    counted
}

/// Whether a command on a job waits for an owner.
pub fn is_asked(world: &World, id: &str) -> bool {
    open(world)
        .query_row(
            "SELECT EXISTS (SELECT 1 FROM commands WHERE job_id = ?1 AND handled IS NULL)",
            [id],
            |row| row.get(0),
        )
        .expect("a query")
}

/// The jobs with an external id.
pub fn of_external_id(world: &World, external: &str) -> Vec<String> {
    let store = open(world);
    let mut statement = store
        .prepare("SELECT id FROM jobs WHERE parent_id IS NULL AND instr(conf, ?1) > 0")
        .expect("a statement");
    let part = format!("\"oozie.wf.external.id\":\"{external}\"");
    let ids = statement
        .query_map([part], |row| row.get(0))
        .expect("a query");
    ids.map(|id| id.expect("a row")).collect()
}

/// The external ids of all jobs that no other has started, sorted.
pub fn external_ids(world: &World) -> Vec<String> {
    let store = open(world);
    let mut statement = store
        .prepare("SELECT conf FROM jobs WHERE parent_id IS NULL")
        .expect("a statement");
    let confs = statement
        .query_map([], |row| row.get::<_, String>(0))
        .expect("a query");
    let mut all: Vec<String> = confs
        .map(|conf| {
            let conf: serde_json::Value =
                serde_json::from_str(&conf.expect("a row")).expect("JSON");
            conf["oozie.wf.external.id"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        })
        .collect();
    all.sort_unstable();
    all
}

/// Whether a process that a dead server has started still works with all of these words on its command line.
pub fn works(words: &[&str]) -> bool {
    let processes = fs::read_dir("/proc").expect("Linux").flatten();
    let lines = processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines
        .map(|line| String::from_utf8_lossy(&line).into_owned())
        .any(|line| {
            let given: Vec<&str> = line.split('\0').collect();
            words
                .iter()
                .all(|word| given.iter().any(|given| given.contains(word)))
        })
}
