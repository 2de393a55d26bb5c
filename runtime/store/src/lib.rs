//! The job store: one SQLite database for all executables of a user.
//!
//! WAL mode, and an acknowledged commit is on disk: by `synchronous=FULL`, or by [`writer::Writer`], which does all writing of an owner.
//! Changes during a commit share the next one (group commit). Reading commands have connections of their own.

use std::{fs::File, io, os::unix::fs::OpenOptionsExt, path::Path, time::Duration};

use hpdlc_host::{
    exit::RunError,
    home::{Home, lock},
};
use rusqlite::{Connection, OpenFlags, TransactionBehavior, config::DbConfig};

pub mod applications;
pub mod audit;
pub mod callbacks;
pub mod commands;
pub mod coordinators;
pub mod definitions;
pub mod jobs;
pub mod notifications;
pub mod overview;
pub mod purge;
pub mod query;
mod read_only;
pub mod rows;
pub mod runs;
mod schema;
pub mod slas;
pub mod tokens;
pub mod wal;
mod write_lock;
pub mod writer;

pub use self::{
    read_only::{format, format_of, glance, look},
    rows::{ActionRow, CommandRow, JobRow, LogRow, SkipMark},
    runs::NewRun,
    schema::{FORMAT_MAJOR, FORMAT_MINOR},
    slas::SlaRow,
    wal::{INDEX, LOG, beside},
    write_lock::WriteLock,
};

/// How long one process waits for another's transaction. Transactions are short; this is for a machine that stalls or is overloaded.
pub const BUSY_TIMEOUT: Duration = Duration::from_secs(120);

/// An error of the store.
#[derive(Debug)]
pub enum StoreError {
    /// The job has another owner by now (fencing): this process must not write it any more.
    NotOwner {
        job: String,
    },
    /// Its file was deleted or replaced while it was open.
    Deleted,
    /// As `Deleted`, but only the index of its log, which is rebuilt when the store is opened.
    IndexDeleted,
    Sqlite(rusqlite::Error),
    /// A commit could not be synced.
    Sync(io::Error),
}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> StoreError {
        StoreError::Sync(error)
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        StoreError::Sqlite(error)
    }
}

impl StoreError {
    /// As [`StoreError::describe`], for the owner of the job `root`, with how to recover if possible.
    pub fn describe_to_owner(&self, path: &Path, root: &str) -> RunError {
        let described = self.describe(path);
        match self {
            // There is nothing to recover from.
            StoreError::Deleted => described,
            StoreError::NotOwner { .. }
            | StoreError::IndexDeleted
            | StoreError::Sqlite(_)
            | StoreError::Sync(_) => described.and_recover(root),
        }
    }

    /// The error as shown to the user; `path` is the database.
    pub fn describe(&self, path: &Path) -> RunError {
        match self {
            StoreError::NotOwner { job } => RunError::machine(format!(
                "job {job} was taken over by another process while this one was suspended"
            ))
            .with_help(format!("type: info {job}")),
            StoreError::Deleted => RunError::machine(format!(
                "job store {}: it was deleted or replaced; what jobs have done since cannot be recorded",
                path.display()
            ))
            .with_help("put it back together with its -wal file, or restore a backup"),
            StoreError::IndexDeleted => RunError::machine(format!(
                "job store {}: its -shm file was deleted, and processes no longer see the changes of others",
                path.display()
            )),
            StoreError::Sync(error) => RunError::machine(format!(
                "job store {}: it cannot be written to the disk (full, or failing) ({error})",
                path.display()
            ))
            .with_help("free disk space, or check the disk"),
            StoreError::Sqlite(error) => {
                use rusqlite::ErrorCode;
                let path = path.display();
                let (problem, help) = match error.sqlite_error_code() {
                    Some(ErrorCode::DiskFull) => ("the disk is full", "free disk space"),
                    Some(ErrorCode::ReadOnly) => {
                        ("it has become read-only", "make its folder writable again")
                    }
                    Some(ErrorCode::SystemIoFailure) => (
                        "it cannot be written to the disk (full, or failing)",
                        "free disk space, or check the disk",
                    ),
                    Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => (
                        "other processes have kept it locked for two minutes",
                        "check what they are doing, and try again: nothing was changed",
                    ),
                    Some(ErrorCode::CannotOpen) => ("it cannot be opened", "check its permissions"),
                    Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                        ("it is damaged", "restore a backup")
                    }
                    _ => return RunError::machine(format!("job store {path}: {error}")),
                };
                RunError::machine(format!("job store {path}: {problem} ({error})")).with_help(help)
            }
        }
    }
}

/// Opens the store of `home`, and creates it if there is none.
///
/// # Errors
///
/// Exit 5 if the file cannot be read or written, exit 2 if it has another major version of the format; the file is left unchanged then.
pub fn open(home: &Home) -> Result<Connection, RunError> {
    let path = home.store();
    let describe = |error: rusqlite::Error| StoreError::from(error).describe(&path);
    if !path.exists() {
        make(home)?;
    }
    let mut connection = connect(&path).map_err(describe)?;
    if !schema::exists(&connection).map_err(describe)? {
        // The process that began to create it died before it was done.
        make(home)?;
        connection = connect(&path).map_err(describe)?;
    }
    if schema::check(&connection, &path)? {
        schema::upgrade(&mut connection).map_err(describe)?;
    }
    Ok(connection)
}

/// Prevents a checkpoint when `connection` is closed: the log may contain changes by others that this connection does not see, since its
/// files were replaced.
///
/// # Errors
///
/// SQLite refuses.
pub fn keep_log(connection: &Connection) -> rusqlite::Result<()> {
    connection
        .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
        .map(|_| ())
}

/// Creates the store, one process at a time: SQLite calls no busy handler for the switch to WAL, so that two first opens at once could make
/// each other fail.
fn make(home: &Home) -> Result<(), RunError> {
    let path = home.store();
    let describe = |error: rusqlite::Error| StoreError::from(error).describe(&path);
    let _lock = lock_for_creation(home)?;
    // SQLite gives its other files the mode of the database.
    private_file(&path)?;
    let mut connection = connect(&path).map_err(describe)?;
    schema::create(&mut connection).map_err(describe)
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", "ON")?;
    // In KiB: a quarter of what SQLite takes by itself, in each owner. The system holds the file too.
    connection.pragma_update(None, "cache_size", -500)?;
    // Otherwise a cached statement is prepared again whenever other values are bound to it.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_transaction_behavior(TransactionBehavior::Immediate);
    connection.set_prepared_statement_cache_capacity(32);
    Ok(connection)
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
        let connection = open(&home).unwrap();
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
