//! A bundle: its coordinators with their states, what each did last, what waits and has failed, and when it goes on.

use hpdlc_runtime::fleet;
use hpdlc_store::sql::Connection;
use serde_json::{Map, Value, json};

use crate::serve::{
    call::Call,
    console::{
        after,
        coordinator::{text, zoned},
        head::{head, tabs},
        links,
        marks::Mark,
        page, plan,
        subject::{self, Subject},
    },
    reply::Reply,
};

/// States of actions that have not begun.
const WAITING: [&str; 3] = ["WAITING", "READY", "SUBMITTED"];
/// States of actions that somebody should look at.
const FAILED: [&str; 3] = ["FAILED", "KILLED", "TIMEDOUT"];

pub(crate) fn page(call: &Call, connection: &Connection, subject: &Subject) -> Reply {
    let job = &subject.job;
    let base = &call.server.base;
    let (info, problem) = subject::info(call, subject);
    let members = info["coordinators"].as_array();
    let members = members.map(Vec::as_slice).unwrap_or_default();
    let of_all = |states: &[&str]| -> u64 {
        members
            .iter()
            .map(|it| count(it["counts"].as_object(), states))
            .sum()
    };
    let can_rerun = plan::Verb::Rerun.is_offered(job, job.status.name());
    let error = format!(
        "{} {}",
        text(&info, "error_code"),
        text(&info, "error_message")
    );
    let values = json!({
        "after_html": after::of_job(call, connection, subject)?,
        "head_html": head(call, connection, subject)?,
        "tabs": tabs(call, job, ""),
        "problem": problem,
        "error": error.trim(),
        "kick_off": zoned(&info["kick_off_time"]),
        "pause": zoned(&info["pause_time"]),
        "n_members": members.len(),
        "n_waiting": of_all(&WAITING),
        "n_running": of_all(&["RUNNING", "SUSPENDED"]),
        "n_failed": of_all(&FAILED),
        "members": members
            .iter()
            .map(|member| member_json(base, &job.id, can_rerun, member))
            .collect::<Vec<_>>(),
    });
    page::html(call, subject::own_frame(call, subject), "bundle", &values)
}

/// How many actions are in one of these states.
fn count(counts: Option<&Map<String, Value>>, states: &[&str]) -> u64 {
    let counts = counts.into_iter().flatten();
    counts
        .filter(|(state, _)| states.contains(&state.as_str()))
        .filter_map(|(_, n)| n.as_u64())
        .sum()
}

fn member_json(base: &str, bundle: &str, can_rerun: bool, member: &Value) -> Value {
    let id = member["id"].as_str();
    let status = member["status"].as_str();
    let counts = member["counts"].as_object();
    let in_state = |state: &str| {
        let page = links::job(base, id?);
        Some(links::with_query(&page, &[("state", state)]))
    };
    let chips: Vec<Value> = counts
        .into_iter()
        .flatten()
        .map(|(state, n)| json!({ "mark": Mark::of(state), "n": n, "href": in_state(state) }))
        .collect();
    let actions = member["actions"].as_array();
    let actions = actions.map(Vec::as_slice).unwrap_or_default();
    let is_in = |action: &&Value, states: &[&str]| {
        let state = action["status"].as_str().unwrap_or_default();
        states.contains(&state)
    };
    let begun = |action: &&Value| !is_in(action, &WAITING);
    let error = format!(
        "{} {}",
        text(member, "error_code"),
        text(member, "error_message")
    );
    let name = text(member, "name");
    let command = links::of_job(base, bundle, "command/rerun");
    let unit = text(member, "time_unit");
    json!({
        "name": name,
        "id": id,
        "short": id.map(fleet::short_id),
        "href": id.map(|id| links::job(base, id)),
        "mark": Mark::of(status.unwrap_or("NOT SUBMITTED")),
        "error": error.trim(),
        "every": every(&text(member, "frequency"), &unit),
        "timezone": text(member, "timezone"),
        "next": zoned(&member["next_time"]),
        "end": zoned(&member["end_time"]),
        "chips": chips,
        "last": actions.iter().rfind(begun).map(|action| action_json(base, id, action)),
        "failed": actions.iter().rfind(|it| is_in(it, &FAILED)).map(|action| action_json(base, id, action)),
        "waiting": actions.iter().find(|it| is_in(it, &WAITING)).map(|action| action_json(base, id, action)),
        "rerun": (can_rerun && id.is_some()).then(|| links::with_query(&command, &[("coordinator", &name)])),
    })
}

/// `60 minutes`; what is no number is a pattern of cron, or words.
fn every(frequency: &str, unit: &str) -> String {
    let unit = unit.to_lowercase().replace('_', " ");
    match frequency.parse::<u64>() {
        Ok(1) => format!("1 {unit}"),
        Ok(n) => format!("{n} {unit}s"),
        Err(_) => frequency.to_owned(),
    }
}

fn action_json(base: &str, coordinator: Option<&str>, action: &Value) -> Value {
    let number = text(action, "number");
    let status = text(action, "status");
    let page = coordinator.map(|id| links::job(base, id));
    let workflow = action["workflow_id"].as_str();
    let error = format!(
        "{} {}",
        text(action, "error_code"),
        text(action, "error_message")
    );
    json!({
        "number": number,
        "mark": Mark::of(&status),
        "nominal": zoned(&action["nominal_time"]),
        // The job of the action; without one the line of the coordinator's page.
        "href": match workflow {
            Some(id) => Some(links::job(base, id)),
            None => page.map(|page| {
                let page = links::with_query(&page, &[("state", &status)]);
                format!("{page}#action-{}", links::part(&number))
            }),
        },
        "why": action["why"].as_str(),
        "error": error.trim(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coordinator_says_what_it_did_last_what_waits_and_what_has_failed() {
        let action = |number: u32, status: &str, workflow: Option<&str>| {
            json!({ "number": number, "status": status, "workflow_id": workflow,
                    "nominal_time": "2026-11-28T00:00Z", "why": null })
        };
        let member = json!({
            "name": "a&b", "id": "2-C", "status": "RUNNING", "frequency": "60", "time_unit": "MINUTE",
            "counts": { "FAILED": 1, "KILLED": 2, "SUCCEEDED": 1, "WAITING": 1, "READY": 1 },
            "actions": [
                action(1, "FAILED", Some("9-W")),
                action(2, "SUCCEEDED", None),
                action(3, "WAITING", None),
                action(4, "READY", None),
            ],
        });
        let counts = member["counts"].as_object();
        assert_eq!((count(counts, &WAITING), count(counts, &FAILED)), (2, 3));
        let shown = member_json("", "3-B", true, &member);
        assert_eq!(shown["failed"]["href"], "/console/job/9-W");
        assert_eq!(shown["last"]["number"], "2");
        assert_eq!(
            shown["waiting"]["href"],
            "/console/job/2-C?state=WAITING#action-3"
        );
        assert_eq!(
            shown["rerun"],
            "/console/job/3-B/command/rerun?coordinator=a%26b"
        );
        assert_eq!(shown["every"], "60 minutes");
        let unknown = json!({ "name": "x", "id": null, "status": null, "actions": [] });
        let shown = member_json("", "3-B", true, &unknown);
        assert_eq!(shown["mark"]["word"], "NOT SUBMITTED");
        assert!(shown["rerun"].is_null() && shown["last"].is_null());
    }
}
