//! Checks the store's file: its integrity according to SQLite, and whether its format is known.

use std::path::Path;

use hpdlc_store::FORMAT_MAJOR;
use rusqlite::{Connection, OpenFlags};

use super::DoctorReport;

const RESTORE: &str = "keep a copy of the file, and restore a backup while no job is running";

/// Opens the file without changing anything in it.
pub(super) fn open(path: &Path, report: &mut DoctorReport) -> Option<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let opened = Connection::open_with_flags(path, flags).and_then(|connection| {
        connection.busy_timeout(hpdlc_store::BUSY_TIMEOUT)?;
        Ok(connection)
    });
    opened
        .map_err(|error| unreadable(path, &error, report))
        .ok()
}

pub(super) fn unreadable(path: &Path, error: &rusqlite::Error, report: &mut DoctorReport) {
    report.problem(
        path.display().to_string(),
        format!("it cannot be read: {error}"),
        RESTORE,
    );
}

/// Returns whether the tables can be read.
pub(super) fn examine(connection: &Connection, path: &Path, report: &mut DoctorReport) -> bool {
    let about = path.display().to_string();
    match findings_of(connection, "PRAGMA integrity_check(20)") {
        Ok(lines) if lines == ["ok"] => {}
        Ok(lines) => {
            for line in lines {
                report.problem(about.clone(), format!("it is damaged: {line}"), RESTORE);
            }
        }
        Err(error) => {
            unreadable(path, &error, report);
            return false;
        }
    }
    let format = connection.query_row("SELECT format_major, format_minor FROM meta", [], |row| {
        Ok((row.get(0)?, row.get(1)?))
    });
    match format {
        Ok(format) => report.format = Some(format),
        Err(error) => {
            unreadable(path, &error, report);
            return false;
        }
    }
    if let Some((major, minor)) = report.format
        && major != FORMAT_MAJOR
    {
        report.problem(
            about,
            format!("it has format {major}.{minor}; this executable reads format {FORMAT_MAJOR}"),
            "use an executable that a matching version of hpdlc built",
        );
        return false;
    }
    match findings_of(connection, "PRAGMA foreign_key_check") {
        Ok(tables) => {
            for table in tables {
                report.problem(
                    about.clone(),
                    format!("a row of `{table}` belongs to a job that does not exist"),
                    RESTORE,
                );
            }
        }
        Err(error) => unreadable(path, &error, report),
    }
    true
}

/// The first column of every row.
pub(super) fn findings_of(connection: &Connection, sql: &str) -> rusqlite::Result<Vec<String>> {
    connection
        .prepare(sql)?
        .query_map([], |row| row.get(0))?
        .collect()
}
