//! Errors of the store, as shown to the user.

use std::io;

use hpdlc_host::{exit::RunError, home::store_location::StoreLocation};
use rusqlite::ErrorCode;

use crate::sql::{self, ServerError};

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
    Database(sql::Error),
    /// A commit could not be synced.
    Sync(io::Error),
}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> StoreError {
        StoreError::Sync(error)
    }
}

impl From<sql::Error> for StoreError {
    fn from(error: sql::Error) -> StoreError {
        StoreError::Database(error)
    }
}

impl StoreError {
    /// As [`StoreError::describe`], for the owner of the job `root`, with how to recover if possible.
    pub fn describe_to_owner(&self, store: &StoreLocation, root: &str) -> RunError {
        let described = self.describe(store);
        match self {
            // There is nothing to recover from.
            StoreError::Deleted => described,
            StoreError::NotOwner { .. }
            | StoreError::IndexDeleted
            | StoreError::Database(_)
            | StoreError::Sync(_) => described.and_recover(root),
        }
    }

    /// The error as shown to the user.
    pub fn describe(&self, store: &StoreLocation) -> RunError {
        match self {
            StoreError::NotOwner { job } => RunError::machine(format!(
                "job {job} was taken over by another process while this one was suspended"
            ))
            .with_help(format!("type: info {job}")),
            StoreError::Deleted => RunError::machine(format!(
                "job store {store}: it was deleted or replaced; what jobs have done since cannot be recorded"
            ))
            .with_help("put it back together with its -wal file, or restore a backup"),
            StoreError::IndexDeleted => RunError::machine(format!(
                "job store {store}: its -shm file was deleted, and processes no longer see the changes of others"
            )),
            StoreError::Sync(error) => RunError::machine(format!(
                "job store {store}: it cannot be written to the disk (full, or failing) ({error})"
            ))
            .with_help("free disk space, or check the disk"),
            StoreError::Database(error) => {
                let (problem, help) = match error {
                    sql::Error::Sqlite(error) => of_sqlite(error),
                    sql::Error::Server(error) => of_server(error),
                    sql::Error::NoRow | sql::Error::Value(_) => None,
                }
                .unwrap_or_default();
                match problem {
                    "" => RunError::machine(format!("job store {store}: {error}")),
                    problem => {
                        RunError::machine(format!("job store {store}: {problem} ({error})"))
                            .with_help(help)
                    }
                }
            }
        }
    }
}

/// The problem, and what to do about it.
type Advice = Option<(&'static str, &'static str)>;

fn of_sqlite(error: &rusqlite::Error) -> Advice {
    Some(match error.sqlite_error_code()? {
        ErrorCode::DiskFull => ("the disk is full", "free disk space"),
        ErrorCode::ReadOnly => ("it has become read-only", "make its folder writable again"),
        ErrorCode::SystemIoFailure => (
            "it cannot be written to the disk (full, or failing)",
            "free disk space, or check the disk",
        ),
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => (
            "other processes have kept it locked for two minutes",
            "check what they are doing, and try again: nothing was changed",
        ),
        ErrorCode::CannotOpen => ("it cannot be opened", "check its permissions"),
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => {
            ("it is damaged", "restore a backup")
        }
        _ => return None,
    })
}

/// By SQLSTATE (appendix A of PostgreSQL's documentation).
fn of_server(error: &ServerError) -> Advice {
    Some(match error.code.as_str() {
        "28P01" | "28000" => (
            "the user or the password is wrong",
            "check the URL, PGPASSWORD, and ~/.pgpass",
        ),
        "3D000" => ("there is no such database", "create it by: createdb"),
        "42501" => (
            "the user lacks a right",
            "grant it CREATE on the database, or create the schema for it",
        ),
        "53100" => ("the disk of the server is full", "free disk space there"),
        "53300" => (
            "the server has as many connections as it accepts",
            "raise max_connections: every owner of a job keeps one, every command takes one",
        ),
        "55P03" => (
            "other processes have kept it locked for two minutes",
            "check what they are doing, and try again: nothing was changed",
        ),
        "25006" => (
            "the server only reads",
            "name the primary in the URL, or add target_session_attrs=read-write to it",
        ),
        // Prepared statements are those of another session.
        "26000" | "42P05" => (
            "a pooler gives each transaction another session",
            "have it pool sessions (PgBouncer: pool_mode = session), or name the server itself",
        ),
        "40001" | "40P01" => (
            "other processes wrote at the same time",
            "try again: nothing was changed",
        ),
        _ if error.is_lost => (
            "the server cannot be reached",
            "check that it runs, and the host and port of the URL; jobs go on when it is back",
        ),
        _ => return None,
    })
}
