//! The store in a file of the state folder.

use std::{fs::File, os::unix::fs::OpenOptionsExt, path::Path};

use hpdlc_host::{
    exit::RunError,
    home::{Home, lock},
};
use rusqlite::config::DbConfig;

use crate::{
    BUSY_TIMEOUT, StoreError, schema,
    sql::{self, Access, Connection},
};

/// Opens the store, and creates it if there is none.
pub(super) fn open(home: &Home) -> Result<Connection, RunError> {
    let path = home.store();
    let describe = |error: sql::Error| StoreError::from(error).describe(home.store_location());
    if !path.exists() {
        make(home)?;
    }
    let mut connection = connect(&path).map_err(describe)?;
    if !schema::exists(&connection).map_err(describe)? {
        // The process that began to create it died before it was done.
        make(home)?;
        connection = connect(&path).map_err(describe)?;
    }
    if schema::check(&connection, home.store_location())? {
        schema::upgrade(&connection).map_err(describe)?;
    }
    Ok(connection)
}

/// Prevents a checkpoint when `connection` is closed: the log may contain changes by others that this connection does not see, since its
/// files were replaced.
///
/// # Errors
///
/// SQLite refuses.
pub fn keep_log(connection: &Connection) -> sql::Result<()> {
    if let Some(connection) = connection.sqlite() {
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    }
    Ok(())
}

/// Creates the store, one process at a time: SQLite calls no busy handler for the switch to WAL, so that two first opens at once could make
/// each other fail.
fn make(home: &Home) -> Result<(), RunError> {
    let path = home.store();
    let describe = |error: sql::Error| StoreError::from(error).describe(home.store_location());
    let _lock = lock_for_creation(home)?;
    // SQLite gives its other files the mode of the database.
    private_file(&path)?;
    let connection = connect(&path).map_err(describe)?;
    schema::create(&connection).map_err(describe)
}

fn connect(path: &Path) -> sql::Result<Connection> {
    let opened = Connection::open_file(path, Access::Create)?;
    if let Some(connection) = opened.sqlite() {
        connection.busy_timeout(BUSY_TIMEOUT)?;
        // Otherwise a cached statement is prepared again whenever other values are bound to it.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        connection.set_prepared_statement_cache_capacity(32);
    }
    opened.pragma_update("synchronous", "FULL")?;
    opened.pragma_update("foreign_keys", "ON")?;
    // In KiB: a quarter of what SQLite takes by itself, in each owner. The system holds the file too.
    opened.pragma_update("cache_size", -500)?;
    Ok(opened)
}

fn lock_for_creation(home: &Home) -> Result<File, RunError> {
    let path = home.store_lock();
    // With the mode of a private file.
    drop(private_file(&path)?);
    lock::wait(&path)
        .map_err(|error| RunError::machine(format!("cannot lock {}: {error}", path.display())))
}

/// Opens a file that only its owner can read, and creates it if there is none.
fn private_file(path: &Path) -> Result<File, RunError> {
    File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(0o600)
        .open(path)
        .map_err(|error| RunError::machine(format!("cannot open {}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use rusqlite::StatementStatus;

    use super::*;

    #[test]
    fn a_statement_that_is_kept_is_planned_once() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open_at(folder.path().join("home")).unwrap();
        make(&home).unwrap();
        let opened = connect(&home.store()).unwrap();
        let connection = opened.sqlite().unwrap();
        let sql = "SELECT id FROM jobs WHERE root_id = ?1 ORDER BY depth, id LIMIT ?2";
        for root in ["a", "b", "c"] {
            let mut statement = connection.prepare_cached(sql).unwrap();
            let ids = statement.query_map((root, 10), |row| row.get(0));
            let ids: rusqlite::Result<Vec<String>> = ids.unwrap().collect();
            assert_eq!(ids, Ok(Vec::new()));
            assert_eq!(statement.get_status(StatementStatus::RePrepare), 0);
        }
    }
}
