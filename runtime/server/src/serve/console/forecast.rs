//! What `simulate` says for the next week of a coordinator: the times of its actions and the changes of clocks, on virtual time. It supposes
//! that data comes at its own time and that workflows succeed.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, Utc};
use hpdlc_core::time::{ProcessingZone, Zone};
use hpdlc_host::clock;
use hpdlc_store::{JobRow, coordinators, sql::Connection};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::serve::{
    call::Call,
    console::{
        head::{head, tabs},
        marks::Mark,
        page,
        subject::{self, Subject},
        zones,
    },
    failure::Failure,
    found, program,
    properties_file::PropertiesFile,
    reply::Reply,
    wire::workflow::properties,
};

/// Of a week.
const DAYS: i64 = 7;
/// Actions that are listed one by one; the others are counted by day.
const MOST_LISTED: usize = 60;

/// A line of `simulate --json`.
#[derive(Debug, Deserialize)]
struct Line {
    event: String,
    nominal_time: Option<String>,
    number: Option<u64>,
    status: Option<String>,
}

/// An action of the simulation.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Foreseen {
    number: u64,
    nominal: DateTime<Utc>,
    /// As the processing zone writes it.
    text: String,
    status: String,
}

/// The actions in what `simulate --json` prints, with their last states; in order of time.
fn read(printed: &str) -> Vec<Foreseen> {
    let mut all: BTreeMap<u64, Foreseen> = BTreeMap::new();
    for line in printed.lines() {
        let Ok(line) = serde_json::from_str::<Line>(line) else {
            continue;
        };
        let (Some(number), Some(text), Some(status)) =
            (line.number, line.nominal_time, line.status)
        else {
            continue;
        };
        let Some(nominal) = zones::read(&text).filter(|_| line.event == "action") else {
            continue;
        };
        let foreseen = Foreseen {
            number,
            nominal,
            text,
            status,
        };
        all.insert(number, foreseen);
    }
    all.into_values().collect()
}

/// `job/ID/forecast`
pub(crate) fn forecast(call: &Call, id: &str) -> Reply {
    let connection = call.server.store()?;
    let subject = subject::of(call, &connection, id)?;
    let job = &subject.job;
    let row = coordinators::coordinator(&connection, &job.id);
    let row = row.map_err(|error| call.server.failed(error))?;
    let row = row.ok_or_else(Failure::not_found)?;
    let (zone, zone_name) = zones::of(&row.timezone);
    let next = row.record.next_time.filter(|_| !row.record.is_done);
    let mut values = json!({
        "head_html": head(call, &connection, &subject)?,
        "tabs": tabs(call, job, "forecast"),
        "zone": zone_name, "from": null, "to": null, "line": null,
        "problem": null, "changes": [], "days": [], "actions": [], "n_all": 0, "n_more": 0,
    });
    if let Some(next) = next {
        // What is behind its time is created at once: the week begins with what is still to come.
        let now = DateTime::from_timestamp_millis(clock::now_millis()).unwrap_or_default();
        let from = next.max(now.min(row.record.end));
        let to = from + Duration::days(DAYS);
        values["from"] = json!(from.timestamp_millis());
        values["to"] = json!(to.timestamp_millis());
        values["changes"] = json!(zones::changes(zone, &zone_name, from, to));
        match simulated(call, &connection, &subject, from, to) {
            Ok(all) => {
                values["n_all"] = json!(all.len());
                values["n_more"] = json!(all.len().saturating_sub(MOST_LISTED));
                values["days"] = json!(days(zone, &all));
                let listed = all.iter().take(MOST_LISTED);
                values["actions"] = listed.map(|action| action_json(zone, action)).collect();
            }
            Err(failure) => values["problem"] = json!(subject.masks.text(&failure.message)),
        }
        values["line"] = json!(command_line(job, from, to));
    }
    let frame = subject::frame_below(call, &subject, "Next week");
    page::html(call, frame, "forecast", &values)
}

/// The words of the executable's command, without the file with the properties.
fn words(job: &JobRow, from: DateTime<Utc>, to: DateTime<Utc>) -> Vec<String> {
    let time = |time| ProcessingZone::UTC.write(time);
    let mut words = ["simulate", "--from", &time(from), "--to", &time(to)]
        .map(str::to_owned)
        .to_vec();
    if job.parent_id.is_some()
        && let Some(name) = &job.parent_node
    {
        words.push(format!("--coordinator={name}"));
    }
    words
}

fn command_line(job: &JobRow, from: DateTime<Utc>, to: DateTime<Utc>) -> String {
    format!("{} {} -c FILE", job.app, words(job, from, to).join(" "))
}

fn simulated(
    call: &Call,
    connection: &Connection,
    subject: &Subject,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
) -> Result<Vec<Foreseen>, Failure> {
    let job = &subject.job;
    // The properties of the bundle come before: the coordinator's own are made of them.
    let mut conf = BTreeMap::new();
    if let Some(bundle) = &job.parent_id
        && let Some(bundle) = found::job(call, connection, bundle)?
    {
        let masks = call.server.mask(connection, &bundle)?;
        conf.extend(properties(&bundle, &masks));
    }
    for (name, value) in properties(job, &subject.masks) {
        conf.entry(name).or_insert(value);
    }
    let file = PropertiesFile::new(&conf)?;
    let mut arguments = program::words(words(job, from, to).iter());
    arguments.extend(["--json".into(), "-c".into(), file.path().into()]);
    let printed = program::of_job(&call.server.session, job, &arguments)?;
    Ok(read(&String::from_utf8_lossy(&printed)))
}

fn action_json(zone: Zone, action: &Foreseen) -> Value {
    json!({
        "number": action.number,
        "time": action.nominal.timestamp_millis(),
        "text": action.text,
        "local": zone.local(action.nominal).format("%a %Y-%m-%d %H:%M").to_string(),
        "offset": zone.offset_at(action.nominal).to_string(),
        "mark": Mark::of(&action.status),
    })
}

/// The actions by days of the zone: how many, the first and the last.
fn days(zone: Zone, all: &[Foreseen]) -> Vec<Value> {
    let mut days: BTreeMap<String, Vec<&Foreseen>> = BTreeMap::new();
    for action in all {
        let day = zone.local(action.nominal).format("%Y-%m-%d %a").to_string();
        days.entry(day).or_default().push(action);
    }
    let time = |action: Option<&&Foreseen>| {
        action.map(|it| zone.local(it.nominal).format("%H:%M").to_string())
    };
    let shown = days.iter().map(|(day, actions)| {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for action in actions {
            *counts.entry(&action.status).or_default() += 1;
        }
        let counts: Vec<Value> = counts
            .into_iter()
            .map(|(status, n)| json!({ "mark": Mark::of(status), "n": n }))
            .collect();
        json!({
            "day": day,
            "n": actions.len(),
            "first": time(actions.first()),
            "last": time(actions.last()),
            "counts": counts,
        })
    });
    shown.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_state_of_each_action_counts_and_days_are_those_of_the_zone() {
        let line = |number: u64, time: &str, status: &str| {
            json!({ "event": "action", "number": number, "nominal_time": time, "status": status, "time": "x" }).to_string()
        };
        let printed = [
            line(7, "2026-11-28T22:00Z", "WAITING"),
            line(7, "2026-11-28T22:00Z", "SUCCEEDED"),
            line(8, "2026-11-28T23:00Z", "TIMEDOUT"),
            r#"{"event":"end","status":"SUCCEEDED","actions":{"SUCCEEDED":1}}"#.to_owned(),
            "no json".to_owned(),
        ];
        let all = read(&printed.join("\n"));
        let shown: Vec<(u64, &str)> = all
            .iter()
            .map(|it| (it.number, it.status.as_str()))
            .collect();
        assert_eq!(shown, [(7, "SUCCEEDED"), (8, "TIMEDOUT")]);
        let (berlin, _) = zones::of("Europe/Berlin");
        let of_days = days(berlin, &all);
        let shown: Vec<&str> = of_days.iter().filter_map(|it| it["day"].as_str()).collect();
        assert_eq!(shown, ["2026-11-28 Sat", "2026-11-29 Sun"]);
        assert_eq!(of_days[1]["first"], "00:00");
    }
}
