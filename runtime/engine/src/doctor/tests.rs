//! Injects one fault at a time into a sound store, and compares the doctor's message for it.

use std::{fs, os::unix::fs::PermissionsExt};

use hpdlc_core::definition::NodeId;
use hpdlc_host::home::Home;
use hpdlc_program::table::{
    Action, App, Body, Next, NodeDef, NodeKind, Program, Retry, Row, Shell, SubWorkflow, Template,
    definitions,
};
use hpdlc_store as store;
use serde::de::IgnoredAny;

use super::*;
use crate::registry::kept;

static PROGRAM: Program = Program {
    hpdlc_version: "0.1.0",
    hash: "0123456789abcdef",
    entry: hpdlc_program::table::Entry::Workflow,
    coordinators: &[],
    apps: &[&SPLIT],
    children: &[],
    files: &[],
};

/// A fork of an action and a sub-workflow.
static SPLIT: App = App {
    name: Template::Text(0, "split"),
    source: "workflow.xml",
    folder: "",
    parameters: &[],
    config_default: &[],
    global: &[],
    lines: &[1, 2, 3, 4, 5, 6],
    start: NodeId(0),
    joins: &[(NodeId(1), NodeId(4))],
    slas: &[],
    functions: &[],
    rows: &ROWS,
    definitions: &definitions(&ROWS, [&NODES]),
};

static ROWS: [Row; 6] = [
    Row(NodeId(0), 0, Next::Ok(NodeId(1))),
    Row(NodeId(1), 0, Next::Branch(&[NodeId(2), NodeId(3)])),
    Row(NodeId(2), 0, Next::OkOrError(NodeId(4), NodeId(4))),
    Row(NodeId(3), 0, Next::OkOrError(NodeId(4), NodeId(4))),
    Row(NodeId(4), 0, Next::Joined(NodeId(5))),
    Row(NodeId(5), 0, Next::None),
];

static NODES: [NodeDef; 6] = [
    NodeDef {
        name: ":start:",
        kind: NodeKind::Start,
    },
    NodeDef {
        name: "split",
        kind: NodeKind::Fork { branches: 2 },
    },
    NodeDef {
        name: "b",
        kind: NodeKind::Action(Action {
            retry: Retry::EMPTY,
            body: Body::Shell(Shell::EMPTY),
        }),
    },
    NodeDef {
        name: "sub",
        kind: NodeKind::Action(Action {
            retry: Retry::EMPTY,
            body: Body::SubWorkflow(SubWorkflow::EMPTY),
        }),
    },
    NodeDef {
        name: "both",
        kind: NodeKind::Join,
    },
    NodeDef {
        name: "end",
        kind: NodeKind::End,
    },
];

/// As [`sound`], with the suspended job being one of this executable's.
const OF_THIS_EXECUTABLE: &str = "
    UPDATE jobs SET hash = '0123456789abcdef' WHERE id = '0000002-W';
    INSERT INTO actions (job_id, name, type, status, external_id, retries, started, ended, attempt, user_retries,
        transient_retries, live_strands, outcome, canceling)
        VALUES ('0000002-W', ':start:', ':START:', 'OK', '-', 0, 2, 2, 1, 0, 0, 0, 'OK', 0);";

/// A state folder with a job that has ended, one that is suspended in a fork, and a sub-workflow.
fn sound() -> (tempfile::TempDir, Session) {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
    let home = Home::open_at(folder.path().to_owned()).unwrap();
    let connection = store::open(&home).unwrap();
    connection
        .execute_batch(
            "INSERT INTO sequences VALUES ('jobs', 3);
             INSERT INTO jobs (id, kind, app, app_path, \"user\", status, run, created, started, ended, conf, hash, app_index,
                 root_id, parent_id, parent_node, parent_attempt, depth, epoch) VALUES
                 ('0000001-W', 'W', '', '', '', 'SUCCEEDED', 0, 1, 2, 9, '{}', 'aa', 0, '0000001-W', NULL, NULL, NULL, 0, 1),
                 ('0000002-W', 'W', '', '', '', 'SUSPENDED', 0, 1, 2, NULL, '{}', 'aa', 0, '0000002-W', NULL, NULL, NULL, 0, 1),
                 ('0000003-W', 'W', '', '', '', 'RUNNING', 0, 1, 2, NULL, '{}', 'aa', 0, '0000002-W', '0000002-W', 'sub', 1, 1, 0);
             INSERT INTO actions (job_id, name, type, status, external_id, retries, started, ended, attempt, user_retries,
                 transient_retries, strand, live_strands, canceling, due) VALUES
                 ('0000001-W', 'a', 'shell', 'OK', NULL, 0, 2, 9, 1, 0, 0, NULL, 0, 0, NULL),
                 ('0000002-W', 'split', ':FORK:', 'OK', '-', 0, 2, 2, 0, 0, 0, NULL, 2, 0, NULL),
                 ('0000002-W', 'b', 'shell', 'START_MANUAL', NULL, 0, 2, NULL, 1, 0, 0, 'split', 0, 0, NULL),
                 ('0000002-W', 'sub', 'sub-workflow', 'RUNNING', '0000003-W', 0, 2, NULL, 1, 0, 0, 'split', 0, 0, NULL),
                 ('0000003-W', 'c', 'shell', 'USER_RETRY', NULL, 0, 2, NULL, 1, 0, 0, NULL, 0, 0, 5);",
        )
        .unwrap();
    let copy = home.bin().join("aa");
    fs::write(&copy, kept::testing::elf()).unwrap();
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o700)).unwrap();
    let session = Session {
        program: &PROGRAM,
        home,
        site: std::sync::Arc::default(),
    };
    (folder, session)
}

/// Represents a reader that the scheduler passes in.
const BUNDLES: RowReader = RowReader {
    table: "bundles",
    columns: "*",
    read: |row| json::<IgnoredAny>("state", &row.get::<_, String>("state")?),
};

fn problems(session: &Session) -> Vec<String> {
    let report = examine(session, &[BUNDLES], &|_, _, _| {}).unwrap();
    report
        .findings
        .iter()
        .filter(|finding| finding.level == FindingLevel::Problem)
        .map(|finding| format!("{}: {}", finding.about, finding.problem))
        .collect()
}

#[test]
fn a_sound_store_has_no_problem() {
    let (_folder, session) = sound();
    let report = examine(&session, &[], &|_, _, _| {}).unwrap();
    assert_eq!(report.findings, [], "{:?}", report.findings);
    assert_eq!((report.n_jobs, report.n_actions), (3, 5));
    assert!(report.is_sound());
}

/// Expects the doctor to find the fault that `sql` makes, with this message.
#[track_caller]
fn check(sql: &str, expected: &str) {
    let (_folder, session) = sound();
    let connection = store::open(&session.home).unwrap();
    connection.pragma_update("foreign_keys", "OFF").unwrap();
    connection.execute_batch(sql).unwrap();
    let found = problems(&session);
    assert!(
        found.iter().any(|problem| problem.contains(expected)),
        "{sql}: {found:?}"
    );
}

#[test]
fn every_broken_promise_is_found() {
    for (sql, expected) in [
        (
            "UPDATE jobs SET ended = NULL WHERE id = '0000001-W'",
            "job 0000001-W: it is SUCCEEDED, but it has no end time",
        ),
        (
            "UPDATE jobs SET ended = 3 WHERE id = '0000002-W'",
            "it is SUSPENDED, but it has an end time",
        ),
        (
            "UPDATE actions SET status = 'RUNNING', ended = NULL WHERE job_id = '0000001-W'",
            "job 0000001-W, node a: it is RUNNING, but the job has ended SUCCEEDED",
        ),
        (
            "UPDATE actions SET canceling = 1 WHERE name = 'a'",
            "it is marked to be killed, but it is OK",
        ),
        (
            "UPDATE actions SET ahead = 2 WHERE job_id = '0000001-W'",
            "job 0000001-W, node a: it is OK, but the launcher may still start the node that follows it",
        ),
        (
            "UPDATE actions SET live_strands = 3 WHERE name = 'split'",
            "job 0000002-W, fork split: it counts 3 active branches, but 2 are active",
        ),
        (
            "UPDATE actions SET status = 'OK', ended = 4 WHERE name = 'b'",
            "it counts 2 active branches, but 1 are active",
        ),
        (
            "UPDATE actions SET due = NULL WHERE name = 'c'",
            "it is waiting for its next attempt, which has no time",
        ),
        (
            "UPDATE jobs SET status = 'KILLED', ended = 7 WHERE id = '0000003-W'",
            "node sub: it is RUNNING, but its job 0000003-W has ended KILLED",
        ),
        (
            "UPDATE jobs SET status = 'KILLED', ended = 7 WHERE id = '0000002-W'",
            "it is RUNNING, but its parent 0000002-W (node sub) has ended KILLED",
        ),
        (
            "INSERT INTO slas (job_id, node, nominal, expected_end, silent, status, is_over)
                 VALUES ('0000001-W', '', 0, 0, 0, 'IN_PROCESS', 0)",
            "job 0000001-W: it has ended, but its SLA is still monitored",
        ),
        (
            "DELETE FROM jobs WHERE id = '0000002-W'",
            "the job at the top of its tree, 0000002-W, does not exist",
        ),
        (
            "DELETE FROM jobs WHERE id = '0000001-W'",
            "a row of `actions` belongs to a job that does not exist",
        ),
        (
            "UPDATE jobs SET status = 'RESTING' WHERE id = '0000002-W'",
            "this executable does not know its state: RESTING",
        ),
        (
            "UPDATE sequences SET value = 2",
            "the last number given is 2, but job 3 exists",
        ),
        (
            "UPDATE jobs SET hash = 'bb' WHERE id = '0000002-W'",
            "the executable of 1 jobs is missing",
        ),
        ("UPDATE meta SET format_major = 3", "it has format 3."),
    ] {
        check(sql, expected);
    }
}

/// The doctor must not pass a row that some command cannot read.
#[test]
fn every_row_is_read_as_those_who_show_it_read_it() {
    for (sql, expected) in [
        (
            "UPDATE jobs SET conf = '{' WHERE id = '0000001-W'",
            "table jobs, 0000001-W: a row cannot be read: conf: EOF",
        ),
        (
            "UPDATE jobs SET conf = '[1]' WHERE id = '0000001-W'",
            "table jobs, 0000001-W: a row cannot be read: conf: invalid type",
        ),
        (
            "UPDATE jobs SET app = CAST(x'41ff' AS TEXT) WHERE id = '0000001-W'",
            "table jobs, 0000001-W: a row cannot be read: its column app is not UTF-8",
        ),
        (
            "UPDATE jobs SET status = CAST(x'ff' AS TEXT) WHERE id = '0000001-W'",
            "its column status is not UTF-8",
        ),
        (
            "UPDATE actions SET data = 'x' WHERE job_id = '0000001-W'",
            "table actions, 0000001-W: a row cannot be read: data: expected",
        ),
        (
            "INSERT INTO log (job_id, time, event) VALUES ('0000001-W', 1, CAST(x'ff' AS TEXT))",
            "table log, 0000001-W: a row cannot be read: its column event is not UTF-8",
        ),
        (
            "INSERT INTO slas (job_id, node, nominal, expected_end, silent, status, is_over)
                 VALUES ('0000001-W', '', 0, 0, 0, 'LATE', 1)",
            "table slas, 0000001-W: a row cannot be read",
        ),
        (
            "INSERT INTO coordinators (job_id, status, frequency, timezone, start_time, end_time, last_number, is_done,
                 revision) VALUES ('0000001-W', 'RUNNING', '1', 'UTC', 0, 9223372036854775807, 0, 0, 1)",
            "table coordinators, 0000001-W: a row cannot be read: end_time 9223372036854775807 is no date",
        ),
        (
            "INSERT INTO coordinator_actions (job_id, number, status, nominal_time, created, revision, run, since, inputs,
                 keeps_workflow) VALUES ('0000001-W', 1, 'SLEEPING', 0, 0, 1, 0, 0, '{}', 0)",
            "table coordinator_actions, 0000001-W: a row cannot be read: unknown status SLEEPING",
        ),
        (
            "INSERT INTO coordinator_revisions VALUES ('0000001-W', 1, 'aa', 0, '{}', '{}')",
            "table coordinator_revisions, 0000001-W: a row cannot be read: texts: missing",
        ),
        (
            "INSERT INTO bundles (job_id, status, state) VALUES ('0000001-W', 'RUNNING', 'none')",
            "table bundles, 0000001-W: a row cannot be read: state: expected",
        ),
        (
            "INSERT INTO registrations VALUES (CAST(x'2fff' AS TEXT), 'aa', 0)",
            "table registrations, /\u{fffd}: a row cannot be read: its column uri is not UTF-8",
        ),
    ] {
        check(sql, expected);
    }
}

#[test]
fn an_executable_that_is_not_what_was_put_there_is_found() {
    let (_folder, session) = sound();
    let copy = session.home.bin().join("aa");
    for bytes in [&b""[..], &[0; 64], &kept::testing::elf()[..63]] {
        fs::write(&copy, bytes).unwrap();
        let found = problems(&session);
        assert!(
            found.len() == 1 && found[0].ends_with("it is damaged: its checksum has changed"),
            "{found:?}"
        );
    }
    let source = session.home.root().join("source");
    fs::write(&source, kept::testing::elf()).unwrap();
    kept::keep(&session.home, "aa", &source).unwrap();
    assert_eq!(problems(&session), [""; 0]);
    // Even if it was already verified in this boot, the doctor reads it again.
    fs::write(&copy, [kept::testing::elf(), vec![1]].concat()).unwrap();
    assert_eq!(problems(&session).len(), 1);
}

#[test]
fn a_job_of_this_executable_is_held_against_its_graph() {
    let (_folder, session) = sound();
    let connection = store::open(&session.home).unwrap();
    connection.execute_batch(OF_THIS_EXECUTABLE).unwrap();
    let copy = session.home.bin().join(PROGRAM.hash);
    fs::write(&copy, kept::testing::elf()).unwrap();
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(problems(&session), [""; 0]);
    for (sql, expected) in [
        (
            "DELETE FROM actions WHERE name = 'b'",
            "job 0000002-W: split has led to b, which was never entered",
        ),
        (
            "UPDATE actions SET live_strands = 0 WHERE name = 'split'",
            "every branch of fork split has ended, but join both does not continue",
        ),
        (
            "UPDATE actions SET live_strands = 1 WHERE name = 'split'",
            "fork split counts 1 active branches, but 2 are active",
        ),
        (
            "INSERT INTO actions (job_id, name, type, status, retries, started, ended, attempt, user_retries,
                 transient_retries, live_strands, outcome, canceling)
             VALUES ('0000002-W', 'both', ':JOIN:', 'OK', 0, 2, 2, 1, 0, 0, 0, 'JOINED', 0)",
            "join both continued while branches of fork split were active",
        ),
        (
            "UPDATE actions SET outcome = NULL WHERE name = ':start:'",
            "split was entered, and nothing has led to it",
        ),
        (
            "UPDATE actions SET name = 'c' WHERE name = 'b'",
            "job 0000002-W has a node `c` that its executable does not know",
        ),
    ] {
        check(&format!("{OF_THIS_EXECUTABLE}{sql}"), expected);
    }
}

#[test]
fn files_that_others_can_read_and_a_damaged_store_are_found() {
    let (_folder, session) = sound();
    let store = session.home.store();
    fs::set_permissions(&store, fs::Permissions::from_mode(0o644)).unwrap();
    let found = problems(&session);
    assert!(
        found[0].contains("other users can read or write it (mode 644)"),
        "{found:?}"
    );

    let (_folder, session) = sound();
    let store = session.home.store();
    let mut bytes = fs::read(&store).unwrap();
    bytes.truncate(bytes.len() / 2);
    bytes[100..300].fill(0xff);
    fs::write(&store, bytes).unwrap();
    for ending in ["-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{ending}", store.display()));
    }
    assert!(!problems(&session).is_empty());
}

#[test]
fn what_belongs_to_nobody_is_a_note() {
    let (_folder, session) = sound();
    fs::create_dir_all(session.home.work().join("0000009-W")).unwrap();
    fs::write(session.home.bin().join("cc"), "").unwrap();
    fs::write(session.home.locks().join("0000009-W"), "").unwrap();
    let report = examine(&session, &[], &|_, _, _| {}).unwrap();
    let notes: Vec<&str> = report
        .findings
        .iter()
        .map(|finding| finding.problem.as_str())
        .collect();
    assert_eq!(
        notes,
        [
            "no job uses this executable, and it is not registered",
            "it belongs to no job",
            "1 lock files belong to no job"
        ]
    );
    assert!(report.is_sound());
}
