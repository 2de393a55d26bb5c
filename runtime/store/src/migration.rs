//! Copies a store to another database, row by row, and compares what is there then with what was copied.

use hpdlc_host::exit::RunError;

use crate::sql::{self, Connection, Dialect, Value, ValueRef, params_from_iter};

/// The tables with rows of their own, those that others refer to first, and by which columns a row is known. What triggers keep is not
/// among them.
const TABLES: [(&str, &str); 20] = [
    ("sequences", "name"),
    ("definitions", "hash"),
    ("registrations", "uri"),
    ("applications", "name"),
    ("tokens", "id"),
    ("audit", "id"),
    ("jobs", "id"),
    ("actions", "job_id, name"),
    ("log", "id"),
    ("commands", "id"),
    ("runs", "job_id, run"),
    ("past_actions", "job_id, job_run, name"),
    ("notifications", "id"),
    ("callbacks", "job_id, run, node, attempt"),
    ("slas", "job_id, node"),
    ("coordinators", "job_id"),
    ("coordinator_revisions", "job_id, revision"),
    ("coordinator_actions", "job_id, number"),
    ("bundles", "job_id"),
    ("unprepared", "job_id"),
];

/// How many rows are read at once.
const PAGE: i64 = 2_000;

/// A copied table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopiedTable {
    pub name: &'static str,
    pub n_rows: u64,
}

/// Why a store was not copied.
#[derive(Debug)]
pub enum MigrationError {
    Database(sql::Error),
    /// The other store has rows in this table.
    NotEmpty(&'static str),
    /// After the copy a table has other rows than before.
    Different(&'static str),
}

impl From<sql::Error> for MigrationError {
    fn from(error: sql::Error) -> MigrationError {
        MigrationError::Database(error)
    }
}

impl MigrationError {
    /// As shown to the user; `to` is the other store.
    pub fn describe(&self, to: &str) -> RunError {
        match self {
            MigrationError::Database(error) => {
                RunError::machine(format!("the job store was not copied to {to}: {error}"))
                    .with_help("nothing was changed there: correct the problem, and try again")
            }
            MigrationError::NotEmpty(table) => RunError::usage(format!(
                "the job store {to} is not empty: it has rows in `{table}`"
            ))
            .with_help("name an empty database or schema, or move the file away"),
            MigrationError::Different(table) => RunError::machine(format!(
                "the job store was not copied to {to}: the rows of `{table}` are not what they were"
            ))
            .with_help("nothing was changed there; report this"),
        }
    }
}

/// Copies all rows of `from` to `to`, which has the current format and no rows, in one transaction: all of it is there, compared, or
/// nothing. Nobody can write to either meanwhile.
///
/// # Errors
///
/// See [`MigrationError`].
pub fn copy(from: &Connection, to: &Connection) -> Result<Vec<CopiedTable>, MigrationError> {
    let source = from.transaction()?;
    let target = to.transaction()?;
    for (table, _) in &TABLES {
        let sql = format!("SELECT count(*) FROM {table}");
        let n: i64 = target.query_row(&sql, [], |row| row.get(0))?;
        if n > 0 {
            return Err(MigrationError::NotEmpty(table));
        }
    }
    let mut copied = Vec::new();
    for (table, key) in &TABLES {
        let columns = columns(&source, table)?;
        let n_rows = copy_table(&source, &target, table, key, &columns)?;
        continue_numbers(&target, table, &columns)?;
        copied.push(CopiedTable {
            name: table,
            n_rows,
        });
    }
    for (table, key) in &TABLES {
        let columns = columns(&source, table)?;
        if !is_same(&source, &target, table, key, &columns)? {
            return Err(MigrationError::Different(table));
        }
    }
    target.commit()?;
    Ok(copied)
}

/// The columns of a table, quoted, but for those that the database computes.
fn columns(connection: &Connection, table: &str) -> sql::Result<Vec<String>> {
    let mut statement = connection.prepare(&format!("SELECT * FROM {table} LIMIT 0"))?;
    let names = statement.query([])?.column_names();
    let stored = names
        .into_iter()
        .filter(|name| (table, name.as_str()) != ("jobs", "owner"));
    Ok(stored.map(|name| format!("\"{name}\"")).collect())
}

/// The rows of a table from `offset` on, in the order of their key.
fn page(
    connection: &Connection,
    table: &str,
    key: &str,
    columns: &[String],
    offset: i64,
) -> sql::Result<Vec<Vec<Value>>> {
    let sql = format!(
        "SELECT {} FROM {table} ORDER BY {key} LIMIT {PAGE} OFFSET {offset}",
        columns.join(", ")
    );
    connection
        .prepare(&sql)?
        .query_map([], |row| {
            // What is sealed stays so.
            (0..columns.len())
                .map(|at| value_of(row.get_ref(at)?))
                .collect()
        })?
        .collect()
}

fn copy_table(
    source: &Connection,
    target: &Connection,
    table: &str,
    key: &str,
    columns: &[String],
) -> sql::Result<u64> {
    let marks: Vec<String> = (1..=columns.len()).map(|n| format!("?{n}")).collect();
    let insert = format!(
        "INSERT INTO {table} ({}) VALUES ({})",
        columns.join(", "),
        marks.join(", ")
    );
    let mut n_rows = 0;
    loop {
        let rows = page(source, table, key, columns, n_rows)?;
        let n_read = i64::try_from(rows.len()).unwrap_or(i64::MAX);
        n_rows += n_read;
        // A page is sent at once.
        #[cfg(feature = "postgres")]
        let deferring = target.server().map(|server| server.deferring());
        for row in rows {
            target
                .prepare_cached(&insert)?
                .execute(params_from_iter(row))?;
        }
        #[cfg(feature = "postgres")]
        drop(deferring);
        if n_read < PAGE {
            return Ok(u64::try_from(n_rows).unwrap_or_default());
        }
    }
}

/// A value as it is in the database.
fn value_of(value: ValueRef<'_>) -> sql::Result<Value> {
    Value::try_from(value).map_err(|error| sql::Error::Value(error.to_string()))
}

/// Has the numbers of further rows follow those of the copied ones. SQLite does so by itself.
fn continue_numbers(target: &Connection, table: &str, columns: &[String]) -> sql::Result<()> {
    let is_numbered = ["log", "commands", "notifications", "audit"].contains(&table);
    if target.dialect() == Dialect::Sqlite || !is_numbered || columns.is_empty() {
        return Ok(());
    }
    let sql = format!(
        "SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table} HAVING max(id) > 0"
    );
    let mut statement = target.prepare(&sql)?;
    let mut rows = statement.query([])?;
    rows.next()?;
    Ok(())
}

fn is_same(
    source: &Connection,
    target: &Connection,
    table: &str,
    key: &str,
    columns: &[String],
) -> sql::Result<bool> {
    let mut offset = 0;
    loop {
        let [before, after] = [source, target].map(|it| page(it, table, key, columns, offset));
        let (before, after) = (before?, after?);
        let is_same = before.len() == after.len()
            && before.iter().zip(&after).all(|(before, after)| {
                let mut pairs = before.iter().zip(after);
                pairs.all(|(before, after)| is_same_value(before, after))
            });
        if !is_same {
            return Ok(false);
        }
        if before.len() < usize::try_from(PAGE).unwrap_or_default() {
            return Ok(true);
        }
        offset += PAGE;
    }
}

/// Texts of PostgreSQL have no NUL: there is U+FFFD in its place.
fn is_same_value(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Text(before), Value::Text(after)) => {
            before == after || before.replace('\0', "\u{fffd}") == *after
        }
        (before, after) => before == after,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{JobRow, LogRow, commands, query, schema};

    /// The tables that are not copied: what triggers keep, and what belongs to one database.
    const OTHERS: [&str; 7] = [
        "meta",
        "job_counts",
        "changes",
        "commits",
        "owner_commits",
        "hosts",
        "keys",
    ];

    fn filled() -> Connection {
        let connection = crate::testing::store();
        for n in 0..3 {
            let job = JobRow {
                app: format!("load{n}"),
                conf: "{\"user.name\":\"ada\",\"a\":\"ä\\u0000\"}".to_owned(),
                ..JobRow::new(&format!("{n}-W"), n)
            };
            query::insert_job(&connection, &job).unwrap();
            let line = LogRow {
                job_id: job.id.clone(),
                time: 5_000 + n,
                node: None,
                event: "RUNNING".to_owned(),
                message: Some("it's\n\"so\"".to_owned()),
            };
            line.write(&connection).unwrap();
            commands::add(&connection, &job.id, "suspend", n).unwrap();
        }
        query::next_number(&connection, query::JOBS).unwrap();
        connection
    }

    #[test]
    fn every_table_is_copied_or_known_not_to_be() {
        let known = TABLES.iter().map(|(table, _)| *table);
        let known: Vec<&str> = known.chain(OTHERS).collect();
        for table in schema::tables(&crate::testing::store()).unwrap() {
            assert!(known.contains(&table.as_str()), "{table}");
        }
    }

    #[test]
    fn a_copy_has_all_rows_and_goes_on_with_their_numbers() {
        let (from, to) = (filled(), crate::testing::store());
        let copied = copy(&from, &to).unwrap();
        let n_rows = |name| copied.iter().find(|it| it.name == name).map(|it| it.n_rows);
        assert_eq!((n_rows("jobs"), n_rows("log")), (Some(3), Some(3)));
        assert_eq!(query::job(&to, "2-W").unwrap().unwrap().app, "load2");
        assert_eq!(commands::add(&to, "1-W", "resume", 9), Ok(4));
        assert_eq!(query::next_number(&to, query::JOBS), Ok(2));
        let changed = |connection: &Connection| -> i64 {
            let sql = "SELECT sum(second) FROM changes";
            connection.query_row(sql, [], |row| row.get(0)).unwrap()
        };
        assert_eq!(changed(&from), changed(&to));
    }

    #[test]
    fn a_store_that_has_rows_is_not_copied_to() {
        let (from, to) = (filled(), filled());
        let refused = copy(&from, &to);
        assert!(matches!(
            refused,
            Err(MigrationError::NotEmpty("sequences"))
        ));
        assert!(to.is_autocommit() && from.is_autocommit());
    }
}
