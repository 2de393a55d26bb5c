//! Columns whose values have other types than those of SQLite.

use crate::sql::{self, Row};
use chrono::{DateTime, Utc};

/// Action numbers are small.
pub(super) fn number_of(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn named<T>(
    row: &Row<'_>,
    column: &str,
    from_name: impl Fn(&str) -> Option<T>,
) -> sql::Result<T> {
    let name: String = row.get(column)?;
    from_name(&name).ok_or_else(|| unreadable(format!("unknown {column} {name}")))
}

pub(super) fn unreadable(problem: String) -> sql::Error {
    sql::Error::Value(problem)
}

pub(super) fn natural(row: &Row<'_>, column: &str) -> sql::Result<u64> {
    let n: i64 = row.get(column)?;
    u64::try_from(n).map_err(|error| unreadable(format!("{column}: {error}")))
}

pub(super) fn time(row: &Row<'_>, column: &str) -> sql::Result<DateTime<Utc>> {
    let millis: i64 = row.get(column)?;
    DateTime::from_timestamp_millis(millis)
        .ok_or_else(|| unreadable(format!("{column} {millis} is no date")))
}

pub(super) fn optional_time(row: &Row<'_>, column: &str) -> sql::Result<Option<DateTime<Utc>>> {
    let millis: Option<i64> = row.get(column)?;
    Ok(millis.and_then(DateTime::from_timestamp_millis))
}
