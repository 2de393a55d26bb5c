//! `v1/sla`: what has happened to jobs and actions with a service level, as the older service of Oozie lists it (`SLAServlet`).
//!
//! The events are rows of the log. Their numbers grow with time and never change, but not one by one: the registration has twice the number
//! of the first row of its subject, a new state of it twice the number of its row, and one.

use axum::body::Body;
use chrono::DateTime;
use hpdlc_store::{
    JobRow, SlaRow,
    sql::{self, Connection, Value},
};

use crate::{
    api::configuration::xml,
    serve::{
        call::Call,
        failure::Failure,
        found,
        reply::{self, Reply, XML},
        wire::workflow::owner,
    },
};

/// `sla.default.maxevents`.
const MOST_EVENTS: usize = 1_000;
const USUAL_EVENTS: usize = 100;

/// GET `v1/sla`.
pub(super) fn events(call: &Call) -> Reply {
    let filter = Filter::parse(call.parameters.get("filter").unwrap_or_default())?;
    let wrong = |text: &str| Failure::runtime(&format!("For input string: \"{text}\""));
    let most = match call.parameters.filled("max-events") {
        None => USUAL_EVENTS,
        Some(text) => match text.parse::<i32>() {
            Ok(most) => usize::try_from(most).unwrap_or_default(),
            Err(_) => return Err(wrong(text)),
        },
    };
    let Some(after) = call.parameters.get("gt-sequence-id") else {
        return Err(Failure::coded(
            "E0401",
            "Missing configuration property [gt-sequence-id parameter is not specified in the http request]",
        ));
    };
    let after: i64 = after.parse().map_err(|_| wrong(after))?;
    let connection = call.server.store()?;
    let found = read(&connection, &filter, after, most.min(MOST_EVENTS));
    let found = found.map_err(|error| call.server.failed(error))?;
    let last = found.last().map_or(after, |event| event.number);
    let mut text = "<sla-message>\n".to_owned();
    for event in &found {
        let Some(job) = found::job(call, &connection, &event.row.job_id)? else {
            continue;
        };
        text.push_str(&event.to_xml(&job));
    }
    text.push_str(&format!(
        "  <last-sequence-id>{last}</last-sequence-id>\n</sla-message>"
    ));
    // As Oozie's XML writer ends lines, and its servlet the answer.
    let text = format!("{}\n", text.replace('\n', "\r\n"));
    reply::text(XML, Body::from(text))
}

/// `jobid=...;appname=...`, several of a name for one of them.
#[derive(Debug, Default)]
struct Filter {
    jobs: Vec<String>,
    apps: Vec<String>,
}

impl Filter {
    fn parse(text: &str) -> Result<Filter, Failure> {
        let wrong = |problem: &str| {
            Failure::coded(
                "E0401",
                format!("Missing configuration property [{problem}]"),
            )
        };
        let mut filter = Filter::default();
        for part in text.split(';').filter(|part| !part.is_empty()) {
            let pair: Vec<&str> = part.split('=').collect();
            let [name, value] = pair[..] else {
                return Err(wrong(
                    "elements must be semicolon-separated name=value pairs",
                ));
            };
            match name {
                _ if value.is_empty() => {
                    return Err(wrong(
                        "elements must be semicolon-separated name=value pairs",
                    ));
                }
                "jobid" => filter.jobs.push(value.to_owned()),
                "appname" => filter.apps.push(value.to_owned()),
                _ => return Err(wrong("invalid/unsupported names in filter")),
            }
        }
        Ok(filter)
    }
}

/// One event.
struct Event {
    number: i64,
    /// In milliseconds since 1970.
    time: i64,
    /// `None` for the registration.
    status: Option<&'static str>,
    row: SlaRow,
}

/// The state in the words of `SLAEvent.Status`, of an event of the log.
fn status_of(event: &str) -> Option<&'static str> {
    match event {
        "RUNNING" => Some("STARTED"),
        "SUCCEEDED" | "OK" => Some("SUCCEEDED"),
        "KILLED" => Some("KILLED"),
        "FAILED" | "ERROR" | "TIMEDOUT" => Some("FAILED"),
        _ => None,
    }
}

/// The events with greater numbers than `after`, in their order.
fn read(
    connection: &Connection,
    filter: &Filter,
    after: i64,
    most: usize,
) -> sql::Result<Vec<Event>> {
    // The name of an application is a text of the older schema alone, and not stored.
    if !filter.apps.is_empty() {
        return Ok(Vec::new());
    }
    let mut condition = String::new();
    let mut values = vec![Value::Integer(after / 2)];
    if !filter.jobs.is_empty() {
        let marks = vec!["?"; filter.jobs.len()].join(", ");
        condition = format!(
            " AND CASE slas.node WHEN '' THEN slas.job_id ELSE slas.job_id || '@' || slas.node END IN ({marks})"
        );
        values.extend(filter.jobs.iter().cloned().map(Value::Text));
    }
    // The rows of a coordinator's action have its number after an `@`.
    let same = |of: &str| {
        format!(
            "{of}.job_id = slas.job_id AND coalesce({of}.node, '') =
                 CASE WHEN slas.node <> '' AND slas.job_id LIKE '%-C' THEN '@' || slas.node ELSE slas.node END"
        )
    };
    let sql = format!(
        "SELECT {}, log.id AS log_id, log.time, log.event,
             (SELECT count(*) FROM log AS earlier WHERE {} AND earlier.id < log.id) = 0 AS is_first,
             (SELECT event FROM log AS earlier WHERE {} AND earlier.id < log.id
                 AND event IN ('RUNNING', 'SUCCEEDED', 'OK', 'KILLED', 'FAILED', 'ERROR', 'TIMEDOUT')
                 ORDER BY earlier.id DESC LIMIT 1) AS before
         FROM slas JOIN log ON {}
         WHERE log.id >= ?{condition} ORDER BY log.id",
        SlaRow::COLUMNS
            .split(", ")
            .map(|column| format!("slas.{}", column.trim()))
            .collect::<Vec<_>>()
            .join(", "),
        same("earlier"),
        same("earlier"),
        same("log"),
    );
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query(sql::params_from_iter(values))?;
    let mut events = Vec::new();
    while let Some(found) = rows.next()? {
        let row = SlaRow::read(&found)?;
        let (id, time): (i64, i64) = (found.get("log_id")?, found.get("time")?);
        let event: String = found.get("event")?;
        let before: Option<String> = found.get("before")?;
        let registered = found.get::<_, bool>("is_first")?.then(|| Event {
            number: id.saturating_mul(2),
            time,
            status: None,
            row: row.clone(),
        });
        let status = status_of(&event);
        let is_new = before.as_deref().and_then(status_of) != status;
        let changed = status.filter(|_| is_new).map(|status| Event {
            number: id.saturating_mul(2).saturating_add(1),
            time,
            status: Some(status),
            row,
        });
        let both = registered.into_iter().chain(changed);
        events.extend(both.filter(|event| event.number > after));
        if events.len() >= most {
            break;
        }
    }
    events.truncate(most);
    Ok(events)
}

impl Event {
    /// `SLAEventBean.toXml`.
    fn to_xml(&self, job: &JobRow) -> String {
        let id = match &self.row.node {
            Some(node) => format!("{}@{node}", job.id),
            None => job.id.clone(),
        };
        let record = &self.row.record;
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let (element, texts) = match self.status {
            None => (
                "registration",
                vec![
                    ("sla-id", id),
                    ("app-type", super::kind(&self.row).to_owned()),
                    ("app-name", String::new()),
                    ("user", owner(job)),
                    ("group", String::new()),
                    ("parent-sla-id", "null".to_owned()),
                    (
                        "expected-start",
                        record.expected_start.map_or_else(String::new, date),
                    ),
                    ("expected-end", date(record.expected_end)),
                    ("status-timestamp", date(self.time)),
                    ("notification-msg", text(&record.notification_message)),
                    ("alert-contact", text(&record.alert_contact)),
                    ("dev-contact", String::new()),
                    ("qa-contact", String::new()),
                    ("se-contact", String::new()),
                    ("alert-percentage", String::new()),
                    ("alert-frequency", String::new()),
                    ("upstream-apps", text(&record.upstream_apps)),
                    ("job-status", "CREATED".to_owned()),
                    ("job-data", String::new()),
                ],
            ),
            Some(status) => (
                "status",
                vec![
                    ("sla-id", id),
                    ("status-timestamp", date(self.time)),
                    ("job-status", status.to_owned()),
                    ("job-data", String::new()),
                    ("user", String::new()),
                    ("group", String::new()),
                    ("app-name", String::new()),
                ],
            ),
        };
        let mut written = format!(
            "  <event>\n    <sequence-id>{}</sequence-id>\n    <{element}>\n",
            self.number
        );
        for (name, text) in texts {
            written.push_str(&match text.as_str() {
                "" => format!("      <{name} />\n"),
                text => format!("      <{name}>{}</{name}>\n", xml(text)),
            });
        }
        written.push_str(&format!("    </{element}>\n  </event>\n"));
        written
    }
}

fn date(millis: i64) -> String {
    let time = DateTime::from_timestamp_millis(millis).unwrap_or_default();
    time.format("%Y-%m-%dT%H:%MZ").to_string()
}
