//! Alerts of SLA events: by the URL of a property, and to the contacts by mail, sent like notifications.

use hpdlc_core::{
    el::functions::basic::form_encoded,
    sla::{SlaEvent, SlaState, USUAL_ALERT_EVENTS, alert_events},
};
use hpdlc_executors::email::SlaMail;
use hpdlc_host::{clock::format_duration, job_id::JobKind, mask::Mask, settings::Settings};
use hpdlc_store::{JobRow, SlaRow, notifications::NewNotice};

use super::words;
use crate::notice::{self, WORKFLOW_PROXY};

/// The URL to call.
const URL: &str = "hpdl.sla.notification.url";

/// The events that are alerted if a block has no `alert-events`.
const ALERT_EVENTS: &str = "oozie.sla.service.SLAService.alert.events";

/// The subject of an alert.
#[derive(Clone, Copy, Debug)]
pub struct AlertSubject<'a> {
    pub job: &'a JobRow,
    pub row: &'a SlaRow,
    pub event: SlaEvent,
    /// Of the job or the action.
    pub status: &'a str,
    /// The secrets of the job that are not shown.
    pub mask: &'a Mask,
}

/// The consequences of an event.
#[derive(Debug)]
pub struct Consequences {
    /// The message for the log.
    pub words: String,
    /// Why an alert could not be sent, for the log too.
    pub note: Option<String>,
    pub notices: Vec<NewNotice>,
}

pub fn consequences(subject: AlertSubject<'_>, settings: Settings<'_>, now: i64) -> Consequences {
    let AlertSubject { row, event, .. } = subject;
    let mut words = words::describe(row, event);
    if let Some(message) = &row.record.notification_message
        && event.is_miss()
    {
        words.push_str(&format!(": {message}"));
    }
    let mut notices: Vec<NewNotice> = notice(subject, settings, now).into_iter().collect();
    let note = match mail(subject, settings, now) {
        Some(Ok(mail)) => {
            notices.push(mail);
            None
        }
        Some(Err(why)) => Some(why),
        None => None,
    };
    Consequences {
        words,
        note,
        notices,
    }
}

/// The URL to call for an event; `None` if it is not to be alerted.
fn notice(subject: AlertSubject<'_>, settings: Settings<'_>, now: i64) -> Option<NewNotice> {
    let url = settings.text(URL).filter(|_| is_told(subject, settings))?;
    let about = about(subject);
    let url = notice::replaced(url, &words_of(subject));
    Some(notice::notice(
        subject.job,
        about,
        url,
        WORKFLOW_PROXY,
        settings,
        now,
    ))
}

/// The mail to the block's contacts about a missed event; if no mail server is configured, a message that says so for the job's log.
fn mail(
    subject: AlertSubject<'_>,
    settings: Settings<'_>,
    now: i64,
) -> Option<Result<NewNotice, String>> {
    let AlertSubject {
        job, row, event, ..
    } = subject;
    let contact = row.record.alert_contact.as_deref()?;
    if !event.is_miss() || !is_told(subject, settings) {
        return None;
    }
    if !SlaMail::has_server(settings) {
        return Some(Err(format!(
            "no mail about {event} is sent to {contact}: oozie.email.smtp.host is not set"
        )));
    }
    let mail = SlaMail {
        to: contact.to_owned(),
        subject: format!(
            "OOZIE - SLA {event} (AppName={}, JobID={})",
            job.app,
            id(subject)
        ),
        body: body(subject),
    };
    let about = about(subject);
    let url = format!("mailto:{contact}");
    let mail = serde_json::to_string(&mail).expect("strings are JSON");
    Some(Ok(NewNotice {
        mail: Some(mail),
        ..notice::notice(job, about, url, WORKFLOW_PROXY, settings, now)
    }))
}

/// The subject of the alert, as shown to the user.
fn about(subject: AlertSubject<'_>) -> String {
    match words::part(subject.row) {
        Some(part) => format!("{part} {}", subject.event),
        None => format!("job {}", subject.event),
    }
}

/// Oozie's id of the job or action.
fn id(subject: AlertSubject<'_>) -> String {
    match &subject.row.node {
        Some(node) => format!("{}@{node}", subject.job.id),
        None => subject.job.id.clone(),
    }
}

fn body(subject: AlertSubject<'_>) -> String {
    let AlertSubject {
        job,
        row,
        event,
        status,
        mask,
    } = subject;
    let (record, state) = (&row.record, &row.state);
    let mut body = format!("{event}: {}\n\n", words::describe(row, event));
    let mut line = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            body.push_str(&format!("{name:<18}{}\n", mask.text(&value)));
        }
    };
    line("Message", record.notification_message.clone());
    line("Status", Some(status.to_owned()));
    line("SLA status", Some(state.status.name().to_owned()));
    let name = match JobKind::of(&job.id) {
        JobKind::Workflow => "Workflow",
        JobKind::Coordinator => "Coordinator",
        JobKind::Bundle => "Bundle",
    };
    line(name, Some(job.app.clone()));
    line("Job", Some(id(subject)));
    line("Parent", job.parent_id.clone());
    line("User", Some(job.user.clone()));
    line("Upstream apps", record.upstream_apps.clone());
    line("Nominal time", Some(words::time(record.nominal)));
    line("Expected start", record.expected_start.map(words::time));
    line("Actual start", state.actual_start.map(words::time));
    line("Expected end", Some(words::time(record.expected_end)));
    line("Actual end", state.actual_end.map(words::time));
    line(
        "Expected duration",
        record.expected_duration.map(format_duration),
    );
    line("Actual duration", took(state).map(format_duration));
    body
}

/// In milliseconds.
fn took(state: &SlaState) -> Option<i64> {
    let (start, end) = state.actual_start.zip(state.actual_end)?;
    Some(end - start)
}

fn is_told(subject: AlertSubject<'_>, settings: Settings<'_>) -> bool {
    let AlertSubject { row, event, .. } = subject;
    if row.is_silent {
        return false;
    }
    match &row.record.alert_events {
        Some(events) => events.contains(&event),
        None => {
            alert_events(settings.text(ALERT_EVENTS).unwrap_or(USUAL_ALERT_EVENTS)).contains(&event)
        }
    }
}

/// The tokens of the URL. Their values may contain anything, so they are encoded; absent ones are empty.
fn words_of(subject: AlertSubject<'_>) -> Vec<(&'static str, String)> {
    let AlertSubject {
        job,
        row,
        event,
        status,
        mask,
    } = subject;
    let (record, state) = (&row.record, &row.state);
    let time = |millis: Option<i64>| millis.map(words::time).unwrap_or_default();
    let minutes = |millis: Option<i64>| {
        millis.map_or_else(String::new, |millis| (millis / 60_000).to_string())
    };
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let words = [
        ("$jobId", job.id.clone()),
        ("$nodeName", text(&row.node)),
        ("$appName", job.app.clone()),
        ("$user", job.user.clone()),
        ("$parentId", text(&job.parent_id)),
        ("$event", event.name().to_owned()),
        ("$slaStatus", state.status.name().to_owned()),
        ("$status", status.to_owned()),
        ("$nominalTime", time(Some(record.nominal))),
        ("$expectedStart", time(record.expected_start)),
        ("$actualStart", time(state.actual_start)),
        ("$expectedEnd", time(Some(record.expected_end))),
        ("$actualEnd", time(state.actual_end)),
        ("$expectedDuration", minutes(record.expected_duration)),
        ("$actualDuration", minutes(took(state))),
        ("$alertContact", text(&record.alert_contact)),
        ("$notificationMsg", text(&record.notification_message)),
        ("$upstreamApps", text(&record.upstream_apps)),
    ];
    words
        .into_iter()
        .map(|(token, word)| (token, form_encoded(&mask.text(&word))))
        .collect()
}
