//! Statements of PostgreSQL, as the model carries them out.

use std::sync::Arc;

use rusqlite::params_from_iter;

use crate::sql::{
    Connection, ServerError, Value,
    postgres::session::{Answer, Query},
};

/// What a statement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Begin,
    Commit,
    Rollback,
    /// Waits for the lock that writers have, alone or together.
    LockAlone,
    LockShared,
    TakeJob,
    Setting,
    Reads,
    Writes,
}

/// A statement in SQLite's words.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) kind: Kind,
    pub(super) sql: Arc<str>,
    /// It asks for the time.
    pub(super) is_timed: bool,
}

/// The clock of the server.
const NOW: &str = "(SELECT now FROM model_clock)";

/// What only PostgreSQL knows, and the same for SQLite.
const WORDS: [(&str, &str); 4] = [
    ("(extract(epoch FROM now()) * 1000)::bigint", NOW),
    (
        "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)",
        NOW,
    ),
    (
        "living_hosts()",
        "(SELECT * FROM hosts WHERE seen + timeout > (SELECT now FROM model_clock))",
    ),
    (
        "split_part(boot_id, '@', 2)",
        "CASE instr(boot_id, '@') WHEN 0 THEN '' ELSE substr(boot_id, instr(boot_id, '@') + 1) END",
    ),
];

impl Text {
    pub(super) fn of(sql: &str) -> Text {
        let first = sql.split_whitespace().next().unwrap_or_default();
        let kind = match first {
            "BEGIN" => Kind::Begin,
            "COMMIT" => Kind::Commit,
            "ROLLBACK" => Kind::Rollback,
            "SET" => Kind::Setting,
            "SELECT" if sql.contains("pg_advisory_xact_lock_shared(") => Kind::LockShared,
            "SELECT" if sql.contains("pg_advisory_xact_lock(") => Kind::LockAlone,
            "SELECT" if sql.contains("take_job(") => Kind::TakeJob,
            "SELECT" | "WITH" => Kind::Reads,
            _ => Kind::Writes,
        };
        let mut text = sql.to_owned();
        for (of_postgres, of_sqlite) in WORDS {
            text = text.replace(of_postgres, of_sqlite);
        }
        Text {
            kind,
            is_timed: text.contains(NOW),
            sql: numbered(&text).into(),
        }
    }
}

/// `?1` for `$1`.
fn numbered(sql: &str) -> String {
    let mut text = String::with_capacity(sql.len());
    let mut chars = sql.chars().peekable();
    while let Some(c) = chars.next() {
        let is_parameter = c == '$' && chars.peek().is_some_and(char::is_ascii_digit);
        text.push(if is_parameter { '?' } else { c });
    }
    text
}

/// The arguments of `take_job`: the store, the number of the job, its id, the host.
pub(super) fn taken(sql: &str) -> Option<(i64, i64, String, String)> {
    let arguments = sql.split_once("take_job(")?.1.split_once(')')?.0;
    let mut arguments = arguments.split(", ");
    let quoted = |text: &str| text.trim_matches('\'').to_owned();
    Some((
        arguments.next()?.parse().ok()?,
        arguments.next()?.parse().ok()?,
        quoted(arguments.next()?),
        quoted(arguments.next()?),
    ))
}

/// An error that another attempt does not mend.
pub(super) fn own(error: impl ToString) -> ServerError {
    ServerError::of_client(error.to_string())
}

/// Has SQLite carry out a statement.
pub(super) fn execute(
    rows: &Connection,
    text: &Text,
    query: &Query,
    now: i64,
) -> Result<Answer, ServerError> {
    let Some(sqlite) = rows.sqlite() else {
        return Err(own("the rows are SQLite's"));
    };
    if text.is_timed {
        let clock = sqlite.prepare_cached("UPDATE model_clock SET now = ?1");
        clock.and_then(|mut it| it.execute([now])).map_err(own)?;
    }
    let failed = |error: rusqlite::Error| own(format!("{error} in: {}", text.sql));
    let mut statement = sqlite.prepare_cached(&text.sql).map_err(failed)?;
    let params = params_from_iter(query.params.iter());
    let n_columns = statement.column_count();
    if n_columns == 0 {
        let n_changed = statement.execute(params).map_err(failed)?;
        return Ok(Answer {
            n_changed: n_changed as u64,
            ..Answer::default()
        });
    }
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut found = statement.query(params).map_err(failed)?;
    let mut answer = Answer {
        columns: columns.into(),
        ..Answer::default()
    };
    while let Some(row) = found.next().map_err(failed)? {
        let values = (0..n_columns).map(|at| row.get::<_, Value>(at));
        answer
            .rows
            .push(values.collect::<rusqlite::Result<_>>().map_err(failed)?);
    }
    answer.n_changed = answer.rows.len() as u64;
    Ok(answer)
}
