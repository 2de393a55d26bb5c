//! The queue of commands from terminals to owners, and the answers.
//!
//! A command is a row: it stays until an owner has carried it out or refused it, in the transaction that changes the job. The caller reads
//! the answer from the same row.

use std::borrow::Cow;

use crate::{
    CommandRow,
    sql::{self, Connection, OptionalExtension},
};

/// A command that an owner has finished with.
#[derive(Clone, Debug)]
pub struct Handled {
    pub id: i64,
    /// When, in milliseconds since 1970.
    pub time: i64,
    /// Why it was refused.
    pub refusal: Option<String>,
}

/// Adds a command to the owner of `job`; returns the row id.
pub fn add(connection: &Connection, job: &str, verb: &str, time: i64) -> sql::Result<i64> {
    connection
        .prepare_cached(
            "INSERT INTO commands (job_id, verb, created) VALUES (?1, ?2, ?3) RETURNING id",
        )?
        .query_row((job, sealed_arguments(connection, verb), time), |row| {
            row.get(0)
        })
}

/// Commands on a job or its children that have not been handled, in their order.
pub fn open(connection: &Connection, root: &str) -> sql::Result<Vec<CommandRow>> {
    connection
        .prepare_cached(
            "SELECT commands.id, job_id, verb FROM commands JOIN jobs ON jobs.id = job_id
             WHERE handled IS NULL AND root_id = ?1 ORDER BY commands.id",
        )?
        .query_map([root], |row| {
            Ok(CommandRow {
                id: row.get(0)?,
                job_id: row.get(1)?,
                verb: row.get(2)?,
            })
        })?
        .collect()
}

/// Commands on one job that have not been handled, with their times.
pub fn open_since(connection: &Connection, job: &str) -> sql::Result<Vec<(String, i64)>> {
    connection
        .prepare_cached(
            "SELECT verb, created FROM commands WHERE handled IS NULL AND job_id = ?1 ORDER BY id",
        )?
        .query_map([job], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}

/// Whether there is a command on one job that has not been handled. The status in its row may be older than the command: the caller must
/// not take it for the answer.
pub fn is_asked(connection: &Connection, job: &str) -> sql::Result<bool> {
    connection
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM commands WHERE handled IS NULL AND job_id = ?1)",
        )?
        .query_row([job], |row| row.get(0))
}

/// `None` until the command is handled; then why it was refused, if it was.
pub fn answer(connection: &Connection, id: i64) -> sql::Result<Option<Option<String>>> {
    connection
        .prepare_cached("SELECT answer FROM commands WHERE id = ?1 AND handled IS NOT NULL")?
        .query_row([id], |row| row.get(0))
        .optional()
}

/// Marks a command as handled; returns whether it was not before.
pub fn write_handled(connection: &Connection, handled: &Handled) -> sql::Result<bool> {
    let n = connection
        .prepare_cached(
            "UPDATE commands SET handled = ?2, answer = ?3 WHERE id = ?1 AND handled IS NULL",
        )?
        .execute((
            handled.id,
            handled.time,
            connection.sealed_if_any(handled.refusal.as_ref()),
        ))?;
    Ok(n > 0)
}

/// A bare word is no secret.
fn sealed_arguments<'v>(connection: &Connection, verb: &'v str) -> Cow<'v, str> {
    if verb.contains(' ') {
        connection.sealed(verb)
    } else {
        Cow::Borrowed(verb)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{JobRow, query};

    #[test]
    fn a_job_is_asked_from_the_command_until_the_answer() {
        let connection = crate::testing::store();
        for id in ["1-W", "2-W"] {
            query::insert_job(&connection, &JobRow::new(id, 0)).unwrap();
        }
        assert_eq!(is_asked(&connection, "1-W"), Ok(false));
        let suspend = add(&connection, "1-W", "suspend", 1).unwrap();
        let resume = add(&connection, "1-W", "resume", 2).unwrap();
        assert_eq!(is_asked(&connection, "2-W"), Ok(false));
        for (id, is_asked_after) in [(suspend, true), (resume, false)] {
            let handled = Handled {
                id,
                time: 3,
                refusal: None,
            };
            assert_eq!(write_handled(&connection, &handled), Ok(true));
            assert_eq!(is_asked(&connection, "1-W"), Ok(is_asked_after));
        }
    }
}
