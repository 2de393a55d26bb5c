//! The format of the store, its version, and the checks and upgrades at opening.
//!
//! Within a major version only new tables and new nullable columns appear. Another major is refused and left untouched.

use std::borrow::Cow;

use hpdlc_host::{exit::RunError, home::store_location::StoreLocation};

use crate::sql::{self, Connection, Dialect, OptionalExtension};

pub(crate) mod encryption;
mod of_postgres;
mod tables;

use self::tables::{ADDED, CREATE};

/// Incremented when an older executable can no longer read the store.
pub const FORMAT_MAJOR: i64 = 1;
/// The major version while values are encrypted ([`encryption`]): executables that know nothing of that refuse the store.
pub const FORMAT_ENCRYPTED: i64 = 2;
/// Incremented with every new table, column or index: the length of [`ADDED`].
pub const FORMAT_MINOR: i64 = 13;

/// Creates the tables in a new file; does nothing if another process was faster. Called under the creation lock.
pub(super) fn create(connection: &Connection) -> sql::Result<()> {
    connection.pragma_update("journal_mode", "WAL")?;
    let transaction = connection.transaction()?;
    if !exists(&transaction)? {
        fill(&transaction)?;
    }
    transaction.commit()
}

/// Creates the tables.
pub(super) fn fill(connection: &Connection) -> sql::Result<()> {
    connection.execute_batch(&of_first_format(connection.dialect()))?;
    connection.execute(
        "INSERT INTO meta (format_major, format_minor) VALUES (?1, 0)",
        [FORMAT_MAJOR],
    )?;
    add(connection)
}

/// Upgrades a store of an older minor version; does nothing if another process was faster. Processes that have it open go on: they name the
/// columns that they know.
pub(super) fn upgrade(connection: &Connection) -> sql::Result<()> {
    let transaction = connection.transaction()?;
    add(&transaction)?;
    transaction.commit()
}

fn add(connection: &Connection) -> sql::Result<()> {
    let minor: i64 = connection.query_row("SELECT format_minor FROM meta", [], |row| row.get(0))?;
    let known = usize::try_from(minor).unwrap_or_default();
    for (n, added) in ADDED.iter().enumerate().skip(known) {
        connection.execute_batch(&of_addition(n, added, connection.dialect()))?;
    }
    if minor < FORMAT_MINOR {
        connection.execute("UPDATE meta SET format_minor = ?1", [FORMAT_MINOR])?;
    }
    Ok(())
}

fn of_first_format(dialect: Dialect) -> Cow<'static, str> {
    match dialect {
        Dialect::Sqlite => Cow::Borrowed(CREATE),
        Dialect::Postgres => Cow::Owned(of_postgres::first_format(CREATE)),
    }
}

fn of_addition(n: usize, added: &'static str, dialect: Dialect) -> Cow<'static, str> {
    match dialect {
        Dialect::Sqlite => Cow::Borrowed(added),
        Dialect::Postgres => of_postgres::addition(n, added),
    }
}

/// Refuses a store of another major version; returns whether it needs [`upgrade`].
pub(super) fn check(connection: &Connection, store: &StoreLocation) -> Result<bool, RunError> {
    let describe = |error: sql::Error| super::StoreError::from(error).describe(store);
    let (major, minor): (i64, i64) = connection
        .query_row("SELECT format_major, format_minor FROM meta", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .map_err(describe)?;
    if is_known(major) {
        return Ok(minor < FORMAT_MINOR);
    }
    Err(RunError::usage(format!(
        "the job store {store} has format {major}.{minor}; this executable reads format {FORMAT_MAJOR}"
    ))
    .with_help("use an executable that a matching version of hpdlc built, or another HPDL_HOME"))
}

/// Whether this executable reads stores of this major version.
pub fn is_known(major: i64) -> bool {
    [FORMAT_MAJOR, FORMAT_ENCRYPTED].contains(&major)
}

/// Whether the tables exist.
pub(super) fn exists(connection: &Connection) -> sql::Result<bool> {
    has_table(connection, "meta")
}

/// Whether there is a table of this name: stores of older formats have fewer.
///
/// # Errors
///
/// The database refuses.
pub fn has_table(connection: &Connection, name: &str) -> sql::Result<bool> {
    let sql = match connection.dialect() {
        Dialect::Sqlite => "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1",
        Dialect::Postgres => {
            "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = ?1"
        }
    };
    let found = connection.query_row(sql, [name], |_| Ok(())).optional()?;
    Ok(found.is_some())
}

/// The tables of the store, by name.
///
/// # Errors
///
/// The database refuses.
pub fn tables(connection: &Connection) -> sql::Result<Vec<String>> {
    let sql = match connection.dialect() {
        Dialect::Sqlite => {
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        }
        Dialect::Postgres => {
            "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename"
        }
    };
    connection
        .prepare(sql)?
        .query_map([], |row| row.get(0))?
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn location() -> StoreLocation {
        StoreLocation::Sqlite("jobs.db".into())
    }

    /// Every table with its columns.
    fn columns(connection: &Connection) -> Vec<(String, String)> {
        let sql = "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c
                   WHERE m.type = 'table' ORDER BY 1, 2";
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap();
        rows.map(Result::unwrap).collect()
    }

    #[test]
    fn a_store_of_the_first_format_gets_what_a_new_one_has() {
        let old = Connection::open_in_memory().unwrap();
        old.execute_batch(CREATE).unwrap();
        old.execute("INSERT INTO meta VALUES (1, 0)", []).unwrap();
        let new = Connection::open_in_memory().unwrap();
        create(&new).unwrap();
        for connection in [&old, &new] {
            insert(connection);
        }
        assert!(check(&old, &location()).unwrap());
        upgrade(&old).unwrap();
        upgrade(&old).unwrap();
        assert_eq!(columns(&old), columns(&new));
        assert_eq!(counted(&old), counted(&new));
        assert!(!check(&old, &location()).unwrap());
    }

    /// Jobs that end in other states than they began in, one that is removed, and lines of a log.
    fn insert(connection: &Connection) {
        connection
            .execute_batch(
                r#"
INSERT INTO jobs (id, kind, app, app_path, user, status, run, created, conf, hash, app_index, root_id, depth, epoch) VALUES
    ('1-W', 'W', 'load', '', 'root', 'PREP', 0, 1000, '{"user.name":"ada"}', '', 0, '1-W', 0, 0),
    ('2-W', 'W', 'load', '', 'root', 'PREP', 0, 2000, '{}', '', 0, '2-W', 0, 0),
    ('3-W', 'W', 'load', '', 'root', 'PREP', 0, 3000, '{}', '', 0, '3-W', 0, 0);
UPDATE jobs SET status = 'RUNNING' WHERE id = '1-W';
INSERT INTO log (job_id, time, event) VALUES ('1-W', 5999, 'RUNNING'), ('1-W', 5000, 'WARNING'), ('2-W', 2500, 'X');
INSERT INTO log (job_id, time, event) VALUES ('2-W', 7100, 'SUCCEEDED');
UPDATE jobs SET status = 'SUCCEEDED', ended = 7100 WHERE id = '2-W';
DELETE FROM log WHERE job_id = '3-W';
DELETE FROM jobs WHERE id = '3-W';
"#,
            )
            .unwrap();
    }

    /// What triggers keep, and what they are to keep.
    fn counted(connection: &Connection) -> [Vec<String>; 2] {
        let all = |sql: &str| {
            let mut statement = connection.prepare(sql).unwrap();
            let rows = statement.query_map([], |row| row.get(0)).unwrap();
            rows.map(Result::unwrap).collect()
        };
        let counts = "kind || app || owner || status";
        let found = [
            all(&format!("SELECT {counts} || n FROM job_counts ORDER BY 1")),
            all("SELECT job_id || kind || second FROM changes ORDER BY 1"),
        ];
        let expected = [
            all(&format!("SELECT {counts} || count(*) FROM jobs GROUP BY {counts} ORDER BY 1")),
            all(
                "SELECT id || kind || (coalesce((SELECT max(time) FROM log WHERE job_id = jobs.id), created) / 1000)
                 FROM jobs ORDER BY 1",
            ),
        ];
        assert_eq!(found, expected);
        assert_eq!(found[0], ["WloadadaRUNNING1", "WloadrootSUCCEEDED1"]);
        assert_eq!(found[1], ["1-WW5", "2-WW7"]);
        found
    }

    #[test]
    fn a_newer_minor_version_stays_what_it_is() {
        let newer = Connection::open_in_memory().unwrap();
        create(&newer).unwrap();
        newer
            .execute("UPDATE meta SET format_minor = 99", [])
            .unwrap();
        assert!(!check(&newer, &location()).unwrap());
        upgrade(&newer).unwrap();
        let minor: i64 = newer
            .query_row("SELECT format_minor FROM meta", [], |row| row.get(0))
            .unwrap();
        assert_eq!(minor, 99);
    }
}
