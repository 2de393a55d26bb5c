//! The SLAs of a job, as text and as JSON.

use hpdlc_core::sla::{Fired, SlaEventKind};
use hpdlc_engine::{owner::Session, sla};
use hpdlc_host::{
    clock::{self, format_duration},
    exit::RunError,
};
use hpdlc_store::{JobRow, SlaRow, slas};
use serde_json::{Value, json};

use crate::commands::info::{columns::Columns, format_local};

/// The SLAs of a job: its own, then those of its actions.
pub(super) fn of_job(session: &Session, job: &JobRow) -> Result<Vec<SlaRow>, RunError> {
    let connection = session.store()?;
    slas::of_job(&connection, &job.id).map_err(|error| session.describe(error))
}

/// The key `sla` of `info --json`.
pub(super) fn to_json(rows: &[SlaRow]) -> Value {
    rows.iter().map(row_json).collect()
}

pub(super) fn row_json(row: &SlaRow) -> Value {
    let (record, state) = (&row.record, &row.state);
    let time = |millis: Option<i64>| millis.and_then(clock::format_millis);
    let events: Vec<Value> = [
        SlaEventKind::Start,
        SlaEventKind::Duration,
        SlaEventKind::End,
    ]
    .into_iter()
    .filter_map(|kind| state.fired(kind))
    .map(|Fired { event, at }| json!({ "event": event.name(), "time": time(Some(at)) }))
    .collect();
    let alert_events = record.alert_events.as_ref().map(|events| {
        let names: Vec<&str> = events.iter().map(|event| event.name()).collect();
        names
    });
    json!({
        "node": row.node,
        "status": state.status.name(),
        "nominal_time": time(Some(record.nominal)),
        "expected_start": time(record.expected_start),
        "actual_start": time(state.actual_start),
        "expected_end": time(Some(record.expected_end)),
        "actual_end": time(state.actual_end),
        "expected_duration_ms": record.expected_duration,
        "events": events,
        "alert_events": alert_events,
        "alerts": !row.is_silent,
        "alert_contact": record.alert_contact,
        "notification_message": record.notification_message,
        "upstream_apps": record.upstream_apps,
    })
}

/// A line for each; empty if there are none.
pub(super) fn to_text(rows: &[SlaRow]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut columns = Columns::new(&["SLA", "STATUS", "START", "DURATION", "END"]);
    for row in rows {
        let (record, state) = (&row.record, &row.state);
        let by = |time: i64| format!("by {}", format_local(Some(time)));
        let longest = |millis: i64| format!("at most {}", format_duration(millis));
        columns.row(vec![
            sla::part(row).unwrap_or_else(|| "(job)".to_owned()),
            state.status.name().to_owned(),
            cell(state.start, record.expected_start.map(by)),
            cell(state.duration, record.expected_duration.map(longest)),
            cell(state.end, Some(by(record.expected_end))),
        ]);
        if row.is_silent {
            columns.note("no notification: its nominal time is too long ago".to_owned());
        }
    }
    columns.text()
}

/// The missed events; `None` if nothing was missed.
pub(super) fn missed(row: &SlaRow) -> Option<String> {
    let events = [
        SlaEventKind::Start,
        SlaEventKind::Duration,
        SlaEventKind::End,
    ]
    .into_iter();
    let missed: Vec<&str> = events
        .filter_map(|kind| row.state.fired(kind))
        .filter(|fired| fired.event.is_miss())
        .map(|fired| fired.event.name())
        .collect();
    (!missed.is_empty()).then(|| format!("SLA: {}", missed.join(", ")))
}

/// `MISS by 2026-11-20 09:30:00`.
fn cell(fired: Option<Fired>, expected: Option<String>) -> String {
    match (fired, expected) {
        (Some(Fired { event, .. }), Some(expected)) => {
            let how = if event.is_miss() { "MISS" } else { "MET" };
            format!("{how} {expected}")
        }
        (None, Some(expected)) => expected,
        (_, None) => "-".to_owned(),
    }
}

/// Warns if an SLA is overdue and no process has checked it.
pub(super) fn unwatched(
    session: &Session,
    job: &JobRow,
    rows: &[SlaRow],
    now: i64,
) -> Option<String> {
    /// A process that watches SLAs checks them a few times a second.
    const PATIENCE: i64 = 5_000;
    let is_late = rows.iter().any(|row| row.is_due(now - PATIENCE));
    (is_late && !session.has_owner(&job.root_id)).then(|| {
        "its SLA is not being checked: no process drives the job; recover checks it once, recover --watch continuously"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use hpdlc_core::sla::{Happened, SlaEvent, SlaRecord, SlaState};

    use super::*;

    fn row(story: &[Happened]) -> SlaRow {
        let record = SlaRecord {
            nominal: 0,
            expected_start: None,
            expected_end: 60_000,
            expected_duration: Some(30_000),
            alert_events: Some(vec![SlaEvent::EndMiss]),
            alert_contact: None,
            notification_message: None,
            upstream_apps: None,
        };
        let mut state = SlaState::NEW;
        for &happened in story {
            state.take(&record, happened);
        }
        SlaRow {
            job_id: "1".to_owned(),
            node: Some("load".to_owned()),
            record,
            is_silent: false,
            state,
            due: None,
        }
    }

    #[test]
    fn a_line_says_what_is_expected_and_what_came() {
        let line = |story: &[Happened]| {
            let text = to_text(&[row(story)]);
            let line = text.lines().nth(1).unwrap_or_default().to_owned();
            // The rest depends on the local time zone.
            let (before, _) = line.split_once("by ").unwrap();
            before.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(line(&[]), "load NOT_STARTED - at most 30s");
        let ended = Happened::Ended {
            at: 50_000,
            has_succeeded: true,
        };
        assert_eq!(
            line(&[Happened::Started { at: 0 }, ended]),
            "load MET - MISS at most 30s MET"
        );
        assert_eq!(to_text(&[]), "");
    }

    #[test]
    fn json_has_the_events_in_their_order() {
        let ended = Happened::Ended {
            at: 70_000,
            has_succeeded: true,
        };
        let value = to_json(&[row(&[Happened::Started { at: 1 }, ended])]);
        let events: Vec<&str> = value[0]["events"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|event| event["event"].as_str())
            .collect();
        assert_eq!(events, ["DURATION_MISS", "END_MISS"]);
        assert_eq!(value[0]["expected_start"], Value::Null);
        assert_eq!(value[0]["expected_end"], "1970-01-01T00:01:00.000Z");
    }
}
