//! Read-only access to a store of any format: nothing is created, upgraded or refused.

use std::{path::Path, time::Duration};

use hpdlc_host::{exit::RunError, home::Home};
use rusqlite::{Connection, OpenFlags};

use crate::{FORMAT_MAJOR, LOG, StoreError, beside, keep_log};

/// Opens the store without changing it.
///
/// # Errors
///
/// Exit 5 if the file cannot be read.
pub fn look(home: &Home) -> Result<Connection, RunError> {
    open(&home.store()).map_err(|error| StoreError::from(error).describe(&home.store()))
}

/// Opens the store for a short read that fails rather than waits, and changes nothing. `None` if that is impossible, or if it has another
/// major version of the format.
pub fn glance(home: &Home) -> Option<Connection> {
    const PATIENCE: Duration = Duration::from_millis(200);
    let path = home.store();
    // The log of others must not be checkpointed.
    let has_log = Path::new(&beside(&path, LOG)).exists();
    let connection = open(&path).ok()?;
    connection.busy_timeout(PATIENCE).ok()?;
    if has_log {
        keep_log(&connection).ok()?;
    }
    connection.pragma_update(None, "query_only", true).ok()?;
    let major: i64 = connection
        .query_row("SELECT format_major FROM meta", [], |row| row.get(0))
        .ok()?;
    (major == FORMAT_MAJOR).then_some(connection)
}

/// The major and minor version of the format.
///
/// # Errors
///
/// Exit 5 if the file is not a store, or cannot be read.
pub fn format(home: &Home) -> Result<(i64, i64), RunError> {
    format_of(&home.store()).map_err(|error| StoreError::from(error).describe(&home.store()))
}

/// As [`format`], for any file.
pub fn format_of(path: &Path) -> rusqlite::Result<(i64, i64)> {
    open(path)?.query_row("SELECT format_major, format_minor FROM meta", [], |row| {
        Ok((row.get(0)?, row.get(1)?))
    })
}

fn open(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(super::BUSY_TIMEOUT)?;
    Ok(connection)
}
