//! The table `slas`: the service levels of jobs and of their actions.

use crate::sql::{self, Connection, OptionalExtension, Row};
use hpdlc_core::sla::{Fired, SlaEvent, SlaEventKind, SlaRecord, SlaState, SlaStatus};

use super::rows::read_name;

/// A row of `slas`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlaRow {
    pub job_id: String,
    /// The node of a workflow, or the number of a coordinator's action; `None` for the job itself.
    pub node: Option<String>,
    pub record: SlaRecord,
    /// Whether its events are not alerted.
    pub is_silent: bool,
    pub state: SlaState,
    /// When the clock has to be checked next. `None` for an action whose job has not started.
    pub due: Option<i64>,
}

impl SlaRow {
    /// Sets `due` to the time of the next check. An action is not checked before its job has begun.
    pub fn set_due(&mut self, has_begun: bool) {
        let is_watched = has_begun || self.node.is_none();
        self.due = self.state.next_look(&self.record).filter(|_| is_watched);
    }

    pub fn is_due(&self, now: i64) -> bool {
        self.due.is_some_and(|due| due <= now)
    }

    /// The columns that [`SlaRow::read`] reads.
    pub const COLUMNS: &'static str = "job_id, node, nominal, expected_start, expected_end, expected_duration, alert_events, \
         alert_contact, notification_message, upstream_apps, silent, status, actual_start, actual_end, start_event, \
         start_event_time, duration_event, duration_event_time, end_event, end_event_time, is_over, due";

    pub fn read(row: &Row<'_>) -> sql::Result<SlaRow> {
        let node: String = row.get("node")?;
        let alert_events: Option<String> = row.get("alert_events")?;
        let fired = |kind: SlaEventKind| -> sql::Result<Option<Fired>> {
            let column = column_of(kind);
            if row.get_ref(column)? == sql::ValueRef::Null {
                return Ok(None);
            }
            Ok(Some(Fired {
                event: read_name(row, column, SlaEvent::from_name)?,
                at: row.get(format!("{column}_time").as_str())?,
            }))
        };
        Ok(SlaRow {
            job_id: row.get("job_id")?,
            node: Some(node).filter(|node| !node.is_empty()),
            record: SlaRecord {
                nominal: row.get("nominal")?,
                expected_start: row.get("expected_start")?,
                expected_end: row.get("expected_end")?,
                expected_duration: row.get("expected_duration")?,
                alert_events: alert_events
                    .map(|events| events.split(',').filter_map(SlaEvent::from_name).collect()),
                alert_contact: row.get("alert_contact")?,
                notification_message: row.get("notification_message")?,
                upstream_apps: row.get("upstream_apps")?,
            },
            is_silent: row.get("silent")?,
            state: SlaState {
                status: read_name(row, "status", SlaStatus::from_name)?,
                actual_start: row.get("actual_start")?,
                actual_end: row.get("actual_end")?,
                start: fired(SlaEventKind::Start)?,
                duration: fired(SlaEventKind::Duration)?,
                end: fired(SlaEventKind::End)?,
                is_over: row.get("is_over")?,
            },
            due: row.get("due")?,
        })
    }
}

/// The column of the events of this kind. That of their times has the suffix `_time`.
fn column_of(kind: SlaEventKind) -> &'static str {
    match kind {
        SlaEventKind::Start => "start_event",
        SlaEventKind::Duration => "duration_event",
        SlaEventKind::End => "end_event",
    }
}

/// The service levels of a job and of its actions, the job's first.
pub fn of_job(connection: &Connection, job: &str) -> sql::Result<Vec<SlaRow>> {
    let sql = format!(
        "SELECT {} FROM slas WHERE job_id = ?1 ORDER BY node",
        SlaRow::COLUMNS
    );
    connection
        .prepare_cached(&sql)?
        .query_map([job], SlaRow::read)?
        .collect()
}

/// The service levels of a coordinator's actions that are not over.
pub fn unfinished(connection: &Connection, job: &str) -> sql::Result<Vec<SlaRow>> {
    let sql = format!(
        "SELECT {} FROM slas WHERE job_id = ?1 AND is_over = 0",
        SlaRow::COLUMNS
    );
    connection
        .prepare(&sql)?
        .query_map([job], SlaRow::read)?
        .collect()
}

/// The service level of a coordinator's action.
pub fn of_action(connection: &Connection, job: &str, number: u64) -> sql::Result<Option<SlaRow>> {
    let sql = format!(
        "SELECT {} FROM slas WHERE job_id = ?1 AND node = ?2",
        SlaRow::COLUMNS
    );
    connection
        .prepare_cached(&sql)?
        .query_row((job, number.to_string()), SlaRow::read)
        .optional()
}

/// Deletes the service level of an action whose creation was undone.
pub fn forget_action(connection: &Connection, job: &str, number: u64) -> sql::Result<()> {
    connection
        .prepare_cached("DELETE FROM slas WHERE job_id = ?1 AND node = ?2")?
        .execute((job, number.to_string()))?;
    Ok(())
}

/// Inserts or updates a row.
pub fn write(connection: &Connection, row: &SlaRow) -> sql::Result<()> {
    let SlaRow {
        job_id,
        node,
        record,
        is_silent,
        state,
        due,
    } = row;
    let alert_events = record.alert_events.as_ref().map(|events| {
        let names: Vec<&str> = events.iter().map(|event| event.name()).collect();
        names.join(",")
    });
    let event = |kind| state.fired(kind).map(|fired| fired.event.name());
    let time = |kind| state.fired(kind).map(|fired| fired.at);
    connection
        .prepare_cached(
            "INSERT INTO slas (job_id, node, nominal, expected_start, expected_end, expected_duration, alert_events,
                 alert_contact, notification_message, upstream_apps, silent, status, actual_start, actual_end,
                 start_event, start_event_time, duration_event, duration_event_time, end_event, end_event_time, is_over,
                 due)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21,
                 ?22)
             ON CONFLICT (job_id, node) DO UPDATE SET nominal = excluded.nominal,
                 expected_start = excluded.expected_start, expected_end = excluded.expected_end,
                 expected_duration = excluded.expected_duration, alert_events = excluded.alert_events,
                 alert_contact = excluded.alert_contact, notification_message = excluded.notification_message,
                 upstream_apps = excluded.upstream_apps, silent = excluded.silent, status = excluded.status, actual_start = excluded.actual_start,
                 actual_end = excluded.actual_end, start_event = excluded.start_event,
                 start_event_time = excluded.start_event_time, duration_event = excluded.duration_event,
                 duration_event_time = excluded.duration_event_time, end_event = excluded.end_event,
                 end_event_time = excluded.end_event_time, is_over = excluded.is_over, due = excluded.due",
        )?
        .execute(sql::params![
            job_id,
            node.as_deref().unwrap_or_default(),
            record.nominal,
            record.expected_start,
            record.expected_end,
            record.expected_duration,
            alert_events,
            record.alert_contact,
            record.notification_message,
            record.upstream_apps,
            is_silent,
            state.status.name(),
            state.actual_start,
            state.actual_end,
            event(SlaEventKind::Start),
            time(SlaEventKind::Start),
            event(SlaEventKind::Duration),
            time(SlaEventKind::Duration),
            event(SlaEventKind::End),
            time(SlaEventKind::End),
            state.is_over,
            due,
        ])?;
    Ok(())
}

/// Deletes the service level of a job, and those of its nodes that are not in the table of actions: what a rerun runs again is registered
/// anew.
pub fn forget_unskipped(connection: &Connection, job: &str) -> sql::Result<()> {
    connection.execute(
        "DELETE FROM slas WHERE job_id = ?1 AND NOT EXISTS
             (SELECT 1 FROM actions WHERE actions.job_id = ?1 AND name = node)",
        [job],
    )?;
    Ok(())
}

/// The next time after `now` at which the service level of some job is due.
pub fn next_due(connection: &Connection, now: i64) -> sql::Result<Option<i64>> {
    connection
        .prepare_cached("SELECT min(due) FROM slas WHERE due > ?1")?
        .query_row([now], |row| row.get(0))
        .optional()
        .map(Option::flatten)
}

#[cfg(test)]
mod tests {
    use hpdlc_core::sla::Happened;

    use super::*;

    fn store() -> Connection {
        let connection = crate::testing::store();
        for (id, status) in [("1", "PREP"), ("2", "SUCCEEDED")] {
            connection
                .execute(
                    "INSERT INTO jobs (id, kind, app, app_path, \"user\", status, run, created, conf, hash, app_index,
                         root_id, depth, epoch)
                     VALUES (?1, 'W', '', '', '', ?2, 0, 0, '{}', '', 0, ?1, 0, 0)",
                    (id, status),
                )
                .unwrap();
        }
        connection
    }

    fn row(job: &str, node: Option<&str>) -> SlaRow {
        SlaRow {
            job_id: job.to_owned(),
            node: node.map(str::to_owned),
            record: SlaRecord {
                nominal: 0,
                expected_start: Some(10),
                expected_end: 30,
                expected_duration: Some(15),
                alert_events: Some(vec![SlaEvent::StartMiss, SlaEvent::EndMiss]),
                alert_contact: Some("ann@example.com".to_owned()),
                notification_message: None,
                upstream_apps: Some("a,b".to_owned()),
            },
            is_silent: true,
            state: SlaState::NEW,
            due: None,
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let connection = store();
        let mut job = row("1", None);
        let mut action = row("1", Some("a"));
        action.record.alert_events = None;
        write(&connection, &job).unwrap();
        write(&connection, &action).unwrap();
        job.state.take(&job.record, Happened::Started { at: 12 });
        job.set_due(true);
        assert_eq!(job.due, Some(28));
        job.state.take(&job.record, Happened::Looked { at: 28 });
        write(&connection, &job).unwrap();
        assert_eq!(of_job(&connection, "1").unwrap(), [job, action]);
    }

    #[test]
    fn actions_wait_for_their_job() {
        let (mut job, mut action) = (row("1", None), row("1", Some("a")));
        for row in [&mut job, &mut action] {
            row.set_due(false);
        }
        assert_eq!((job.due, action.due), (Some(11), None));
        action.set_due(true);
        assert_eq!(action.due, Some(11));
        assert!(action.is_due(11) && !action.is_due(10));
        let connection = store();
        write(&connection, &job).unwrap();
        assert_eq!(next_due(&connection, 10).unwrap(), Some(11));
        assert_eq!(next_due(&connection, 11).unwrap(), None);
    }

    #[test]
    fn a_rerun_forgets_what_it_runs_again() {
        let connection = store();
        for node in [None, Some("a"), Some("b")] {
            write(&connection, &row("2", node)).unwrap();
        }
        connection
            .execute(
                "INSERT INTO actions (job_id, name, type, status, retries, attempt, user_retries, transient_retries,
                     live_strands, canceling)
                 VALUES ('2', 'a', 'shell', 'OK', 0, 1, 0, 0, 0, 0)",
                [],
            )
            .unwrap();
        forget_unskipped(&connection, "2").unwrap();
        assert_eq!(of_job(&connection, "2").unwrap(), [row("2", Some("a"))]);
    }
}
