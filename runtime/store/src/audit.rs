//! The audit of `hpdl serve`: every command that it was given, by whom, from where, and what became of it.
//!
//! A row is added before the command is carried out and completed afterwards, so that one whose server was killed is there too.

use crate::sql::{self, Connection, Row};

/// A command that a server was given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditRow {
    /// When it arrived, in milliseconds since 1970.
    pub time: i64,
    /// The user in whose name it was given, if one is known.
    pub user: Option<String>,
    /// The user who gave it in the other's name (`doAs`).
    pub proxy: Option<String>,
    /// The id of the token that proved it.
    pub token: Option<String>,
    /// The address of the client.
    pub address: Option<String>,
    /// Such as `kill`, `submit`, `systemmode`.
    pub operation: String,
    pub job_id: Option<String>,
    pub app: Option<String>,
    /// The parameters of the request.
    pub parameter: Option<String>,
    /// When it was answered, in milliseconds since 1970; `None` while it is carried out, or if the server died meanwhile.
    pub ended: Option<i64>,
    /// The HTTP status of the answer.
    pub status: Option<u16>,
    /// The code of the error, such as E0508.
    pub code: Option<String>,
    pub message: Option<String>,
}

/// What became of a command.
#[derive(Clone, Debug, Default)]
pub struct AuditEnd {
    /// Milliseconds since 1970.
    pub time: i64,
    pub status: u16,
    pub code: Option<String>,
    pub message: Option<String>,
    /// The job that it has created.
    pub job_id: Option<String>,
    pub app: Option<String>,
}

const COLUMNS: &str = "time, \"user\", proxy, token, address, operation, job_id, app, parameter, \
                       ended, status, code, message";

fn read(row: &Row<'_>) -> sql::Result<AuditRow> {
    Ok(AuditRow {
        time: row.get(0)?,
        user: row.get(1)?,
        proxy: row.get(2)?,
        token: row.get(3)?,
        address: row.get(4)?,
        operation: row.get(5)?,
        job_id: row.get(6)?,
        app: row.get(7)?,
        parameter: row.get(8)?,
        ended: row.get(9)?,
        status: row.get(10)?,
        code: row.get(11)?,
        message: row.get(12)?,
    })
}

/// Lets later commits of this connection return before they are on the disk. Audit rows need no sync of their own: the log of the store is
/// one file, and the commit of the command itself syncs what is before it.
///
/// # Errors
///
/// The database refuses.
pub fn without_sync(connection: &Connection) -> sql::Result<()> {
    connection.without_sync()
}

/// Adds a command that is about to be carried out; returns its row.
pub fn begin(connection: &Connection, row: &AuditRow) -> sql::Result<i64> {
    connection
        .prepare_cached(
            "INSERT INTO audit (time, \"user\", proxy, token, address, operation, job_id, app, parameter)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) RETURNING id",
        )?
        .query_row(
            (
                row.time,
                &row.user,
                &row.proxy,
                &row.token,
                &row.address,
                &row.operation,
                &row.job_id,
                &row.app,
                connection.sealed_if_any(row.parameter.as_ref()),
            ),
            |row| row.get(0),
        )
}

/// Completes a row.
pub fn end(connection: &Connection, id: i64, end: &AuditEnd) -> sql::Result<()> {
    connection
        .prepare_cached(
            "UPDATE audit SET ended = ?2, status = ?3, code = ?4, message = ?5,
             job_id = coalesce(job_id, ?6), app = coalesce(app, ?7) WHERE id = ?1",
        )?
        .execute((
            id,
            end.time,
            end.status,
            &end.code,
            connection.sealed_if_any(end.message.as_ref()),
            &end.job_id,
            &end.app,
        ))?;
    Ok(())
}

/// The commands for one job, the oldest first.
pub fn of_job(connection: &Connection, job: &str) -> sql::Result<Vec<AuditRow>> {
    let sql = format!("SELECT {COLUMNS} FROM audit WHERE job_id = ?1 ORDER BY id");
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map([job], read)?;
    rows.collect()
}

/// The commands that arrived in a millisecond.
pub fn at(connection: &Connection, time: i64) -> sql::Result<Vec<AuditRow>> {
    let sql = format!("SELECT {COLUMNS} FROM audit WHERE time = ?1 ORDER BY id");
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map([time], read)?;
    rows.collect()
}

/// The last commands, the oldest first.
pub fn last(connection: &Connection, n: u32) -> sql::Result<Vec<AuditRow>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM (SELECT * FROM audit ORDER BY id DESC LIMIT ?1) AS newest ORDER BY id"
    );
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map([n], read)?;
    rows.collect()
}

/// Which commands are looked for; texts are equal to those of the rows.
#[derive(Clone, Debug, Default)]
pub struct AuditFilter {
    pub user: Option<String>,
    pub operation: Option<String>,
    /// Begins so: several jobs of one request are in one row.
    pub job: Option<String>,
    /// Whether it was carried out.
    pub done: Option<bool>,
    /// In milliseconds since 1970, both included.
    pub since: Option<i64>,
    pub until: Option<i64>,
}

/// The commands that fit, the newest first, and how many there are in all.
pub fn found(
    connection: &Connection,
    filter: &AuditFilter,
    from: u32,
    most: u32,
) -> sql::Result<(Vec<AuditRow>, u64)> {
    const FITS: &str =
        "(CAST(?1 AS TEXT) IS NULL OR \"user\" = ?1 OR proxy = ?1) AND (CAST(?2 AS TEXT) IS NULL OR operation = ?2)
         AND (CAST(?3 AS TEXT) IS NULL OR substr(job_id, 1, length(?3)) = ?3)
         AND (CAST(?4 AS BIGINT) IS NULL OR CASE WHEN status < 400 THEN 1 ELSE 0 END = ?4)
         AND (CAST(?5 AS BIGINT) IS NULL OR time >= ?5) AND (CAST(?6 AS BIGINT) IS NULL OR time <= ?6)";
    let given = (
        &filter.user,
        &filter.operation,
        &filter.job,
        filter.done,
        filter.since,
        filter.until,
    );
    let count = format!("SELECT count(*) FROM audit WHERE {FITS}");
    let n: i64 = connection.query_row(&count, given, |row| row.get(0))?;
    let sql = format!(
        "SELECT {COLUMNS} FROM audit WHERE {FITS} ORDER BY id DESC LIMIT {most} OFFSET {from}"
    );
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map(given, read)?;
    let rows: sql::Result<Vec<AuditRow>> = rows.collect();
    Ok((rows?, u64::try_from(n).unwrap_or_default()))
}

/// The operations that there are, by name.
pub fn operations(connection: &Connection) -> sql::Result<Vec<String>> {
    let mut statement =
        connection.prepare("SELECT DISTINCT operation FROM audit ORDER BY 1 LIMIT 100")?;
    let rows = statement.query_map([], |row| row.get(0))?;
    rows.collect()
}

/// Deletes what arrived before `before`, in milliseconds since 1970, and is not about a job that exists; returns the number of rows.
pub fn purge(connection: &Connection, before: i64) -> sql::Result<usize> {
    connection.execute(
        "DELETE FROM audit WHERE time < ?1
         AND (job_id IS NULL OR NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = job_id))",
        [before],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{JobRow, query};

    #[test]
    fn a_command_is_there_before_it_is_answered_and_as_long_as_its_job() {
        let connection = crate::testing::store();
        query::insert_job(&connection, &JobRow::new("1-W", 0)).unwrap();
        let given = |job: Option<&str>, operation: &str| AuditRow {
            time: 5,
            user: Some("ada".to_owned()),
            operation: operation.to_owned(),
            job_id: job.map(str::to_owned),
            ..AuditRow::default()
        };
        let kill = begin(&connection, &given(Some("1-W"), "kill")).unwrap();
        let open = of_job(&connection, "1-W").unwrap();
        assert_eq!((open.len(), open[0].ended, open[0].status), (1, None, None));
        let ended = AuditEnd {
            time: 7,
            status: 401,
            code: Some("E0508".to_owned()),
            ..AuditEnd::default()
        };
        end(&connection, kill, &ended).unwrap();
        let submit = begin(&connection, &given(None, "submit")).unwrap();
        let created = AuditEnd {
            time: 8,
            status: 201,
            job_id: Some("2-W".to_owned()),
            ..AuditEnd::default()
        };
        end(&connection, submit, &created).unwrap();
        assert_eq!(of_job(&connection, "2-W").unwrap()[0].status, Some(201));
        assert_eq!(last(&connection, 1).unwrap()[0].operation, "submit");
        let count = |filter: AuditFilter| found(&connection, &filter, 0, 9).unwrap().1;
        let text = |text: &str| Some(text.to_owned());
        for (filter, n) in [
            (AuditFilter::default(), 2),
            (
                AuditFilter {
                    user: text("ada"),
                    ..AuditFilter::default()
                },
                2,
            ),
            (
                AuditFilter {
                    user: text("eve"),
                    ..AuditFilter::default()
                },
                0,
            ),
            (
                AuditFilter {
                    operation: text("kill"),
                    ..AuditFilter::default()
                },
                1,
            ),
            (
                AuditFilter {
                    job: text("2"),
                    ..AuditFilter::default()
                },
                1,
            ),
            (
                AuditFilter {
                    done: Some(false),
                    ..AuditFilter::default()
                },
                1,
            ),
            (
                AuditFilter {
                    since: Some(6),
                    ..AuditFilter::default()
                },
                0,
            ),
            (
                AuditFilter {
                    until: Some(5),
                    ..AuditFilter::default()
                },
                2,
            ),
        ] {
            assert_eq!(count(filter.clone()), n, "{filter:?}");
        }
        let (second, _) = found(&connection, &AuditFilter::default(), 1, 1).unwrap();
        assert_eq!(second[0].operation, "kill");
        assert_eq!(operations(&connection).unwrap(), ["kill", "submit"]);
        assert_eq!(purge(&connection, 5), Ok(0));
        assert_eq!(purge(&connection, 6), Ok(1));
        let left = last(&connection, 9).unwrap();
        assert_eq!(left.len(), 1);
        assert_eq!(left[0].code.as_deref(), Some("E0508"));
    }
}
