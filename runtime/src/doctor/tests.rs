//! Faults, each put into a sound store, and the words that the doctor finds for it.

use std::{fs, os::unix::fs::PermissionsExt};

use super::*;
use crate::{home::Home, store, table::Program};

static PROGRAM: Program = Program {
    hpdlc_version: "0.1.0",
    hash: "0123456789abcdef",
    apps: &[],
    children: &[],
    files: &[],
};

/// A state folder with a job that has ended, one that is suspended in a fork, and a sub-workflow.
fn sound() -> (tempfile::TempDir, Session) {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
    let home = Home::open_at(folder.path().to_owned()).unwrap();
    let connection = store::open(&home).unwrap();
    connection
        .execute_batch(
            "INSERT INTO sequences VALUES ('jobs', 3);
             INSERT INTO jobs (id, kind, app, app_path, user, status, run, created, started, ended, conf, hash, app_index,
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
    fs::write(&copy, "").unwrap();
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o700)).unwrap();
    let session = Session {
        program: &PROGRAM,
        home,
        site: std::sync::Arc::default(),
    };
    (folder, session)
}

fn problems(session: &Session) -> Vec<String> {
    let report = examine(session).unwrap();
    report
        .findings
        .iter()
        .filter(|finding| finding.level == Level::Problem)
        .map(|finding| format!("{}: {}", finding.about, finding.problem))
        .collect()
}

#[test]
fn a_sound_store_has_no_problem() {
    let (_folder, session) = sound();
    let report = examine(&session).unwrap();
    assert_eq!(report.findings, [], "{:?}", report.findings);
    assert_eq!((report.n_jobs, report.n_actions), (3, 5));
    assert!(report.is_sound());
}

/// The fault that `sql` makes is found, with these words.
#[track_caller]
fn check(sql: &str, expected: &str) {
    let (_folder, session) = sound();
    let connection = store::open(&session.home).unwrap();
    connection
        .pragma_update(None, "foreign_keys", "OFF")
        .unwrap();
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
            "job 0000001-W: it is SUCCEEDED and has no time of its end",
        ),
        (
            "UPDATE jobs SET ended = 3 WHERE id = '0000002-W'",
            "it is SUSPENDED and has a time of its end",
        ),
        (
            "UPDATE actions SET status = 'RUNNING', ended = NULL WHERE job_id = '0000001-W'",
            "job 0000001-W, node a: it is RUNNING and the job has ended SUCCEEDED",
        ),
        (
            "UPDATE actions SET canceling = 1 WHERE name = 'a'",
            "it is to be stopped and is OK",
        ),
        (
            "UPDATE actions SET live_strands = 3 WHERE name = 'split'",
            "job 0000002-W, fork split: it counts 3 strands, and 2 live",
        ),
        (
            "UPDATE actions SET status = 'OK', ended = 4 WHERE name = 'b'",
            "it counts 2 strands, and 1 live",
        ),
        (
            "UPDATE actions SET due = NULL WHERE name = 'c'",
            "it waits for a time that is not set",
        ),
        (
            "UPDATE jobs SET status = 'KILLED', ended = 7 WHERE id = '0000003-W'",
            "node sub: it runs and its job 0000003-W has ended KILLED",
        ),
        (
            "UPDATE jobs SET status = 'KILLED', ended = 7 WHERE id = '0000002-W'",
            "it is RUNNING and its parent 0000002-W (node sub) has ended KILLED",
        ),
        (
            "DELETE FROM jobs WHERE id = '0000002-W'",
            "the job at the top of its tree, 0000002-W, is gone",
        ),
        (
            "DELETE FROM jobs WHERE id = '0000001-W'",
            "a row of `actions` belongs to a job that is not there",
        ),
        (
            "UPDATE jobs SET status = 'RESTING' WHERE id = '0000002-W'",
            "a state that this executable does not know: RESTING",
        ),
        (
            "UPDATE sequences SET value = 2",
            "the last one given is 2, and there is a job 3",
        ),
        (
            "UPDATE jobs SET hash = 'bb' WHERE id = '0000002-W'",
            "the executable of 1 jobs is gone",
        ),
        ("UPDATE meta SET format_major = 2", "it has format 2."),
    ] {
        check(sql, expected);
    }
}

#[test]
fn files_that_others_can_read_and_a_damaged_store_are_found() {
    let (_folder, session) = sound();
    let store = session.home.store();
    fs::set_permissions(&store, fs::Permissions::from_mode(0o644)).unwrap();
    let found = problems(&session);
    assert!(
        found[0].contains("others may read or write it (mode 644)"),
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
    let report = examine(&session).unwrap();
    let notes: Vec<&str> = report
        .findings
        .iter()
        .map(|finding| finding.problem.as_str())
        .collect();
    assert_eq!(
        notes,
        [
            "no job uses this executable",
            "it belongs to no job",
            "1 lock files belong to no job"
        ]
    );
    assert!(report.is_sound());
}
