//! The outbox of notifications, and their delivery states.

use crate::{
    LogRow,
    sql::{self, Connection, Row},
};

/// A new notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewNotice {
    pub job_id: String,
    /// The job at the top: its owner sends.
    pub root_id: String,
    /// Its subject, as shown to the user.
    pub about: String,
    /// The recipients if it is a mail.
    pub url: String,
    /// A JSON object, if it is a mail and not a URL to call.
    pub mail: Option<String>,
    pub proxy: Option<String>,
    /// Milliseconds.
    pub timeout: i64,
    pub max_tries: i64,
    /// Milliseconds between tries.
    pub interval: i64,
    /// Milliseconds since 1970.
    pub created: i64,
}

/// A notification to be sent.
#[derive(Clone, Debug)]
pub struct Notice {
    pub id: i64,
    pub job_id: String,
    pub about: String,
    pub url: String,
    pub mail: Option<String>,
    pub proxy: Option<String>,
    pub timeout: i64,
    /// How often it was tried.
    pub tries: i64,
    pub max_tries: i64,
    pub interval: i64,
}

/// The maximal number read at once.
const AT_ONCE: i64 = 100;

pub fn insert(connection: &Connection, notice: &NewNotice) -> sql::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO notifications (job_id, root_id, about, url, proxy, timeout, tries, max_tries, \"interval\", created, due,
                 mail)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, ?7, ?8, ?9, ?9, ?10)",
        )?
        .execute((
            &notice.job_id,
            &notice.root_id,
            &notice.about,
            connection.sealed(&notice.url),
            connection.sealed_if_any(notice.proxy.as_ref()),
            notice.timeout,
            notice.max_tries,
            notice.interval,
            notice.created,
            connection.sealed_if_any(notice.mail.as_ref()),
        ))?;
    Ok(())
}

impl Notice {
    pub fn read(row: &Row<'_>) -> sql::Result<Notice> {
        Ok(Notice {
            id: row.get("id")?,
            job_id: row.get("job_id")?,
            about: row.get("about")?,
            url: row.get("url")?,
            mail: row.get("mail")?,
            proxy: row.get("proxy")?,
            timeout: row.get("timeout")?,
            tries: row.get("tries")?,
            max_tries: row.get("max_tries")?,
            interval: row.get("interval")?,
        })
    }
}

/// The due notifications, in the order of their events.
///
/// One that was never tried is due whatever the clock shows, and so is a retry further ahead than its interval: the clock was set back.
pub fn due(connection: &Connection, root: &str, now: i64) -> sql::Result<Vec<Notice>> {
    connection
        .prepare_cached(
            "SELECT id, job_id, about, url, mail, proxy, timeout, tries, max_tries, \"interval\" FROM notifications
             WHERE ended IS NULL AND root_id = ?1 AND (tries = 0 OR due <= ?2 OR due > ?2 + \"interval\")
             ORDER BY id LIMIT ?3",
        )?
        .query_map((root, now, AT_ONCE), Notice::read)?
        .collect()
}

/// When the next is due, as in [`due`]; `None` if nothing is left.
pub fn next_due(connection: &Connection, root: &str, now: i64) -> sql::Result<Option<i64>> {
    connection
        .prepare_cached(
            "SELECT min(CASE WHEN tries = 0 OR due > ?2 + \"interval\" THEN ?2 ELSE due END) FROM notifications
             WHERE ended IS NULL AND root_id = ?1",
        )?
        .query_row((root, now), |row| row.get(0))
}

/// Job trees with unsent notifications, and the definition of the job at the top.
pub fn open_trees(connection: &Connection) -> sql::Result<Vec<(String, String)>> {
    connection
        .prepare_cached(
            "SELECT DISTINCT notifications.root_id, jobs.hash FROM notifications
             JOIN jobs ON jobs.id = notifications.root_id WHERE notifications.ended IS NULL",
        )?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}

pub fn delivered(connection: &Connection, notice: &Notice, now: i64) -> sql::Result<()> {
    connection
        .prepare_cached(
            "UPDATE notifications SET ended = ?2, tries = tries + 1, problem = NULL WHERE id = ?1",
        )?
        .execute((notice.id, now))?;
    Ok(())
}

/// Records a failed try; it is retried later.
pub fn failed(
    connection: &Connection,
    notice: &Notice,
    now: i64,
    problem: &str,
) -> sql::Result<()> {
    connection
        .prepare_cached(
            "UPDATE notifications SET tries = tries + 1, due = ?2, problem = ?3 WHERE id = ?1",
        )?
        .execute((
            notice.id,
            now.saturating_add(notice.interval),
            connection.sealed(problem),
        ))?;
    Ok(())
}

/// Gives a notification up, with a line in the job's log.
pub fn given_up(
    connection: &Connection,
    notice: &Notice,
    now: i64,
    problem: &str,
) -> sql::Result<()> {
    let transaction = connection.transaction()?;
    transaction
        .prepare_cached(
            "UPDATE notifications SET ended = ?2, tries = tries + 1, problem = ?3 WHERE id = ?1",
        )?
        .execute((notice.id, now, transaction.sealed(problem)))?;
    let message = format!(
        "no notification of {} after {} attempts: {}: {problem}",
        notice.about,
        notice.tries + 1,
        notice.url
    );
    let line = LogRow {
        job_id: notice.job_id.clone(),
        time: now,
        node: None,
        event: "WARNING".to_owned(),
        message: Some(message),
    };
    line.write(&transaction)?;
    transaction.commit()
}

/// For one job: the number of unsent notifications, their last problem, and the number of those given up.
pub fn left(connection: &Connection, job: &str) -> sql::Result<(i64, Option<String>, i64)> {
    connection.query_row(
        "SELECT count(*) FILTER (WHERE ended IS NULL), max(problem) FILTER (WHERE ended IS NULL),
             count(*) FILTER (WHERE ended IS NOT NULL AND problem IS NOT NULL)
         FROM notifications WHERE job_id = ?1",
        [job],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: i64 = 60_000;

    fn store() -> Connection {
        let connection = crate::testing::store();
        connection
            .execute(
                "INSERT INTO jobs (id, kind, app, app_path, \"user\", status, run, created, conf, hash, app_index,
                     root_id, depth, epoch)
                 VALUES ('1', 'W', '', '', '', 'RUNNING', 0, 0, '{}', '', 0, '1', 0, 0)",
                [],
            )
            .unwrap();
        connection
    }

    fn add(connection: &Connection, about: &str, created: i64) {
        let notice = NewNotice {
            job_id: "1".to_owned(),
            root_id: "1".to_owned(),
            about: about.to_owned(),
            url: "http://here/".to_owned(),
            mail: None,
            proxy: None,
            timeout: 1,
            max_tries: 3,
            interval: MINUTE,
            created,
        };
        insert(connection, &notice).unwrap();
    }

    fn about(connection: &Connection, now: i64) -> Vec<String> {
        let due = due(connection, "1", now).unwrap();
        due.into_iter().map(|notice| notice.about).collect()
    }

    #[test]
    fn a_clock_that_is_set_back_holds_no_notification_back() {
        let connection = store();
        let hour = 60 * MINUTE;
        add(&connection, "before", 2 * hour);
        add(&connection, "after", hour);
        assert_eq!(about(&connection, hour), ["before", "after"]);
        assert_eq!(next_due(&connection, "1", hour).unwrap(), Some(hour));
        for notice in due(&connection, "1", 2 * hour).unwrap() {
            failed(&connection, &notice, 2 * hour, "nobody listens").unwrap();
        }
        assert_eq!(about(&connection, 2 * hour), [""; 0]);
        let retry = 2 * hour + MINUTE;
        assert_eq!(next_due(&connection, "1", 2 * hour).unwrap(), Some(retry));
        assert_eq!(about(&connection, retry), ["before", "after"]);
        // The retries are due within a minute, and not in an hour and a minute.
        assert_eq!(about(&connection, hour), ["before", "after"]);
        assert_eq!(next_due(&connection, "1", hour).unwrap(), Some(hour));
    }
}
