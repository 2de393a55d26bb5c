//! The job store, for all executables of a user: one SQLite database in the state folder, or a PostgreSQL database for several hosts.
//!
//! SQLite: WAL mode, and an acknowledged commit is on disk: by `synchronous=FULL`, or by [`writer::Writer`], which does all writing of an
//! owner. Changes during a commit share the next one (group commit). Reading commands have connections of their own.

use std::time::Duration;

use hpdlc_host::{
    exit::RunError,
    home::{Home, store_location::StoreLocation},
};

use crate::sql::Connection;

pub mod applications;
pub mod audit;
pub mod callbacks;
pub mod commands;
pub mod coordinators;
pub mod definitions;
pub mod encryption;
pub mod hosts;
pub mod jobs;
pub mod migration;
pub mod notifications;
pub mod overview;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(not(feature = "postgres"))]
#[path = "no_postgres.rs"]
mod postgres;
pub mod purge;
pub mod query;
mod read_only;
pub mod rows;
pub mod runs;
pub mod schema;
pub mod size;
pub mod slas;
pub mod sql;
mod sqlite;
mod store_error;
#[cfg(test)]
mod testing;
pub mod tokens;
pub mod wal;
mod write_lock;
pub mod writer;

pub use self::{
    read_only::{format, format_of, glance, look},
    rows::{ActionRow, CommandRow, JobRow, LogRow, SkipMark},
    runs::NewRun,
    schema::{FORMAT_ENCRYPTED, FORMAT_MAJOR, FORMAT_MINOR, is_known},
    slas::SlaRow,
    sqlite::keep_log,
    store_error::StoreError,
    wal::{INDEX, LOG, beside},
    write_lock::WriteLock,
};

/// How long one process waits for another's transaction. Transactions are short; this is for a machine that stalls or is overloaded.
pub const BUSY_TIMEOUT: Duration = Duration::from_secs(120);

/// The version of SQLite that is compiled in.
pub fn sqlite_version() -> &'static str {
    rusqlite::version()
}

/// Refuses a store whose values another key than those of `home` has encrypted.
///
/// # Errors
///
/// Exit 2 if it is so, exit 5 if the store cannot be read.
pub fn expect_key(connection: &Connection, home: &Home) -> Result<(), RunError> {
    schema::encryption::expect_key(connection, home).map(drop)
}

/// Opens the store of `home`, and creates it if there is none.
///
/// # Errors
///
/// Exit 5 if it cannot be read or written, exit 2 if it has another major version of the format, or values that another key has encrypted; it
/// is left unchanged then.
pub fn open(home: &Home) -> Result<Connection, RunError> {
    let connection = match home.store_location() {
        StoreLocation::Sqlite(_) => sqlite::open(home)?,
        StoreLocation::Postgres(url) => postgres::open(home, url)?,
    };
    let connection = connection.with_keys(home.store_keys());
    schema::encryption::check(&connection, home)?;
    Ok(connection)
}
