//! Read-only access to a store of any format: nothing is created, upgraded or refused.

use std::{path::Path, time::Duration};

use hpdlc_host::{
    exit::RunError,
    home::{Home, store_location::StoreLocation},
};

use crate::{
    LOG, StoreError, beside, keep_log, postgres,
    schema::{encryption, is_known},
    sql::{self, Access, Connection},
};

/// Opens the store without changing it.
///
/// # Errors
///
/// Exit 5 if it cannot be read.
pub fn look(home: &Home) -> Result<Connection, RunError> {
    let connection = match home.store_location() {
        StoreLocation::Sqlite(path) => {
            open(path).map_err(|error| StoreError::from(error).describe(home.store_location()))?
        }
        StoreLocation::Postgres(url) => postgres::look(home, url)?,
    };
    Ok(connection.with_keys(home.store_keys()))
}

/// Opens the store for a short read that fails rather than waits, and changes nothing. `None` if that is impossible, or if it has another
/// major version of the format, or is encrypted with another key.
pub fn glance(home: &Home) -> Option<Connection> {
    let connection = match home.store_location() {
        StoreLocation::Sqlite(path) => glance_at(path)?,
        StoreLocation::Postgres(url) => postgres::glance(url)?,
    };
    let major: i64 = connection
        .query_row("SELECT format_major FROM meta", [], |row| row.get(0))
        .ok()?;
    let connection = connection.with_keys(home.store_keys());
    let is_readable = is_known(major) && encryption::expect_key(&connection, home).is_ok();
    is_readable.then_some(connection)
}

fn glance_at(path: &Path) -> Option<Connection> {
    const PATIENCE: Duration = Duration::from_millis(200);
    // The log of others must not be checkpointed.
    let has_log = Path::new(&beside(path, LOG)).exists();
    let connection = open(path).ok()?;
    connection.sqlite()?.busy_timeout(PATIENCE).ok()?;
    if has_log {
        keep_log(&connection).ok()?;
    }
    connection.pragma_update("query_only", true).ok()?;
    Some(connection)
}

/// The major and minor version of the format.
///
/// # Errors
///
/// Exit 5 if it is not a store, or cannot be read.
pub fn format(home: &Home) -> Result<(i64, i64), RunError> {
    let connection = look(home)?;
    read_format(&connection)
        .map_err(|error| StoreError::from(error).describe(home.store_location()))
}

/// As [`format`], for any file.
pub fn format_of(path: &Path) -> sql::Result<(i64, i64)> {
    read_format(&open(path)?)
}

fn read_format(connection: &Connection) -> sql::Result<(i64, i64)> {
    connection.query_row("SELECT format_major, format_minor FROM meta", [], |row| {
        Ok((row.get(0)?, row.get(1)?))
    })
}

fn open(path: &Path) -> sql::Result<Connection> {
    let connection = Connection::open_file(path, Access::Write)?;
    if let Some(connection) = connection.sqlite() {
        connection.busy_timeout(super::BUSY_TIMEOUT)?;
    }
    Ok(connection)
}
