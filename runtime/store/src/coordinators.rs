//! Rows of coordinators, of their actions, and of bundles.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use hpdlc_core::coordinator::{
    ActionCounts, CoordinatorActionStatus, CoordinatorStatus,
    machine::{ActionFault, ActionRecord, Command, Inputs, JobRecord},
};
use hpdlc_host::{clock, exit::RunError};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, types::FromSqlError};

use crate::SlaRow;

/// A row of `coordinators`.
#[derive(Clone, Debug)]
pub struct CoordinatorRow {
    pub job_id: String,
    pub record: JobRecord,
    /// As evaluated.
    pub frequency: String,
    /// As evaluated.
    pub timezone: String,
    pub start: DateTime<Utc>,
    /// JSON of a clock with its own speed; `None` for the machine's.
    pub clock: Option<String>,
}

/// The definition and properties of actions: each update adds a revision.
#[derive(Clone, Debug)]
pub struct RevisionRow {
    pub revision: u32,
    /// The hash of the definition.
    pub hash: String,
    /// Milliseconds since 1970.
    pub created: i64,
    /// A JSON object of the job's properties.
    pub conf: String,
    /// The document, as JSON.
    pub texts: String,
}

/// An action with its workflow job.
#[derive(Clone, Debug)]
pub struct CoordinatorActionRow {
    pub record: ActionRecord,
    pub workflow_id: Option<String>,
}

/// The changes of coordinators and bundles in a transaction.
#[derive(Debug, Default)]
pub struct Changes {
    pub coordinators: Vec<CoordinatorRow>,
    pub revisions: Vec<(String, RevisionRow)>,
    pub actions: Vec<(String, CoordinatorActionRow)>,
    /// Actions whose creation is undone by a changed end.
    pub deleted: Vec<(String, u64)>,
    /// Jobs that change to another definition, with other properties.
    pub moved: Vec<Moved>,
    /// Workflow jobs that their own executable has yet to complete.
    pub unprepared: Vec<String>,
    pub bundles: Vec<BundleRow>,
    /// Commands to coordinators: the job, and the command.
    pub commands: Vec<(String, String)>,
}

/// A row of `bundles`.
#[derive(Clone, Debug)]
pub struct BundleRow {
    pub job_id: String,
    pub status: CoordinatorStatus,
    pub kick_off: Option<DateTime<Utc>>,
    pub pause_time: Option<DateTime<Utc>>,
    /// JSON, private to the bundle's own definition.
    pub state: String,
}

/// A job that an update has changed to another definition.
#[derive(Clone, Debug)]
pub struct Moved {
    pub job_id: String,
    pub hash: String,
    pub app: String,
    pub conf: String,
}

impl Changes {
    pub(super) fn write(&self, transaction: &Transaction<'_>) -> rusqlite::Result<()> {
        for row in &self.coordinators {
            write(transaction, row)?;
        }
        for (job, row) in &self.revisions {
            add_revision(transaction, job, row)?;
        }
        for (job, row) in &self.actions {
            write_action(transaction, job, row)?;
        }
        for (job, number) in &self.deleted {
            transaction
                .prepare_cached(
                    "DELETE FROM coordinator_actions WHERE job_id = ?1 AND number = ?2",
                )?
                .execute((job, number_of(*number)))?;
            super::slas::forget_action(transaction, job, *number)?;
        }
        for moved in &self.moved {
            transaction.execute(
                "UPDATE jobs SET hash = ?2, app = ?3, conf = ?4 WHERE id = ?1",
                (&moved.job_id, &moved.hash, &moved.app, &moved.conf),
            )?;
        }
        for job in &self.unprepared {
            transaction.execute("INSERT INTO unprepared (job_id) VALUES (?1)", [job])?;
        }
        for row in &self.bundles {
            write_bundle(transaction, row)?;
        }
        for (job, text) in &self.commands {
            super::commands::add(transaction, job, text, clock::now_millis())?;
        }
        Ok(())
    }
}

/// Writes a coordinator; its row of `jobs` exists.
pub fn write(connection: &Connection, row: &CoordinatorRow) -> rusqlite::Result<()> {
    let record = &row.record;
    connection
        .prepare_cached(
            "INSERT INTO coordinators (job_id, status, frequency, timezone, start_time, end_time, pause_time, next_time,
                 concurrency, last_number, is_done, revision, clock)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
             ON CONFLICT (job_id) DO UPDATE SET status = excluded.status, frequency = excluded.frequency,
                 timezone = excluded.timezone, start_time = excluded.start_time, end_time = excluded.end_time,
                 pause_time = excluded.pause_time, next_time = excluded.next_time, concurrency = excluded.concurrency,
                 last_number = excluded.last_number, is_done = excluded.is_done, revision = excluded.revision,
                 clock = excluded.clock",
        )?
        .execute(rusqlite::params![
            row.job_id,
            record.status.name(),
            row.frequency,
            row.timezone,
            row.start.timestamp_millis(),
            record.end.timestamp_millis(),
            record.pause_time.map(|time| time.timestamp_millis()),
            record.next_time.map(|time| time.timestamp_millis()),
            record.concurrency,
            number_of(record.last_number),
            record.is_done,
            record.revision,
            row.clock,
        ])?;
    Ok(())
}

/// Writes a bundle; its row of `jobs` exists.
pub fn write_bundle(connection: &Connection, row: &BundleRow) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO bundles (job_id, status, kick_off_time, pause_time, state) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (job_id) DO UPDATE SET status = excluded.status, kick_off_time = excluded.kick_off_time,
                 pause_time = excluded.pause_time, state = excluded.state",
        )?
        .execute((
            &row.job_id,
            row.status.name(),
            row.kick_off.map(|time| time.timestamp_millis()),
            row.pause_time.map(|time| time.timestamp_millis()),
            &row.state,
        ))?;
    Ok(())
}

/// A bundle, if it exists.
pub fn bundle(connection: &Connection, job: &str) -> rusqlite::Result<Option<BundleRow>> {
    connection
        .prepare_cached("SELECT * FROM bundles WHERE job_id = ?1")?
        .query_row([job], read_bundle)
        .optional()
}

/// Reads a row of `bundles`.
pub fn read_bundle(row: &Row<'_>) -> rusqlite::Result<BundleRow> {
    Ok(BundleRow {
        job_id: row.get("job_id")?,
        status: named(row, "status", CoordinatorStatus::from_name)?,
        kick_off: optional_time(row, "kick_off_time")?,
        pause_time: optional_time(row, "pause_time")?,
        state: row.get("state")?,
    })
}

/// Adds a revision for further actions.
pub fn add_revision(connection: &Connection, job: &str, row: &RevisionRow) -> rusqlite::Result<()> {
    connection.execute(
        "INSERT INTO coordinator_revisions (job_id, revision, hash, created, conf, texts)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        (
            job,
            row.revision,
            &row.hash,
            row.created,
            &row.conf,
            &row.texts,
        ),
    )?;
    Ok(())
}

fn write_action(
    connection: &Connection,
    job: &str,
    row: &CoordinatorActionRow,
) -> rusqlite::Result<()> {
    let CoordinatorActionRow {
        record,
        workflow_id,
    } = row;
    let error = record.error.as_ref();
    connection
        .prepare_cached(
            "INSERT INTO coordinator_actions (job_id, number, status, nominal_time, created, workflow_id, revision, run,
                 error_code, error_message, since, timeout, inputs, command, keeps_workflow)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
             ON CONFLICT (job_id, number) DO UPDATE SET status = excluded.status, nominal_time = excluded.nominal_time,
                 created = excluded.created, workflow_id = coalesce(excluded.workflow_id, workflow_id),
                 revision = excluded.revision,
                 run = excluded.run, error_code = excluded.error_code, error_message = excluded.error_message,
                 since = excluded.since, timeout = excluded.timeout, inputs = excluded.inputs,
                 command = excluded.command, keeps_workflow = excluded.keeps_workflow",
        )?
        .execute(rusqlite::params![
            job,
            number_of(record.number),
            record.status.name(),
            record.nominal.timestamp_millis(),
            record.created.timestamp_millis(),
            workflow_id,
            record.revision,
            record.run,
            error.map(|error| &error.code),
            error.map(|error| &error.message),
            record.since.timestamp_millis(),
            record.timeout,
            record.inputs.to_json(),
            record.command.map(Command::name),
            record.keeps_workflow,
        ])?;
    Ok(())
}

/// Action numbers are small.
fn number_of(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A coordinator, if it exists.
pub fn coordinator(connection: &Connection, job: &str) -> rusqlite::Result<Option<CoordinatorRow>> {
    connection
        .prepare_cached("SELECT * FROM coordinators WHERE job_id = ?1")?
        .query_row([job], read)
        .optional()
}

/// The state of a coordinator or a bundle.
pub fn status(connection: &Connection, job: &str) -> rusqlite::Result<Option<String>> {
    connection
        .prepare_cached(
            "SELECT status FROM coordinators WHERE job_id = ?1
             UNION ALL SELECT status FROM bundles WHERE job_id = ?1",
        )?
        .query_row([job], |row| row.get(0))
        .optional()
}

/// Reads a row of `coordinators`.
pub fn read(row: &Row<'_>) -> rusqlite::Result<CoordinatorRow> {
    Ok(CoordinatorRow {
        job_id: row.get("job_id")?,
        record: JobRecord {
            status: named(row, "status", CoordinatorStatus::from_name)?,
            revision: row.get("revision")?,
            last_number: natural(row, "last_number")?,
            next_time: optional_time(row, "next_time")?,
            end: time(row, "end_time")?,
            pause_time: optional_time(row, "pause_time")?,
            concurrency: row.get("concurrency")?,
            is_done: row.get("is_done")?,
        },
        frequency: row.get("frequency")?,
        timezone: row.get("timezone")?,
        start: time(row, "start_time")?,
        clock: row.get("clock")?,
    })
}

/// All revisions of a coordinator, in order.
pub fn revisions(connection: &Connection, job: &str) -> rusqlite::Result<Vec<RevisionRow>> {
    connection
        .prepare(
            "SELECT revision, hash, created, conf, texts FROM coordinator_revisions WHERE job_id = ?1 ORDER BY revision",
        )?
        .query_map([job], read_revision)?
        .collect()
}

/// Reads revision, hash, created, conf and texts of a row of `coordinator_revisions`.
pub fn read_revision(row: &Row<'_>) -> rusqlite::Result<RevisionRow> {
    Ok(RevisionRow {
        revision: row.get(0)?,
        hash: row.get(1)?,
        created: row.get(2)?,
        conf: row.get(3)?,
        texts: row.get(4)?,
    })
}

/// The states of actions that can still change by themselves.
const LIVING: &str = "'WAITING', 'READY', 'SUBMITTED', 'RUNNING', 'SUSPENDED'";

/// The actions that can still change by themselves or have a pending command.
pub fn living(connection: &Connection, job: &str) -> rusqlite::Result<Vec<CoordinatorActionRow>> {
    let sql = format!(
        "SELECT * FROM coordinator_actions WHERE job_id = ?1 AND status IN ({LIVING})
         UNION SELECT * FROM coordinator_actions WHERE job_id = ?1 AND command IS NOT NULL
         ORDER BY number"
    );
    connection
        .prepare(&sql)?
        .query_map([job], read_action)?
        .collect()
}

/// How many actions are in each state.
pub fn counts(connection: &Connection, job: &str) -> rusqlite::Result<ActionCounts> {
    let mut counts = ActionCounts::default();
    let mut statement = connection.prepare_cached(
        "SELECT status, count(*) FROM coordinator_actions WHERE job_id = ?1 GROUP BY status",
    )?;
    let rows = statement.query_map([job], |row| {
        let status = named(row, "status", CoordinatorActionStatus::from_name)?;
        let n: i64 = row.get(1)?;
        Ok((status, u64::try_from(n).unwrap_or_default()))
    })?;
    for row in rows {
        let (status, n) = row?;
        counts.add(status, n);
    }
    Ok(counts)
}

/// One action.
pub fn action(
    connection: &Connection,
    job: &str,
    number: u64,
) -> rusqlite::Result<Option<CoordinatorActionRow>> {
    connection
        .prepare_cached("SELECT * FROM coordinator_actions WHERE job_id = ?1 AND number = ?2")?
        .query_row((job, number_of(number)), read_action)
        .optional()
}

/// The last action that ended without success, by number.
pub fn last_failed(
    connection: &Connection,
    job: &str,
) -> rusqlite::Result<Option<CoordinatorActionRow>> {
    connection
        .prepare_cached(
            "SELECT * FROM coordinator_actions WHERE job_id = ?1 AND status IN ('KILLED', 'FAILED', 'TIMEDOUT')
             ORDER BY number DESC LIMIT 1",
        )?
        .query_row([job], read_action)
        .optional()
}

/// The jobs of the coordinators of a bundle.
pub fn coordinators_of(connection: &Connection, bundle: &str) -> rusqlite::Result<Vec<String>> {
    connection
        .prepare("SELECT id FROM jobs WHERE parent_id = ?1 ORDER BY id")?
        .query_map([bundle], |row| row.get(0))?
        .collect()
}

/// Calls `see` for all actions in order: there may be more than fit into memory.
pub fn each_action<E: From<rusqlite::Error>>(
    connection: &Connection,
    job: &str,
    mut see: impl FnMut(CoordinatorActionRow) -> Result<(), E>,
) -> Result<(), E> {
    let mut statement = connection
        .prepare_cached("SELECT * FROM coordinator_actions WHERE job_id = ?1 ORDER BY number")?;
    for row in statement.query_map([job], read_action)? {
        see(row?)?;
    }
    Ok(())
}

/// The actions whose nominal times are in a range, both ends included; milliseconds since 1970.
pub fn actions_between(
    connection: &Connection,
    job: &str,
    from: i64,
    to: i64,
) -> rusqlite::Result<Vec<CoordinatorActionRow>> {
    connection
        .prepare(
            "SELECT * FROM coordinator_actions WHERE job_id = ?1 AND nominal_time BETWEEN ?2 AND ?3 ORDER BY number",
        )?
        .query_map((job, from, to), read_action)?
        .collect()
}

/// Reads a row of `coordinator_actions`.
pub fn read_action(row: &Row<'_>) -> rusqlite::Result<CoordinatorActionRow> {
    let command: Option<String> = row.get("command")?;
    let code: Option<String> = row.get("error_code")?;
    let message: Option<String> = row.get("error_message")?;
    let inputs: String = row.get("inputs")?;
    Ok(CoordinatorActionRow {
        record: ActionRecord {
            number: natural(row, "number")?,
            nominal: time(row, "nominal_time")?,
            created: time(row, "created")?,
            since: time(row, "since")?,
            status: named(row, "status", CoordinatorActionStatus::from_name)?,
            revision: row.get("revision")?,
            run: row.get("run")?,
            timeout: row.get("timeout")?,
            inputs: Inputs::from_json(&inputs)
                .ok_or_else(|| unreadable(format!("the inputs of an action: {inputs}")))?,
            command: command.as_deref().and_then(Command::from_name),
            keeps_workflow: row.get("keeps_workflow")?,
            error: code
                .zip(message)
                .map(|(code, message)| ActionFault { code, message }),
        },
        workflow_id: row.get("workflow_id")?,
    })
}

fn named<T>(
    row: &Row<'_>,
    column: &str,
    from_name: impl Fn(&str) -> Option<T>,
) -> rusqlite::Result<T> {
    let name: String = row.get(column)?;
    from_name(&name).ok_or_else(|| unreadable(format!("unknown {column} {name}")))
}

fn unreadable(problem: String) -> rusqlite::Error {
    FromSqlError::Other(problem.into()).into()
}

fn natural(row: &Row<'_>, column: &str) -> rusqlite::Result<u64> {
    let n: i64 = row.get(column)?;
    u64::try_from(n).map_err(|error| unreadable(format!("{column}: {error}")))
}

fn time(row: &Row<'_>, column: &str) -> rusqlite::Result<DateTime<Utc>> {
    let millis: i64 = row.get(column)?;
    DateTime::from_timestamp_millis(millis)
        .ok_or_else(|| unreadable(format!("{column} {millis} is no date")))
}

fn optional_time(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<DateTime<Utc>>> {
    let millis: Option<i64> = row.get(column)?;
    Ok(millis.and_then(DateTime::from_timestamp_millis))
}

/// Whether a workflow job has yet to be completed by its own executable before it starts.
pub fn is_unprepared(connection: &Connection, job: &str) -> rusqlite::Result<bool> {
    connection
        .prepare_cached("SELECT 1 FROM unprepared WHERE job_id = ?1")?
        .query_row([job], |_| Ok(()))
        .optional()
        .map(|found| found.is_some())
}

/// A job's properties as completed by its executable.
pub struct JobSubmission<'a> {
    pub app: &'a str,
    pub app_path: &'a str,
    pub conf: &'a BTreeMap<String, String>,
    pub slas: &'a [SlaRow],
}

/// Completes such a job, or sets it to FAILED.
pub fn complete(
    connection: &Connection,
    job: &str,
    app_index: i64,
    submission: Result<JobSubmission<'_>, &RunError>,
    now: i64,
) -> rusqlite::Result<()> {
    let transaction = connection.unchecked_transaction()?;
    match submission {
        Ok(submitted) => {
            for sla in submitted.slas {
                super::slas::write(&transaction, sla)?;
            }
            transaction.execute(
            "UPDATE jobs SET app = ?2, app_path = ?3, conf = ?4, app_index = ?5 WHERE id = ?1",
            (
                job,
                submitted.app,
                submitted.app_path,
                serde_json::to_string(submitted.conf).expect("a map of strings is JSON"),
                app_index,
            ),
        )?
        }
        Err(error) => transaction.execute(
            "UPDATE jobs SET status = 'FAILED', started = ?2, ended = ?2, error_code = 'E0738', error_message = ?3
             WHERE id = ?1",
            (job, now, &error.message),
        )?,
    };
    transaction.execute("DELETE FROM unprepared WHERE job_id = ?1", [job])?;
    transaction.commit()
}
