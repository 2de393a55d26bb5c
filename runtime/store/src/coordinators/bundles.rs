//! Rows of bundles.

use crate::sql::{self, Connection, OptionalExtension, Row};
use chrono::{DateTime, Utc};
use hpdlc_core::coordinator::CoordinatorStatus;

use super::columns::{named, optional_time};

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

/// Writes a bundle; its row of `jobs` exists.
pub fn write_bundle(connection: &Connection, row: &BundleRow) -> sql::Result<()> {
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
            connection.sealed(&row.state),
        ))?;
    Ok(())
}

/// A bundle, if it exists.
pub fn bundle(connection: &Connection, job: &str) -> sql::Result<Option<BundleRow>> {
    connection
        .prepare_cached("SELECT * FROM bundles WHERE job_id = ?1")?
        .query_row([job], read_bundle)
        .optional()
}

/// Reads a row of `bundles`.
pub fn read_bundle(row: &Row<'_>) -> sql::Result<BundleRow> {
    Ok(BundleRow {
        job_id: row.get("job_id")?,
        status: named(row, "status", CoordinatorStatus::from_name)?,
        kick_off: optional_time(row, "kick_off_time")?,
        pause_time: optional_time(row, "pause_time")?,
        state: row.get("state")?,
    })
}
