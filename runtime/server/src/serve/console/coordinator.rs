//! A coordinator: its actions, what each waits for and since when, and its next times.

use chrono::DateTime;
use hpdlc_runtime::fleet;
use hpdlc_store::sql::Connection;
use serde_json::{Value, json};

use crate::serve::{
    call::Call,
    console::{
        after,
        head::{head, tabs},
        links,
        marks::Mark,
        page, plan,
        subject::{self, Subject},
        zones,
    },
    reply::Reply,
};

/// Actions that have ended are shown up to this number; the newest.
const MOST_ENDED: usize = 100;
/// Of actions that have not.
const MOST_OPEN: usize = 200;

/// The page of a coordinator.
pub(crate) fn page(call: &Call, connection: &Connection, subject: &Subject) -> Reply {
    let job = &subject.job;
    let base = &call.server.base;
    let (info, problem) = subject::info(call, subject);
    let counts = info["counts"].as_object();
    let counts: Vec<Value> = counts
        .into_iter()
        .flatten()
        .map(|(status, n)| {
            json!({
                "mark": Mark::of(status),
                "n": n,
                "href": links::with_query(&links::job(base, &job.id), &[("state", status)]),
                "chosen": call.parameters.get("state") == Some(status),
            })
        })
        .collect();
    let state = call.parameters.filled("state");
    let (actions, n_more) = actions(call, subject, &info, state);
    let values = json!({
        "after_html": after::of_job(call, connection, subject)?,
        "head_html": head(call, connection, subject)?,
        "tabs": tabs(call, job, ""),
        "problem": problem,
        "frequency": text(&info, "frequency"),
        "unit": text(&info, "time_unit"),
        "timezone": text(&info, "timezone"),
        "start": zoned(&info["start_time"]),
        "end": zoned(&info["end_time"]),
        "pause": zoned(&info["pause_time"]),
        "next": zoned(&info["next_time"]),
        "concurrency": info["concurrency"].as_i64(),
        "counts": counts,
        "state": state,
        "all": links::job(base, &job.id),
        "actions": actions,
        "n_more": n_more,
        "rerun": links::of_job(base, &job.id, "command/rerun"),
        "can_rerun": plan::Verb::Rerun.is_offered(job, job.status.name()),
    });
    page::html(
        call,
        subject::own_frame(call, subject),
        "coordinator",
        &values,
    )
}

pub(crate) fn text(info: &Value, name: &str) -> String {
    match &info[name] {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// A time as the processing zone writes it, and in milliseconds; `null` for none.
pub(crate) fn zoned(time: &Value) -> Value {
    let Some(text) = time.as_str() else {
        return Value::Null;
    };
    json!({ "text": text, "millis": zones::read(text).map(|time| time.timestamp_millis()) })
}

/// The actions that have not ended, and the newest that have; the newest first.
fn actions(
    call: &Call,
    subject: &Subject,
    info: &Value,
    state: Option<&str>,
) -> (Vec<Value>, usize) {
    let base = &call.server.base;
    let all = info["actions"].as_array();
    let (mut shown, mut n_ended, mut n_open, mut n_more) = (Vec::new(), 0, 0, 0);
    for action in all.into_iter().flatten().rev() {
        let status = text(action, "status");
        if state.is_some_and(|state| state != status) {
            continue;
        }
        let is_open = matches!(
            status.as_str(),
            "WAITING" | "READY" | "SUBMITTED" | "RUNNING" | "SUSPENDED"
        );
        let (n, most) = match is_open {
            true => (&mut n_open, MOST_OPEN),
            false => (&mut n_ended, MOST_ENDED),
        };
        *n += 1;
        if *n > most {
            n_more += 1;
            continue;
        }
        let workflow = action["workflow_id"].as_str();
        let number = action["number"].to_string();
        let command = links::of_job(base, &subject.job.id, "command/rerun");
        let waits: Vec<Value> = action["waits"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|wait| json!({ "dataset": text(wait, "dataset"), "instance": text(wait, "instance"), "uri": text(wait, "uri") }))
            .collect();
        let since = action["since"].as_str();
        let since = since.and_then(|since| DateTime::parse_from_rfc3339(since).ok());
        let error = format!(
            "{} {}",
            text(action, "error_code"),
            text(action, "error_message")
        );
        shown.push(json!({
            "id": format!("action-{number}"),
            "number": number,
            "mark": Mark::of(&status),
            "nominal": zoned(&action["nominal_time"]),
            "workflow": workflow,
            "workflow_short": workflow.map(fleet::short_id),
            "href": workflow.map(|id| links::job(base, id)),
            "error": error.trim(),
            "why": action["why"].as_str(),
            "waits": waits,
            "since": since.filter(|_| is_open).map(|since| since.timestamp_millis()),
            "is_over": !is_open,
            "rerun": (!is_open).then(|| links::with_query(&command, &[("action", &number)])),
        }));
    }
    (shown, n_more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_both_kinds_of_zones_are_read() {
        for (text, millis) in [
            ("1970-01-01T00:01Z", Some(60_000)),
            ("1970-01-01T01:01+0100", Some(60_000)),
            ("soon", None),
        ] {
            assert_eq!(zoned(&json!(text))["millis"].as_i64(), millis, "{text}");
        }
        assert!(zoned(&Value::Null).is_null());
    }
}
