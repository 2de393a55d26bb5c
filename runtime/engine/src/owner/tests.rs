//! Runs a job of the action type that lower crates add for tests: an entry in each registry is all that the engine needs.

use std::{collections::BTreeMap, fs, os::unix::fs::PermissionsExt, sync::Arc};

use hpdlc_core::{
    definition::NodeId,
    status::{ActionStatus, JobStatus},
};
use hpdlc_host::home::Home;
use hpdlc_program::table::{
    Action, App, Body, Entry, Next, NodeDef, NodeKind, Probe, Program, Retry, Row, Template,
    definitions,
};
use hpdlc_store::query::{self, ApplicationOrigin};

use super::Session;
use crate::{engine::Signals, progress::Silent};

static PROGRAM: Program = Program {
    hpdlc_version: "0.1.0",
    hash: "0123456789abcdef",
    entry: Entry::Workflow,
    coordinators: &[],
    apps: &[&APP],
    children: &[],
    files: &[],
};

static APP: App = App {
    name: Template::Text(0, "probing"),
    source: "workflow.xml",
    folder: "",
    parameters: &[],
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
    Row(NodeId(1), 0, Next::OkOrError(NodeId(2), NodeId(3))),
    Row(NodeId(2), 0, Next::None),
    Row(NodeId(3), 0, Next::None),
];

static NODES: [NodeDef; 4] = [
    NodeDef {
        name: ":start:",
        kind: NodeKind::Start,
    },
    NodeDef {
        name: "look",
        kind: NodeKind::Action(Action {
            retry: Retry::EMPTY,
            body: Body::Probe(Probe {
                text: Template::Around(0, 1, "hello ", "name", ""),
            }),
        }),
    },
    NodeDef {
        name: "end",
        kind: NodeKind::End,
    },
    NodeDef {
        name: "failed",
        kind: NodeKind::Kill {
            message: Template::Text(0, "failed"),
        },
    },
];

#[test]
fn a_job_runs_actions_of_a_type_that_was_added() {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
    let session = Session {
        program: &PROGRAM,
        home: Home::open_at(folder.path().to_owned()).unwrap(),
        site: Arc::new(BTreeMap::new()),
    };
    let given = BTreeMap::from([("name".to_owned(), "Ada".to_owned())]);
    let (row, ownership) = session
        .create(given, ApplicationOrigin::Library, JobStatus::Running)
        .unwrap();
    let ended = session
        .drive(ownership, false, Box::new(Silent), Signals::of_library)
        .unwrap();
    assert_eq!(ended.job.status, JobStatus::Succeeded);
    let action = query::action(&session.store().unwrap(), &row.id, "look")
        .unwrap()
        .unwrap();
    assert_eq!(action.type_name, "probe");
    assert_eq!(action.status, ActionStatus::Ok);
    assert_eq!(action.data.as_deref(), Some(r#"{"text":"hello Ada"}"#));
}
