//! Service levels: expected and actual times of jobs, nodes and actions of coordinators. The filters are in the address.

use axum::http::Method;
use hpdlc_host::clock::format_duration;
use serde_json::{Value, json};

use crate::{
    api::level::{SlaDate, SlaSummary},
    serve::{
        call::Call,
        console::{
            links,
            marks::Mark,
            page::{self, Frame},
            paging::{self, Page},
        },
        reply::Reply,
        sla::{self as levels, Filter},
    },
};

/// Rows on a page.
const AT_ONCE: usize = 100;
/// Service levels of a search: older ones are found by other days.
const MOST: usize = 10_000;
const MINUTE: i64 = 60_000;
/// The states, as the API names them.
const STATES: [(&str, &str); 5] = [
    ("", "all states"),
    ("MISS", "missed"),
    ("MET", "met"),
    ("IN_PROCESS", "in process"),
    ("NOT_STARTED", "not started"),
];

/// `sla?app=&state=&first=&last=&from=`: days are of nominal times, in UTC.
pub(crate) fn sla(call: &Call) -> Reply {
    call.expect_method(&[Method::GET, Method::HEAD])?;
    let text = |name: &str| call.parameters.filled(name).unwrap_or_default().trim();
    let (app, state) = (text("app"), text("state"));
    let (first, last) = (text("first"), text("last"));
    let from: usize = text("from").parse().unwrap_or_default();
    let (since, until) = paging::days(first, last)?;
    let mut filter = Filter::default().nominal(since, until);
    if !app.is_empty() {
        filter = filter.with("app_name", app);
    }
    let connection = call.server.store()?;
    let all = levels::levels(call, &connection, &filter, true, MOST)?;
    let base = &call.server.base;
    let address = |state: &str, from: usize| {
        let from = paging::offset(from);
        let all = [
            ("app", app),
            ("state", state),
            ("first", first),
            ("last", last),
            ("from", from.as_str()),
        ];
        links::with_query(&links::sla(base), &all)
    };
    let counts: Vec<Value> = STATES
        .iter()
        .filter(|(name, _)| !name.is_empty())
        .map(|(name, _)| {
            let of_state = all.iter().filter(|(_, it)| it.sla_status == *name);
            json!({
                "mark": Mark::of(name),
                "n": of_state.count(),
                "href": address(name, 0),
                "chosen": *name == state,
            })
        })
        .collect();
    let fitting: Vec<_> = all
        .iter()
        .filter(|(_, it)| state.is_empty() || it.sla_status == state)
        .collect();
    let n_found = fitting.len();
    let mut rows = Vec::new();
    for (job, level) in fitting.into_iter().skip(from).take(AT_ONCE) {
        let app = call.server.mask(&connection, job)?.text(&level.app_name);
        rows.push(row(base, &app, level));
    }
    let states: Vec<Value> = STATES
        .iter()
        .map(|(value, name)| json!({ "value": value, "name": name, "chosen": *value == state }))
        .collect();
    let is_filtered = [app, state, first, last].iter().any(|it| !it.is_empty());
    let mut values = json!({
        "action": links::sla(base),
        "app": app,
        "first_day": first,
        "last_day": last,
        "states": states,
        "counts": counts,
        "rows": rows,
        "is_filtered": is_filtered,
    });
    let page = Page {
        from,
        most: AT_ONCE,
        n_found,
    };
    page.put(&mut values, |from| address(state, from));
    let frame = Frame::new("Service levels", "console/sla");
    page::html(call, frame, "sla", &values)
}

fn row(base: &str, app: &str, level: &SlaSummary) -> Value {
    let (id, what) = match level.id.split_once('@') {
        None => (level.id.as_str(), None),
        Some((id, what)) => (id, Some(what)),
    };
    let href = match what {
        Some(node) if id.ends_with("-W") => links::node(base, id, node),
        Some(number) => format!("{}#action-{}", links::job(base, id), links::part(number)),
        None => links::job(base, id),
    };
    let has_ended = level.actual_end.is_some();
    let missed: Vec<&str> = level
        .event_status
        .split(',')
        .filter_map(|event| match event {
            "START_MISS" => Some("started late"),
            "DURATION_MISS" => Some("took too long"),
            "END_MISS" if has_ended => Some("ended late"),
            "END_MISS" => Some("not ended in time"),
            _ => None,
        })
        .collect();
    json!({
        "app": app,
        "what": what,
        "href": href,
        "kind": kind(&level.app_type),
        "mark": Mark::of(&level.sla_status),
        "missed": missed.join(", "),
        "job": Mark::of(&level.job_status),
        "nominal": millis(level.nominal_time.as_ref()),
        "expected_start": millis(level.expected_start.as_ref()),
        "actual_start": millis(level.actual_start.as_ref()),
        "expected_end": millis(level.expected_end.as_ref()),
        "actual_end": millis(level.actual_end.as_ref()),
        "expected_duration": duration(level.expected_duration),
        "actual_duration": duration(level.actual_duration),
        "late": level.end_delay.filter(|late| *late > 0).map(|late| format_duration(late.saturating_mul(MINUTE))),
        "is_late_still": !has_ended,
        "is_silent": level.sla_alert_status == "Disabled",
    })
}

fn kind(app_type: &str) -> &'static str {
    match app_type {
        "WORKFLOW_JOB" => "workflow",
        "WORKFLOW_ACTION" => "node",
        _ => "action",
    }
}

fn millis(date: Option<&SlaDate>) -> Option<i64> {
    match date? {
        SlaDate::Millis(millis) => Some(*millis),
        SlaDate::Text(_) => None,
    }
}

/// -1 is none.
fn duration(millis: i64) -> Option<String> {
    (millis >= 0).then(|| format_duration(millis))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_level_leads_to_what_has_it() {
        for (id, href) in [
            ("1-W", "/console/job/1-W"),
            ("1-W@a b", "/console/job/1-W/node/a%20b"),
            ("2-C@3", "/console/job/2-C#action-3"),
        ] {
            let level = SlaSummary {
                id: id.to_owned(),
                event_status: "START_MISS,END_MISS".to_owned(),
                expected_duration: -1,
                actual_duration: 60_000,
                end_delay: Some(-2),
                ..SlaSummary::default()
            };
            let row = row("", "load", &level);
            assert_eq!(row["href"], href);
            assert_eq!(row["missed"], "started late, not ended in time");
            assert!(row["expected_duration"].is_null() && row["late"].is_null());
            assert_eq!(row["actual_duration"], format_duration(60_000));
        }
    }
}
