//! Rows of coordinators, of their actions, and of bundles.

use crate::sql::{self, Connection, OptionalExtension, Row, Transaction};
use chrono::{DateTime, Utc};
use hpdlc_core::coordinator::{CoordinatorStatus, machine::JobRecord};
use hpdlc_host::clock;

mod actions;
mod bundles;
mod columns;
mod unprepared;

use self::{
    actions::write_action,
    columns::{named, natural, number_of, optional_time, time},
};
pub use self::{
    actions::{
        CoordinatorActionRow, action, actions_between, counts, each_action, last_failed, living,
        read_action,
    },
    bundles::{BundleRow, bundle, read_bundle, write_bundle},
    unprepared::{JobSubmission, complete, is_unprepared},
};

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

/// A job that an update has changed to another definition.
#[derive(Clone, Debug)]
pub struct Moved {
    pub job_id: String,
    pub hash: String,
    pub app: String,
    pub conf: String,
}

impl Changes {
    pub(super) fn write(&self, transaction: &Transaction<'_>) -> sql::Result<()> {
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
                (
                    &moved.job_id,
                    &moved.hash,
                    &moved.app,
                    transaction.sealed_properties(&moved.conf),
                ),
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
pub fn write(connection: &Connection, row: &CoordinatorRow) -> sql::Result<()> {
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
        .execute(sql::params![
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

/// Adds a revision for further actions.
pub fn add_revision(connection: &Connection, job: &str, row: &RevisionRow) -> sql::Result<()> {
    connection.execute(
        "INSERT INTO coordinator_revisions (job_id, revision, hash, created, conf, texts)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        (
            job,
            row.revision,
            &row.hash,
            row.created,
            connection.sealed(&row.conf),
            connection.sealed(&row.texts),
        ),
    )?;
    Ok(())
}

/// A coordinator, if it exists.
pub fn coordinator(connection: &Connection, job: &str) -> sql::Result<Option<CoordinatorRow>> {
    connection
        .prepare_cached("SELECT * FROM coordinators WHERE job_id = ?1")?
        .query_row([job], read)
        .optional()
}

/// The state of a coordinator or a bundle.
pub fn status(connection: &Connection, job: &str) -> sql::Result<Option<String>> {
    connection
        .prepare_cached(
            "SELECT status FROM coordinators WHERE job_id = ?1
             UNION ALL SELECT status FROM bundles WHERE job_id = ?1",
        )?
        .query_row([job], |row| row.get(0))
        .optional()
}

/// Reads a row of `coordinators`.
pub fn read(row: &Row<'_>) -> sql::Result<CoordinatorRow> {
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
pub fn revisions(connection: &Connection, job: &str) -> sql::Result<Vec<RevisionRow>> {
    connection
        .prepare(
            "SELECT revision, hash, created, conf, texts FROM coordinator_revisions WHERE job_id = ?1 ORDER BY revision",
        )?
        .query_map([job], read_revision)?
        .collect()
}

/// Reads revision, hash, created, conf and texts of a row of `coordinator_revisions`.
pub fn read_revision(row: &Row<'_>) -> sql::Result<RevisionRow> {
    Ok(RevisionRow {
        revision: row.get(0)?,
        hash: row.get(1)?,
        created: row.get(2)?,
        conf: row.get(3)?,
        texts: row.get(4)?,
    })
}

/// The jobs of the coordinators of a bundle.
pub fn coordinators_of(connection: &Connection, bundle: &str) -> sql::Result<Vec<String>> {
    connection
        .prepare("SELECT id FROM jobs WHERE parent_id = ?1 ORDER BY id")?
        .query_map([bundle], |row| row.get(0))?
        .collect()
}
