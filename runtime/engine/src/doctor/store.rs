//! Checks the store's file: its integrity according to SQLite, and whether its format is known.

use hpdlc_host::home::{Home, store_location::StoreLocation};
use hpdlc_store::{
    FORMAT_MAJOR, is_known,
    sql::{self, Connection, Dialect},
};

use super::DoctorReport;

const RESTORE: &str = "keep a copy of the file, and restore a backup while no job is running";

/// Opens the store without changing anything in it.
pub(super) fn open(home: &Home, report: &mut DoctorReport) -> Option<Connection> {
    let opened = hpdlc_store::look(home);
    let about = home.store_location().to_string();
    let connection = opened
        .map_err(|error| report.problem(about.clone(), error.message, RESTORE))
        .ok()?;
    match hpdlc_store::expect_key(&connection, home) {
        Ok(()) => Some(connection),
        Err(error) => {
            let help = error.help.unwrap_or_else(|| RESTORE.to_owned());
            report.problem(about, error.message, &help);
            None
        }
    }
}

pub(super) fn unreadable(store: &StoreLocation, error: &sql::Error, report: &mut DoctorReport) {
    report.problem(
        store.to_string(),
        format!("it cannot be read: {error}"),
        RESTORE,
    );
}

/// Returns whether the tables can be read.
pub(super) fn examine(
    connection: &Connection,
    store: &StoreLocation,
    report: &mut DoctorReport,
) -> bool {
    let about = store.to_string();
    match integrity(connection) {
        Ok(lines) if lines == ["ok"] => {}
        Ok(lines) => {
            for line in lines {
                report.problem(about.clone(), format!("it is damaged: {line}"), RESTORE);
            }
        }
        Err(error) => {
            unreadable(store, &error, report);
            return false;
        }
    }
    let format = connection.query_row("SELECT format_major, format_minor FROM meta", [], |row| {
        Ok((row.get(0)?, row.get(1)?))
    });
    match format {
        Ok(format) => report.format = Some(format),
        Err(error) => {
            unreadable(store, &error, report);
            return false;
        }
    }
    if let Some((major, minor)) = report.format
        && !is_known(major)
    {
        report.problem(
            about,
            format!("it has format {major}.{minor}; this executable reads format {FORMAT_MAJOR}"),
            "use an executable that a matching version of hpdlc built",
        );
        return false;
    }
    match orphans(connection) {
        Ok(tables) => {
            for table in tables {
                report.problem(
                    about.clone(),
                    format!("a row of `{table}` belongs to a job that does not exist"),
                    RESTORE,
                );
            }
        }
        Err(error) => unreadable(store, &error, report),
    }
    true
}

/// What SQLite finds in its file; another database checks itself.
fn integrity(connection: &Connection) -> sql::Result<Vec<String>> {
    match connection.dialect() {
        Dialect::Sqlite => findings_of(connection, "PRAGMA integrity_check(20)"),
        Dialect::Postgres => Ok(vec!["ok".to_owned()]),
    }
}

/// The tables with rows of jobs that do not exist, which PostgreSQL does not allow.
fn orphans(connection: &Connection) -> sql::Result<Vec<String>> {
    match connection.dialect() {
        Dialect::Sqlite => findings_of(connection, "PRAGMA foreign_key_check"),
        Dialect::Postgres => Ok(Vec::new()),
    }
}

/// The first column of every row.
pub(super) fn findings_of(connection: &Connection, sql: &str) -> sql::Result<Vec<String>> {
    connection
        .prepare(sql)?
        .query_map([], |row| row.get(0))?
        .collect()
}
