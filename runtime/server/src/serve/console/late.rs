//! What is late today: service levels that were missed, runs and waits that take longer than they usually do, and what is still to come.

use axum::http::Method;
use chrono::{DateTime, Days, Utc};
use hpdlc_host::clock;
use hpdlc_store::{
    JobRow,
    overview::{self as rows, SlaLine},
    query,
    sql::Connection,
};
use serde_json::{Value, json};

use crate::serve::{
    call::Call,
    console::{
        attention, grid, links,
        marks::Mark,
        page::{self, Frame},
        paging,
    },
    failure::Failure,
    reply::Reply,
};

/// The newest runs that are looked at.
const RUNS: u32 = 10_000;

/// `late?day=2026-11-28`; a day begins and ends at midnight UTC.
pub(crate) fn late(call: &Call) -> Reply {
    call.expect_method(&[Method::GET, Method::HEAD])?;
    let connection = call.server.store()?;
    let failed = |error| call.server.failed(error);
    let now = clock::now_millis();
    let base = &call.server.base;
    let day = day(call.parameters.filled("day"), now)?;
    let from = day.timestamp_millis();
    let to = from + paging::DAY - 1;
    let is_today = (from..=to).contains(&now);
    let slas = rows::slas_between(&connection, from, to).map_err(failed)?;
    let (mut missed, mut open, mut n_met) = (Vec::new(), Vec::new(), 0);
    for sla in &slas {
        let is_late = sla.actual_end.is_none() && sla.expected_end < now;
        match (sla.missed.is_empty() && !is_late, sla.actual_end) {
            (false, _) => missed.push(sla_json(call, &connection, sla, now)?),
            (true, Some(_)) => n_met += 1,
            (true, None) => open.push(sla_json(call, &connection, sla, now)?),
        }
    }
    let mut late = Vec::new();
    if is_today {
        let runs = rows::newest_runs(&connection, RUNS).map_err(failed)?;
        for (_, of_app) in grid::by_app(&runs) {
            late.extend(attention::late_runs(base, &of_app, now));
        }
        late.extend(attention::late_waits(call, &connection, now)?);
        late = attention::without_secrets(call, &connection, late)?;
    }
    let of_day = |day: DateTime<Utc>| {
        let day = day.format("%Y-%m-%d").to_string();
        links::with_query(&format!("{base}/console/late"), &[("day", &day)])
    };
    let values = json!({
        "day": day.format("%Y-%m-%d").to_string(),
        "is_today": is_today,
        "missed": missed,
        "late": late,
        "open": open,
        "n_met": n_met,
        "n_all": slas.len(),
        "before": day.checked_sub_days(Days::new(1)).map(of_day),
        "after": day.checked_add_days(Days::new(1)).filter(|_| !is_today).map(of_day),
    });
    page::html(
        call,
        Frame::new("Late today", "console/late"),
        "late",
        &values,
    )
}

/// The midnight at which the day begins.
fn day(text: Option<&str>, now: i64) -> Result<DateTime<Utc>, Failure> {
    match text {
        None => {
            let today = DateTime::from_timestamp_millis(now).unwrap_or_default();
            Ok(today
                .date_naive()
                .and_time(chrono::NaiveTime::MIN)
                .and_utc())
        }
        Some(text) => paging::midnight(text),
    }
}

fn sla_json(
    call: &Call,
    connection: &Connection,
    sla: &SlaLine,
    now: i64,
) -> Result<Value, Failure> {
    let base = &call.server.base;
    let job: Option<JobRow> =
        query::job(connection, &sla.job_id).map_err(|error| call.server.failed(error))?;
    let app = match &job {
        Some(job) => call.server.mask(connection, job)?.text(&sla.app),
        None => sla.app.clone(),
    };
    let lag = sla.actual_end.unwrap_or(now) - sla.expected_end;
    let is_late = sla.actual_end.is_none() && sla.expected_end < now;
    let words: Vec<&str> = match sla.missed.is_empty() && is_late {
        true => vec!["not ended"],
        false => sla.missed.iter().map(|event| words(event)).collect(),
    };
    let is_missed = is_late || !sla.missed.is_empty();
    Ok(json!({
        "app": app,
        "node": sla.node,
        "href": match sla.node.as_str() {
            "" => links::job(base, &sla.job_id),
            node if sla.job_id.ends_with("-W") => links::node(base, &sla.job_id, node),
            _ => links::job(base, &sla.job_id),
        },
        "mark": match is_missed {
            true => Mark { look: "bad", word: "MISSED".to_owned() },
            false => Mark { look: "waiting", word: "TO COME".to_owned() },
        },
        "what": words.join(", "),
        "expected": sla.expected_end,
        "actual": sla.actual_end,
        "lag": (lag > 0).then(|| clock::format_duration(lag)),
    }))
}

fn words(event: &str) -> &'static str {
    match event {
        "START_MISS" => "started late",
        "DURATION_MISS" => "took too long",
        _ => "ended late",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_at_midnight_utc() {
        let at = |text| day(text, 90_000_000).map(|day| day.timestamp_millis());
        assert_eq!(at(None).unwrap(), 86_400_000);
        assert_eq!(at(Some("1970-01-03")).unwrap(), 2 * 86_400_000);
        assert!(at(Some("tomorrow")).is_err());
        assert!(at(Some("9999999-01-01")).is_err());
    }
}
