//! Received callbacks: each counts once per attempt (idempotence).

use crate::sql::{self, Connection};

/// The subject of a callback's URL.
#[derive(Clone, Copy, Debug)]
pub struct CallbackSubject<'a> {
    pub job: &'a str,
    pub run: i64,
    pub node: &'a str,
}

/// Records a callback; `false` if it was received before.
pub fn take(
    connection: &Connection,
    subject: CallbackSubject<'_>,
    attempt: i64,
    now: i64,
) -> sql::Result<bool> {
    let n = connection.execute(
        "INSERT INTO callbacks (job_id, run, node, attempt, taken) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT DO NOTHING",
        (subject.job, subject.run, subject.node, attempt, now),
    )?;
    Ok(n > 0)
}
