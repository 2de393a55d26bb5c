//! Encrypts what a store already has: with the first key where there was none, or another one.

use crate::sql::{self, Connection, Dialect, Row, Value, ValueRef, params_from_iter};

/// The columns whose texts are sealed, by table, with the columns by which a row is known.
const SEALED: [(&str, &[&str], &[&str]); 12] = [
    ("definitions", &["hash"], &["secrets"]),
    ("jobs", &["id"], &["conf", "error_message"]),
    (
        "actions",
        &["job_id", "name"],
        &["error_message", "data", "note", "work"],
    ),
    ("log", &["id"], &["message"]),
    ("commands", &["id"], &["verb", "answer"]),
    ("runs", &["job_id", "run"], &["conf", "error_message"]),
    (
        "past_actions",
        &["job_id", "job_run", "name"],
        &["error_message", "data", "note"],
    ),
    (
        "notifications",
        &["id"],
        &["url", "proxy", "mail", "problem"],
    ),
    (
        "coordinator_revisions",
        &["job_id", "revision"],
        &["conf", "texts"],
    ),
    (
        "coordinator_actions",
        &["job_id", "number"],
        &["error_message", "inputs"],
    ),
    ("bundles", &["job_id"], &["state"]),
    ("audit", &["id"], &["parameter", "message"]),
];

/// How many rows are changed by one transaction: owners go on between them.
const PAGE: usize = 500;

/// Seals every text that the first key has not sealed; returns how many. Jobs may run meanwhile: a value that their owners change at the
/// same time is theirs. SQLite's file is written anew in the end.
///
/// # Errors
///
/// The database refuses, or one of the texts was sealed with a key that the connection does not have. What was sealed before stays so.
pub fn encrypt(connection: &Connection) -> sql::Result<u64> {
    let mut n_texts = 0;
    for (table, key, columns) in SEALED {
        n_texts += encrypt_table(connection, table, key, columns)?;
    }
    if connection.dialect() == Dialect::Sqlite {
        // What was overwritten is not to be found in the file, nor in its log.
        connection.execute_batch("VACUUM")?;
        let mut statement = connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)")?;
        let mut rows = statement.query([])?;
        while rows.next()?.is_some() {}
    }
    Ok(n_texts)
}

fn encrypt_table(
    connection: &Connection,
    table: &str,
    key: &[&str],
    columns: &[&str],
) -> sql::Result<u64> {
    let listed = [key, columns].concat().join(", ");
    let first = format!(
        "SELECT {listed} FROM {table} ORDER BY {} LIMIT {PAGE}",
        key.join(", ")
    );
    let marks: Vec<String> = (1..=key.len()).map(|n| format!("?{n}")).collect();
    // Row values are compared in the order of the key.
    let next = format!(
        "SELECT {listed} FROM {table} WHERE ({}) > ({}) ORDER BY {} LIMIT {PAGE}",
        key.join(", "),
        marks.join(", "),
        key.join(", ")
    );
    let mut n_texts = 0;
    let mut last: Option<Vec<Value>> = None;
    loop {
        let transaction = connection.transaction()?;
        let rows: Vec<Vec<Value>> = {
            let read = |row: &Row<'_>| {
                let n = key.len() + columns.len();
                (0..n).map(|at| value_of(row.get_ref(at)?)).collect()
            };
            let (sql, after) = match last.take() {
                None => (&first, Vec::new()),
                Some(last) => (&next, last),
            };
            transaction
                .prepare(sql)?
                .query_map(params_from_iter(after), read)?
                .collect::<sql::Result<_>>()?
        };
        for row in &rows {
            let (known_by, values) = row.split_at(key.len());
            for (column, value) in columns.iter().zip(values) {
                let Some(sealed) = sealed(&transaction, table, column, value)? else {
                    continue;
                };
                let conditions: Vec<String> = key
                    .iter()
                    .enumerate()
                    .map(|(n, name)| format!("{name} = ?{}", n + 2))
                    .collect();
                let sql = format!(
                    "UPDATE {table} SET {column} = ?1 WHERE {}",
                    conditions.join(" AND ")
                );
                let parameters = std::iter::once(Value::Text(sealed)).chain(known_by.to_vec());
                transaction
                    .prepare_cached(&sql)?
                    .execute(params_from_iter(parameters))?;
                n_texts += 1;
            }
        }
        transaction.commit()?;
        match rows.into_iter().nth(PAGE - 1) {
            Some(mut row) => {
                row.truncate(key.len());
                last = Some(row);
            }
            None => return Ok(n_texts),
        }
    }
}

/// A value as it is to be; `None` if it is so already.
fn sealed(
    connection: &Connection,
    table: &str,
    column: &str,
    value: &Value,
) -> sql::Result<Option<String>> {
    let (Some(keys), Value::Text(text)) = (connection.keys(), value) else {
        return Ok(None);
    };
    if keys.is_current(text) {
        return Ok(None);
    }
    let clear = if sql::is_sealed(text) {
        let opened = keys.open(text);
        opened.map_err(|error| sql::Error::Value(format!("{column} of {table}: {error}")))?
    } else {
        text.clone()
    };
    Ok(Some(match (table, column) {
        ("jobs" | "runs", "conf") => connection.sealed_properties(&clear).into_owned(),
        // A bare command is compared by the database.
        ("commands", "verb") if !clear.contains(' ') => return Ok(None),
        _ => connection.sealed(&clear).into_owned(),
    }))
}

/// How many texts the first key has not sealed, of those that hold properties and values.
///
/// # Errors
///
/// The database refuses.
pub fn left(connection: &Connection) -> sql::Result<u64> {
    let Some(keys) = connection.keys() else {
        return Ok(0);
    };
    let mut n = 0;
    for (table, column) in [("jobs", "conf"), ("runs", "conf"), ("actions", "work")] {
        let sql = format!("SELECT {column} FROM {table} WHERE {column} IS NOT NULL");
        let mut statement = connection.prepare(&sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            if let ValueRef::Text(text) = row.get_ref(0)? {
                n += u64::from(!keys.is_current(&String::from_utf8_lossy(text)));
            }
        }
    }
    Ok(n)
}

fn value_of(value: ValueRef<'_>) -> sql::Result<Value> {
    Value::try_from(value).map_err(|error| sql::Error::Value(error.to_string()))
}

#[cfg(test)]
mod tests;
