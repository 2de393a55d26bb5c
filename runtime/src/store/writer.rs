//! The thread that writes: one transaction a batch, answered when it is on disk.

use std::thread;

use rusqlite::{Connection, Transaction};
use tokio::sync::{mpsc, oneshot};

use crate::store::{ActionRow, CommandRow, JobRow, LogRow, StoreError};

/// What one transaction writes.
#[derive(Debug, Default)]
pub struct Batch {
    pub jobs: Vec<JobRow>,
    pub actions: Vec<ActionRow>,
    pub log: Vec<LogRow>,
    /// Commands that have been carried out, with the time.
    pub handled: Vec<(i64, i64)>,
}

/// Writes for the owner of one job tree.
#[derive(Debug)]
pub struct Writer {
    requests: mpsc::UnboundedSender<Request>,
}

#[derive(Debug)]
enum Request {
    Commit {
        batch: Batch,
        answer: oneshot::Sender<Result<(), StoreError>>,
    },
    Commands {
        answer: oneshot::Sender<Result<Vec<CommandRow>, StoreError>>,
    },
    JobNumber {
        answer: oneshot::Sender<Result<i64, StoreError>>,
    },
}

impl Writer {
    /// Starts the thread. Every transaction first checks that the epoch of `root` is still `epoch`.
    pub fn start(connection: Connection, root: String, epoch: i64) -> Writer {
        let (requests, mut inbox) = mpsc::unbounded_channel();
        thread::spawn(move || {
            let mut connection = connection;
            while let Some(request) = inbox.blocking_recv() {
                // An asker that is gone wants no answer.
                match request {
                    Request::Commit { batch, answer } => {
                        let _ = answer.send(commit(&mut connection, &root, epoch, &batch));
                    }
                    Request::Commands { answer } => {
                        let commands = super::query::open_commands(&connection, &root);
                        let _ = answer.send(commands.map_err(StoreError::from));
                    }
                    Request::JobNumber { answer } => {
                        let number = super::query::next_number(&connection, super::query::JOBS);
                        let _ = answer.send(number.map_err(StoreError::from));
                    }
                }
            }
        });
        Writer { requests }
    }

    /// Writes `batch`; on disk when this returns.
    pub async fn commit(&self, batch: Batch) -> Result<(), StoreError> {
        let (answer, answered) = oneshot::channel();
        self.send(Request::Commit { batch, answer });
        answered
            .await
            .expect("the store thread answers every request")
    }

    /// Commands from other terminals that are still open.
    pub async fn commands(&self) -> Result<Vec<CommandRow>, StoreError> {
        let (answer, answered) = oneshot::channel();
        self.send(Request::Commands { answer });
        answered
            .await
            .expect("the store thread answers every request")
    }

    /// The number of a new job. One that is not used leaves a gap.
    pub async fn next_job_number(&self) -> Result<i64, StoreError> {
        let (answer, answered) = oneshot::channel();
        self.send(Request::JobNumber { answer });
        answered
            .await
            .expect("the store thread answers every request")
    }

    fn send(&self, request: Request) {
        self.requests
            .send(request)
            .expect("the store thread lives as long as its writer");
    }
}

fn commit(
    connection: &mut Connection,
    root: &str,
    epoch: i64,
    batch: &Batch,
) -> Result<(), StoreError> {
    let transaction = connection.transaction()?;
    let current: i64 = transaction
        .prepare_cached("SELECT epoch FROM jobs WHERE id = ?1")?
        .query_row([root], |row| row.get(0))?;
    if current != epoch {
        return Err(StoreError::NotOwner {
            job: root.to_owned(),
        });
    }
    write(&transaction, batch)?;
    transaction.commit()?;
    Ok(())
}

fn write(transaction: &Transaction<'_>, batch: &Batch) -> Result<(), StoreError> {
    for job in &batch.jobs {
        write_job(transaction, job)?;
    }
    for action in &batch.actions {
        write_action(transaction, action)?;
    }
    for line in &batch.log {
        transaction
            .prepare_cached(
                "INSERT INTO log (job_id, time, node, event, message) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute((
                &line.job_id,
                line.time,
                &line.node,
                &line.event,
                &line.message,
            ))?;
    }
    for (id, time) in &batch.handled {
        transaction
            .prepare_cached("UPDATE commands SET handled = ?2 WHERE id = ?1")?
            .execute((id, time))?;
    }
    Ok(())
}

/// Writes a job; the columns that say who owns it are left alone once it exists.
pub(super) fn write_job(connection: &Connection, job: &JobRow) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO jobs (id, kind, app, app_path, user, status, run, created, started, ended, conf, hash,
                 app_index, root_id, parent_id, parent_node, parent_attempt, depth, last_error_node, error_code,
                 error_message, epoch, owner_pid)
             VALUES (?1, 'W', ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
                 ?21, ?22)
             ON CONFLICT (id) DO UPDATE SET status = excluded.status, run = excluded.run, started = excluded.started,
                 ended = excluded.ended, last_error_node = excluded.last_error_node,
                 error_code = excluded.error_code, error_message = excluded.error_message",
        )?
        .execute(rusqlite::params![
            job.id,
            job.app,
            job.app_path,
            job.user,
            job.status.name(),
            job.run,
            job.created,
            job.started,
            job.ended,
            job.conf,
            job.hash,
            job.app_index,
            job.root_id,
            job.parent_id,
            job.parent_node,
            job.parent_attempt,
            job.depth,
            job.last_error_node,
            job.error_code,
            job.error_message,
            job.epoch,
            job.owner_pid,
        ])?;
    Ok(())
}

fn write_action(connection: &Connection, action: &ActionRow) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO actions (job_id, name, type, status, transition, external_id, external_status, error_code,
                 error_message, retries, data, note, started, ended, attempt, user_retries, transient_retries, strand,
                 live_strands, outcome, canceling, due, work, boot_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21,
                 ?22, ?23, ?24)
             ON CONFLICT (job_id, name) DO UPDATE SET status = excluded.status, transition = excluded.transition,
                 external_id = excluded.external_id, external_status = excluded.external_status,
                 error_code = excluded.error_code, error_message = excluded.error_message,
                 retries = excluded.retries, data = excluded.data, note = excluded.note,
                 started = excluded.started, ended = excluded.ended, attempt = excluded.attempt,
                 user_retries = excluded.user_retries, transient_retries = excluded.transient_retries,
                 strand = excluded.strand, live_strands = excluded.live_strands, outcome = excluded.outcome,
                 canceling = excluded.canceling, due = excluded.due, work = excluded.work,
                 boot_id = excluded.boot_id",
        )?
        .execute(rusqlite::params![
            action.job_id,
            action.name,
            action.type_name,
            action.status.name(),
            action.transition,
            action.external_id,
            action.external_status,
            action.error_code,
            action.error_message,
            action.retries,
            action.data,
            action.note,
            action.started,
            action.ended,
            action.attempt,
            action.user_retries,
            action.transient_retries,
            action.strand,
            action.live_strands,
            action.outcome,
            action.is_canceling,
            action.due,
            action.work,
            action.boot_id,
        ])?;
    Ok(())
}
