//! A state folder with many jobs that have ended, written by the store's own code.

use std::path::Path;

use hpdlc_core::status::{ActionStatus, JobStatus};
use hpdlc_host::home::Home;
use hpdlc_store::{
    self as store, ActionRow, JobRow, LogRow, query,
    writer::{Batch, Writer},
};

use crate::workload::Sequence;

const N_APPS: usize = 40;
const USERS: [&str; 3] = ["ada", "bob", "cy"];
/// The nodes of the job that a job's `GET` is measured by, too.
const NODES: usize = 3;
const AT_ONCE: usize = 2_000;
const BEGUN: i64 = 1_795_600_205_000;

/// The id of the job with a number.
pub fn id(number: usize) -> String {
    format!("{number:07}-261125093313444-hpdl-W")
}

/// Jobs, numbered from 1.
pub fn fill(folder: &Path, n_jobs: usize) {
    let home = Home::open_at(folder.to_owned()).expect("the folder for measuring can be written");
    let connection = store::open(&home).expect("a store");
    // Batches are those of an owner.
    let root = JobRow::new(&id(0), BEGUN - 1);
    query::insert_job(&connection, &root).expect("a row");
    let epoch = query::take_ownership(&connection, &root.id, std::process::id(), None);
    let epoch = epoch.expect("a row").expect("the job is there");
    let mut writer = Writer::start(connection, root.id, epoch).expect("a writer");
    let mut sequence = Sequence::new(1);
    let numbers: Vec<usize> = (1..=n_jobs).collect();
    for numbers in numbers.chunks(AT_ONCE) {
        let mut batch = Batch::default();
        for number in numbers {
            add(&mut batch, *number, &mut sequence);
        }
        writer.commit(&batch).expect("rows");
    }
}

fn add(batch: &mut Batch, number: usize, sequence: &mut Sequence) {
    let status = match sequence.below(1000) {
        0..=899 => JobStatus::Succeeded,
        900..=989 => JobStatus::Killed,
        _ => JobStatus::Failed,
    };
    let created = BEGUN + 1000 * i64::try_from(number).expect("small");
    let user = USERS[sequence.below(USERS.len())];
    let app = format!("app-{}", sequence.below(N_APPS));
    let conf = format!(
        r#"{{"nameNode":"hdfs://nn:8020","oozie.wf.application.path":"hdfs://nn/apps/{app}","queueName":"default","jobTracker":"rm:8032","since":"2026-01-01","note":"{}","user.name":"{user}"}}"#,
        "x".repeat(200)
    );
    let job = JobRow {
        app: app.clone(),
        app_path: format!("hdfs://nn/apps/{app}"),
        user: "root".to_owned(),
        status,
        started: Some(created + 5),
        ended: Some(created + 900),
        conf,
        hash: "0".repeat(64),
        ..JobRow::new(&id(number), created)
    };
    let mut note = |time: i64, node: Option<String>, event: &str| {
        batch.log.push(LogRow {
            job_id: job.id.clone(),
            time: created + time,
            node,
            event: event.to_owned(),
            message: None,
        });
    };
    note(5, None, "RUNNING");
    for node in 0..NODES {
        let name = format!("node-{node}");
        let time = 10 + 100 * i64::try_from(node).expect("small");
        note(time, Some(name.clone()), "RUNNING");
        note(time + 90, Some(name.clone()), "OK");
        batch.actions.push(ActionRow {
            status: ActionStatus::Ok,
            started: Some(created + time),
            ended: Some(created + time + 90),
            ..ActionRow::new(&job.id, &name, "shell")
        });
    }
    note(900, None, status.name());
    batch.jobs.push(job);
}
