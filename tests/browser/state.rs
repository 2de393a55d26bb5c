//! A state folder for pages: jobs written by the store's own code, output as the launcher leaves it, and programs that answer as the
//! executables of jobs do.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    fs,
    path::Path,
};

use chrono::{DateTime, Utc};
use hpdlc_core::{
    coordinator::{
        CoordinatorActionStatus, CoordinatorStatus,
        machine::{Inputs, JobRecord},
    },
    status::{ActionStatus, JobStatus},
};
use hpdlc_engine::registry::kept;
use hpdlc_host::{clock, home::Home};
use hpdlc_store::{
    self as store, ActionRow, JobRow, LogRow,
    coordinators::{self, BundleRow, CoordinatorRow, RevisionRow},
    query::{self, ApplicationOrigin, DefinitionRow},
    sql::Connection,
    writer::{Batch, Writer},
};
use serde_json::{Value, json};
use tempfile::TempDir;

/// What `simulate` says about the next days of a coordinator.
const SIMULATED: &str = r#"{"event":"action","number":41,"nominal_time":"2030-03-30T23:30Z","status":"SUCCEEDED","time":"x"}
{"event":"action","number":42,"nominal_time":"2030-03-31T01:30Z","status":"WAITING","time":"x"}
{"event":"end","status":"RUNNING","actions":{"SUCCEEDED":1}}"#;

pub const HOUR: i64 = 3_600_000;

/// What a program that stands for the executable of a job answers.
#[derive(Default)]
pub struct Program<'a> {
    /// Its nodes with their types, in a row.
    pub nodes: Vec<(&'a str, &'a str)>,
    pub document: &'a str,
    /// Its parameters: the name, the type, the default, what it is for.
    pub parameters: Vec<[&'a str; 4]>,
    /// The values of nodes: the node, the element, what is written, what it gives.
    pub values: Vec<[&'a str; 4]>,
}

pub struct State {
    folder: TempDir,
    home: Home,
    connection: Connection,
    writer: RefCell<Writer>,
    n_jobs: Cell<u32>,
    pub now: i64,
}

impl State {
    pub fn new() -> State {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let home = Home::open_at(folder.path().join("home")).expect("a state folder");
        let connection = store::open(&home).expect("a store");
        // Batches are those of an owner; it owns a job that nobody sees, because it is of no kind.
        let root = JobRow::new("0000000-root", 0);
        query::insert_job(&connection, &root).expect("a row");
        let epoch = query::take_ownership(&connection, &root.id, std::process::id(), None);
        let epoch = epoch.expect("a row").expect("the job is there");
        let own = store::open(&home).expect("a store");
        let writer = Writer::start(own, root.id, epoch).expect("a writer");
        State {
            folder,
            home,
            connection,
            writer: RefCell::new(writer),
            n_jobs: Cell::new(0),
            now: clock::now_millis(),
        }
    }

    pub fn home(&self) -> &Path {
        self.home.root()
    }

    /// The id of the next job: `kind` is its last letter.
    pub fn next_id(&self, kind: char) -> String {
        self.n_jobs.set(self.n_jobs.get() + 1);
        format!("{:07}-261125093313444-hpdl-{kind}", self.n_jobs.get())
    }

    pub fn commit(&self, batch: &Batch) {
        self.writer.borrow_mut().commit(batch).expect("rows");
    }

    /// A workflow with its nodes, which began an hour ago.
    pub fn workflow(&self, job: JobRow, nodes: &[ActionRow]) -> String {
        let id = job.id.clone();
        let mut log = vec![line(&job, job.created, None, "RUNNING", None)];
        for node in nodes {
            let begun = node.started.unwrap_or(job.created);
            log.push(line(&job, begun, Some(&node.name), "RUNNING", None));
            if let Some(ended) = node.ended {
                let message = node.error_message.as_deref();
                log.push(line(
                    &job,
                    ended,
                    Some(&node.name),
                    node.status.name(),
                    message,
                ));
            }
        }
        if let Some(ended) = job.ended {
            log.push(line(
                &job,
                ended,
                None,
                job.status.name(),
                job.error_message.as_deref(),
            ));
        }
        self.commit(&Batch {
            jobs: vec![job],
            actions: nodes.to_vec(),
            log,
            ..Batch::default()
        });
        id
    }

    /// A node reaches a state, as its owner records it.
    pub fn reach(&self, node: ActionRow) {
        let line = LogRow {
            job_id: node.job_id.clone(),
            time: clock::now_millis(),
            node: Some(node.name.clone()),
            event: node.status.name().to_owned(),
            message: None,
        };
        self.commit(&Batch {
            actions: vec![node],
            log: vec![line],
            ..Batch::default()
        });
    }

    /// A coordinator with an action of each of these states, the first of which has a workflow.
    pub fn coordinator(
        &self,
        job: JobRow,
        status: CoordinatorStatus,
        actions: &[CoordinatorActionStatus],
        workflow: Option<&str>,
    ) -> String {
        let id = job.id.clone();
        let hash = job.hash.clone();
        query::insert_job(&self.connection, &job).expect("a row");
        let begun = self.now - HOUR * 12;
        let time = |millis: i64| DateTime::<Utc>::from_timestamp_millis(millis).expect("a time");
        let n_actions = u64::try_from(actions.len()).expect("few");
        let row = CoordinatorRow {
            job_id: id.clone(),
            record: JobRecord {
                status,
                revision: 1,
                last_number: n_actions,
                next_time: (!job.status.is_terminal()).then(|| time(self.now + HOUR)),
                end: time(self.now + HOUR * 24),
                pause_time: None,
                concurrency: Some(2),
                is_done: job.status.is_terminal(),
            },
            frequency: "every hour".to_owned(),
            timezone: "Europe/Berlin".to_owned(),
            start: time(begun),
            clock: None,
        };
        coordinators::write(&self.connection, &row).expect("a row");
        let revision = RevisionRow {
            revision: 1,
            hash,
            created: begun,
            conf: "{}".to_owned(),
            texts: "{}".to_owned(),
        };
        coordinators::add_revision(&self.connection, &id, &revision).expect("a row");
        for (number, status) in (1_i64..).zip(actions) {
            self.connection
                .execute(
                    "INSERT INTO coordinator_actions (job_id, number, status, nominal_time, created, workflow_id, revision,
                         run, since, inputs, keeps_workflow)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, 0, ?5, ?7, 0)",
                    (&id, number, status.name(), begun + (number - 1) * HOUR, begun + (number - 1) * HOUR,
                        workflow.filter(|_| number == 1), Inputs::default().to_json()),
                )
                .expect("a row");
        }
        id
    }

    /// A bundle of one coordinator.
    pub fn bundle(&self, job: JobRow, status: CoordinatorStatus, coordinator: &str) -> String {
        query::insert_job(&self.connection, &job).expect("a row");
        let row = BundleRow {
            job_id: job.id.clone(),
            status,
            kick_off: None,
            pause_time: None,
            state: json!({ "clock": { "scale": null }, "is_suspended": false, "error": null, "coordinators": [
                { "name": "hourly", "app_path": "hourly", "configuration": {}, "job": coordinator, "status": status.name() },
            ] })
            .to_string(),
        };
        coordinators::write_bundle(&self.connection, &row).expect("a row");
        job.id
    }

    /// A service level of a workflow that began too late and whose end is to come.
    pub fn late(&self, id: &str) {
        self.connection
            .execute(
                "INSERT INTO slas (job_id, node, nominal, expected_start, expected_end, expected_duration, silent, status,
                     actual_start, start_event, start_event_time, is_over)
                 VALUES (?1, '', ?2, ?2, ?3, 600000, 0, 'IN_PROCESS', ?4, 'START_MISS', ?2, 0)",
                (id, self.now - HOUR * 2, self.now + HOUR, self.now - HOUR),
            )
            .expect("a row");
    }

    /// What an action has printed.
    pub fn output(&self, id: &str, node: &str, stream: &str, text: &str) {
        let attempt = self.home.attempt(id, 0, node, 1);
        fs::create_dir_all(&attempt).expect("a folder");
        fs::write(attempt.with_extension(stream), text).expect("a file");
    }

    /// Keeps a program that answers as the executable of a workflow does.
    pub fn keep(&self, hash: &str, app: &str, program: &Program) {
        let nodes: Vec<Value> = (2..)
            .zip(&program.nodes)
            .map(|(at, (name, kind))| {
                json!({ "name": name, "kind": if *kind == "end" { "end" } else { "action" }, "title": name, "subtitle": kind,
                    "target": null, "pair": null, "reached": true, "file": "workflow.xml", "line": at })
            })
            .collect();
        let arrows: Vec<Value> = (1..nodes.len())
            .map(|to| json!({ "from": to - 1, "to": to, "error": false, "label": null, "outcome": "OK" }))
            .collect();
        let graph = json!({ "title": app, "nodes": nodes, "arrows": arrows });
        let mut of_nodes: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
        for [node, path, template, value] in &program.values {
            of_nodes
                .entry(node)
                .or_default()
                .push(json!({ "path": path, "template": template, "value": value,
                "origin": { "file": "workflow.xml", "line": 3 } }));
        }
        let values: Vec<Value> = of_nodes
            .iter()
            .map(|(name, values)| json!({ "name": name, "values": values }))
            .collect();
        let parameters: Vec<Value> = program
            .parameters
            .iter()
            .map(|[name, kind, default, description]| {
                json!({ "name": name, "required": default.is_empty(), "default": default, "type": kind,
                    "description": description, "uses": [{ "file": "workflow.xml", "line": 3 }] })
            })
            .collect();
        let answers = [
            ("params", json!(parameters).to_string()),
            ("simulate", SIMULATED.to_owned()),
            ("graph", graph.to_string()),
            ("dryrun", json!({ "nodes": values }).to_string()),
            ("definition", program.document.to_owned()),
            ("rerun", "runs load\nskips prepare".to_owned()),
        ];
        let mut script = "#!/bin/sh\ncase $1 in\n".to_owned();
        for (command, text) in answers {
            script.push_str(&format!("{command}) cat <<'END'\n{text}\nEND\n;;\n"));
        }
        script.push_str("esac\n");
        let path = self.folder.path().join("script");
        fs::write(&path, script).expect("a file");
        kept::keep(&self.home, hash, &path).expect("a program");
        let definition = DefinitionRow {
            hash: hash.to_owned(),
            app: app.to_owned(),
            hpdlc_version: "0.1.0".to_owned(),
            created: 0,
            origin: ApplicationOrigin::Program,
            program: format!("/{app}"),
            secrets: None,
        };
        query::register_definition(&self.connection, &definition).expect("a row");
    }
}

/// A node that took ten minutes, or takes them.
pub fn node(job: &JobRow, name: &str, kind: &str, status: ActionStatus) -> ActionRow {
    let begun = job.started.unwrap_or(job.created);
    ActionRow {
        status,
        started: (status != ActionStatus::Prep).then_some(begun),
        ended: status.is_terminal().then_some(begun + HOUR / 6),
        attempt: 1,
        ..ActionRow::new(&job.id, name, kind)
    }
}

/// A job that began an hour ago, unless it waits for its start.
pub fn job(state: &State, kind: char, app: &str, status: JobStatus) -> JobRow {
    let created = state.now - HOUR;
    JobRow {
        app: app.to_owned(),
        app_path: format!("hdfs://nn/apps/{app}"),
        user: "ada".to_owned(),
        status,
        started: (status != JobStatus::Prep).then_some(created + 1000),
        ended: status.is_terminal().then_some(created + HOUR / 2),
        ..JobRow::new(&state.next_id(kind), created)
    }
}

fn line(job: &JobRow, time: i64, node: Option<&str>, event: &str, message: Option<&str>) -> LogRow {
    LogRow {
        job_id: job.id.clone(),
        time,
        node: node.map(str::to_owned),
        event: event.to_owned(),
        message: message.map(str::to_owned),
    }
}
