//! Command lines, and the candidates at their ends.

use hpdlc_core::{definition::NodeId, status::JobStatus};
use hpdlc_program::table::{
    Action, App, Body, Entry, Next, NodeDef, NodeKind, Parameter, Retry, Row, Shell, Template,
    definitions,
};
use hpdlc_store::{JobRow, query};

use super::*;

static PROGRAM: Program = Program {
    hpdlc_version: "0.1.0",
    hash: "own",
    entry: Entry::Workflow,
    coordinators: &[],
    apps: &[&NIGHT],
    children: &[],
    files: &[],
};

static NIGHT: App = App {
    name: Template::Text(0, "night"),
    source: "workflow.xml",
    folder: "",
    parameters: &[Parameter {
        name: "day",
        default: None,
        is_optional: false,
        r#type: "date",
        description: None,
        uses: &[],
    }],
    config_default: &[],
    global: &[],
    lines: &[1, 2, 3, 4],
    start: NodeId(0),
    joins: &[],
    slas: &[],
    functions: &[],
    rows: &ROWS,
    definitions: &definitions(&ROWS, [&NODES]),
};

static ROWS: [Row; 4] = [
    Row(NodeId(0), 0, Next::Ok(NodeId(1))),
    Row(NodeId(1), 0, Next::Ok(NodeId(2))),
    Row(NodeId(2), 0, Next::Ok(NodeId(3))),
    Row(NodeId(3), 0, Next::None),
];

const fn shell(name: &'static str) -> NodeDef {
    NodeDef {
        name,
        kind: NodeKind::Action(Action {
            retry: Retry::EMPTY,
            body: Body::Shell(Shell::EMPTY),
        }),
    }
}

static NODES: [NodeDef; 4] = [
    NodeDef {
        name: ":start:",
        kind: NodeKind::Start,
    },
    shell("load"),
    shell("publish"),
    NodeDef {
        name: "end",
        kind: NodeKind::End,
    },
];

/// Jobs of all kinds: a running workflow that has reached `load`, a failed one whose name has characters that are special to shells,
/// one that waits to be started, a coordinator with four actions.
fn known() -> (tempfile::TempDir, CandidateSources) {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::open_at(folder.path().join("home")).unwrap();
    let store = store::open(&home).unwrap();
    for (id, app, status, hash) in [
        ("0000001-9-hpdl-W", "night", JobStatus::Running, "own"),
        ("0000002-9-hpdl-W", "$(touch x)", JobStatus::Failed, "other"),
        ("0000010-9-hpdl-W", "night", JobStatus::Prep, "own"),
        ("0000011-9-hpdl-C", "logs", JobStatus::Running, "other"),
    ] {
        let job = JobRow {
            app: app.to_owned(),
            status,
            hash: hash.to_owned(),
            conf: r#"{"my.password":"hunter"}"#.to_owned(),
            ..JobRow::new(id, 1_000)
        };
        query::insert_job(&store, &job).unwrap();
    }
    for (name, kind, status) in [(":start:", ":START:", "OK"), ("load", "shell", "RUNNING")] {
        store
            .execute(
                "INSERT INTO actions (job_id, name, type, status, retries, attempt, user_retries, transient_retries,
                     live_strands, canceling)
                 VALUES ('0000001-9-hpdl-W', ?1, ?2, ?3, 0, 1, 0, 0, 0, 0)",
                (name, kind, status),
            )
            .unwrap();
    }
    for (number, status) in [
        (1, "SUCCEEDED"),
        (2, "FAILED"),
        (3, "KILLED"),
        (4, "RUNNING"),
    ] {
        store
            .execute(
                "INSERT INTO coordinator_actions (job_id, number, status, nominal_time, created, revision, run, since,
                     inputs, keeps_workflow)
                 VALUES ('0000011-9-hpdl-C', ?1, ?2, 0, 0, 0, 0, 0, '[]', 0)",
                (number, status),
            )
            .unwrap();
    }
    let known = CandidateSources {
        program: &PROGRAM,
        store: Some(store),
    };
    (folder, known)
}

/// The words offered after `line`; its last word is what follows the last blank.
fn words(line: &str, known: &CandidateSources) -> Vec<String> {
    let typed: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let answer = answer(&commands::command(&PROGRAM), &typed, known);
    let word = |line: &str| line.split('\t').next().unwrap_or_default().to_owned();
    answer.lines().map(word).collect()
}

#[test]
fn what_fits_is_offered() {
    let (_folder, known) = known();
    for (line, expected) in [
        ("su", &["submit", "suspend"][..]),
        ("own", &[]),
        ("nonsense ", &[]),
        ("info --js", &["--json"]),
        ("info -", &["--json", "--color", "--help", "-h"]),
        ("info --color ", &["auto", "always", "never"]),
        ("info --color=n", &["--color=never"]),
        ("--color never inf", &["info"]),
        ("info ", &["last", "11", "10", "2", "1", "logs", "night"]),
        ("info 1", &["11", "10", "1"]),
        (
            "info 00",
            &[
                "0000011-9-hpdl-C",
                "0000010-9-hpdl-W",
                "0000002-9-hpdl-W",
                "0000001-9-hpdl-W",
            ],
        ),
        ("info 11@", &["11@4", "11@3", "11@2", "11@1"]),
        ("info logs@3", &["logs@3"]),
        ("info nothing@", &[]),
        ("info 1 ", &[]),
        ("start ", &["10", "night"]),
        ("rerun ", &["last", "11", "2", "logs"]),
        ("actions ", &["last", "11", "logs"]),
        ("log 1 ", &["load"]),
        ("log -f night p", &["publish"]),
        ("log -f 1 p", &["publish"]),
        ("log 2 ", &[]),
        ("log nothing ", &[]),
        ("rerun 11 --action ", &["3", "2", "1"]),
        ("rerun 11 --action 1,", &["1,3", "1,2", "1,1"]),
        (
            "rerun 11 --action=1-",
            &["--action=1-3", "--action=1-2", "--action=1-1"],
        ),
        ("ignore 11 --action ", &["3", "2"]),
        ("kill 11 --action ", &["4"]),
        ("rerun --action ", &[]),
        ("run -D ", &["day="]),
        ("run -Dd", &["-Dday="]),
        ("run -D day=", &[]),
        ("rerun 2 -D oozie", &["oozie.wf.rerun.skip.nodes="]),
        (
            "rerun 2 -D oozie.wf.rerun.skip.nodes=load,",
            &[
                "oozie.wf.rerun.skip.nodes=load,load",
                "oozie.wf.rerun.skip.nodes=load,publish",
            ],
        ),
        ("jobs --status KI", &["KILLED"]),
        ("jobs --status KILLED,DONE", &["KILLED,DONEWITHERROR"]),
        ("jobs --app ", &["logs", "night"]),
        ("change 11 --status ", &["RUNNING", "IGNORED"]),
        ("run -c ", &[":files"]),
        ("run --config=a", &[":files"]),
        ("graph -o", &["-o"]),
        ("graph -o ", &[":files"]),
        ("backup ", &[":files"]),
        ("completions z", &["zsh"]),
    ] {
        let mut offered = words(line, &known);
        let mut expected: Vec<String> = expected.iter().map(|word| (*word).to_owned()).collect();
        // The order of options is clap's.
        if line.ends_with(" -") {
            offered.sort();
            expected.sort();
        }
        assert_eq!(offered, expected, "{line}");
    }
}

#[test]
fn each_has_what_it_is_behind_it_and_no_secret() {
    let (_folder, mut known) = known();
    let typed = ["info".to_owned(), "1".to_owned()];
    let text = answer(&commands::command(&PROGRAM), &typed, &known);
    let last = text.lines().last().unwrap_or_default();
    assert!(last.starts_with("1\tRUNNING 1970-01-01 "), "{text}");
    assert!(last.ends_with(" night"), "{text}");
    let sql = "UPDATE jobs SET app = ?1";
    let hostile = ["x-hunter\n\u{1b}[2J"];
    known.store.as_ref().unwrap().execute(sql, hostile).unwrap();
    let text = answer(&commands::command(&PROGRAM), &typed, &known);
    assert!(
        !text.contains("hunter") && !text.contains('\u{1b}'),
        "{text}"
    );
    assert_eq!(text.lines().count(), 3, "{text}");
    // Without a store there are still commands and what the program itself knows.
    known.store = None;
    assert_eq!(words("info ", &known), [""; 0]);
    assert_eq!(words("run -D ", &known), ["day="]);
}

#[test]
fn a_glance_changes_nothing() {
    let (folder, known) = known();
    drop(known);
    let home = Home::at(&folder.path().join("home"));
    let before = std::fs::read(home.store()).unwrap();
    let store = store::glance(&home).unwrap();
    assert!(store.execute("DELETE FROM jobs", []).is_err());
    drop(store);
    assert_eq!(std::fs::read(home.store()).unwrap(), before);
    let empty = Home::at(&folder.path().join("none"));
    assert!(store::glance(&empty).is_none());
    assert!(!empty.root().exists());
}
