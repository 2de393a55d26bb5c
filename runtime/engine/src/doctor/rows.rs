//! Whether every row of the store can be read: each is read as by the commands that show or drive its job, so that the doctor does not pass
//! a row that `info` cannot show.

use std::collections::BTreeMap;

use hpdlc_core::status::{ActionStatus, JobStatus};
use hpdlc_program::coordinator_texts::CoordinatorTexts;
use hpdlc_store::{
    ActionRow, JobRow, LogRow, SlaRow, coordinators,
    notifications::Notice,
    runs::FormerRun,
    schema,
    sql::{self, Connection, Row, ValueRef},
};
use serde::de::{DeserializeOwned, IgnoredAny};

use super::{DoctorProgress, DoctorReport};

const RESTORE: &str =
    "make a `backup` for a bug report, then restore an older one, or `kill` and `purge` the job";

/// The columns of a table that are read, and the function that reads them.
pub struct RowReader {
    pub table: &'static str,
    pub columns: &'static str,
    pub read: fn(&Row<'_>) -> sql::Result<()>,
}

/// Tables that need more than valid texts; those of the scheduler are passed in.
const READERS: [RowReader; 9] = [
    RowReader {
        table: "jobs",
        columns: JobRow::COLUMNS,
        read: |row| {
            if !is_known(row, JobStatus::from_name)? {
                return Ok(());
            }
            let job = JobRow::read(row)?;
            json::<BTreeMap<String, String>>("conf", &job.conf)
        },
    },
    RowReader {
        table: "actions",
        columns: ActionRow::COLUMNS,
        read: |row| {
            if !is_known(row, ActionStatus::from_name)? {
                return Ok(());
            }
            let action = ActionRow::read(row)?;
            optional_json::<BTreeMap<String, String>>("data", action.data.as_ref())?;
            // Its format is private to the executors of its own executable.
            optional_json::<IgnoredAny>("work", action.work.as_ref())
        },
    },
    RowReader {
        table: "log",
        columns: "job_id, time, node, event, message",
        read: |row| LogRow::read(row).map(drop),
    },
    RowReader {
        table: "runs",
        columns: "run, status, started, ended, error_code, error_message, job_id, conf",
        read: |row| {
            FormerRun::read(row)?;
            json::<BTreeMap<String, String>>("conf", &row.get::<_, String>("conf")?)
        },
    },
    RowReader {
        table: "notifications",
        columns: "*",
        read: |row| {
            let notice = Notice::read(row)?;
            optional_json::<IgnoredAny>("mail", notice.mail.as_ref())
        },
    },
    RowReader {
        table: "slas",
        columns: SlaRow::COLUMNS,
        read: |row| SlaRow::read(row).map(drop),
    },
    RowReader {
        table: "coordinators",
        columns: "*",
        read: |row| {
            let coordinator = coordinators::read(row)?;
            optional_json::<IgnoredAny>("clock", coordinator.clock.as_ref())
        },
    },
    RowReader {
        table: "coordinator_actions",
        columns: "*",
        read: |row| coordinators::read_action(row).map(drop),
    },
    RowReader {
        table: "coordinator_revisions",
        columns: "revision, hash, created, conf, texts, job_id",
        read: |row| {
            let revision = coordinators::read_revision(row)?;
            json::<BTreeMap<String, String>>("conf", &revision.conf)?;
            json::<CoordinatorTexts>("texts", &revision.texts)
        },
    },
];

/// Reads all rows of all tables.
pub(super) fn examine(
    connection: &Connection,
    others: &[RowReader],
    progress: DoctorProgress<'_>,
    report: &mut DoctorReport,
) -> sql::Result<()> {
    let tables = schema::tables(connection)?;
    let n_tables = tables.len();
    for (n, table) in tables.iter().enumerate() {
        progress("doctor: tables", n, n_tables);
        let reader = READERS
            .iter()
            .chain(others)
            .find(|reader| reader.table == table);
        examine_table(connection, table, reader, report)?;
    }
    Ok(())
}

fn examine_table(
    connection: &Connection,
    table: &str,
    reader: Option<&RowReader>,
    report: &mut DoctorReport,
) -> sql::Result<()> {
    let columns = reader.map_or("*", |reader| reader.columns);
    let Ok(mut statement) = connection.prepare(&format!("SELECT {columns} FROM \"{table}\""))
    else {
        // A store of an older format lacks columns, which the first command that opens it adds.
        return Ok(());
    };
    let mut rows = statement.query([])?;
    let names = rows.column_names();
    let key = ["job_id", "id", "uri", "hash", "name"];
    let key = key
        .into_iter()
        .find_map(|key| names.iter().position(|name| name == key));
    while let Some(row) = rows.next()? {
        let problem = match not_text(&row, &names)? {
            Some(column) => Some(format!("its column {column} is not UTF-8")),
            None => match reader.map_or(Ok(()), |reader| (reader.read)(&row)) {
                Ok(()) => None,
                Err(error) => Some(error.to_string()),
            },
        };
        if let Some(problem) = problem {
            let about = match key {
                Some(key) => name_of(&row, key)?,
                None => "?".to_owned(),
            };
            report.problem(
                format!("table {table}, {about}"),
                format!("a row cannot be read: {problem}"),
                RESTORE,
            );
        }
    }
    Ok(())
}

/// Unknown states are reported by the check of jobs.
fn is_known<T>(row: &Row<'_>, from_name: fn(&str) -> Option<T>) -> sql::Result<bool> {
    let name: String = row.get("status")?;
    Ok(from_name(&name).is_some())
}

/// The first column whose text is not UTF-8.
fn not_text<'n>(row: &Row<'_>, names: &'n [String]) -> sql::Result<Option<&'n str>> {
    for (column, name) in names.iter().enumerate() {
        if let ValueRef::Text(bytes) = row.get_ref(column)?
            && std::str::from_utf8(bytes).is_err()
        {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

fn name_of(row: &Row<'_>, column: usize) -> sql::Result<String> {
    Ok(match row.get_ref(column)? {
        ValueRef::Text(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Null | ValueRef::Real(_) | ValueRef::Blob(_) => "?".to_owned(),
    })
}

/// # Errors
///
/// The text is not a `T`.
pub fn json<T: DeserializeOwned>(column: &str, text: &str) -> sql::Result<()> {
    match serde_json::from_str::<T>(text) {
        Ok(_) => Ok(()),
        Err(error) => Err(sql::Error::Value(format!("{column}: {error}"))),
    }
}

fn optional_json<T: DeserializeOwned>(column: &str, text: Option<&String>) -> sql::Result<()> {
    text.map_or(Ok(()), |text| json::<T>(column, text))
}
