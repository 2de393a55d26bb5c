//! What changed between a run and another one, by default the last that worked before it: properties, definition, and what each node did.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use hpdlc_host::clock::format_duration;
use hpdlc_runtime::fleet;
use hpdlc_store::{ActionRow, overview};
use serde_json::{Value, json};

use crate::serve::{
    call::Call,
    console::{
        executable,
        graph_diff::{self, Change, NodeChange, Version},
        head::{head, tabs},
        line_diff::{self, Line},
        links,
        marks::Mark,
        nodes, page,
        subject::{self, Subject},
    },
    definition,
    failure::Failure,
    reply::Reply,
    wire::workflow,
};

/// Properties that differ from run to run, and mean nothing.
const OF_EACH_RUN: [&str; 2] = ["oozie.wf.external.id", "oozie.wf.log.token"];
/// Unchanged lines around those that differ.
const AROUND: usize = 3;
/// Other runs to choose from.
const CHOICES: u32 = 30;

/// `job/ID/compare?with=ID`
pub(crate) fn compare(call: &Call, id: &str) -> Reply {
    let connection = call.server.store()?;
    let failed = |error| call.server.failed(error);
    let own = subject::of(call, &connection, id)?;
    if !own.job.id.ends_with("-W") {
        return Err(Failure::not_found());
    }
    let base = &call.server.base;
    let with = match call.parameters.filled("with") {
        Some(with) => Some(with.to_owned()),
        None => {
            overview::last_success(&connection, &own.job.app, own.job.created).map_err(failed)?
        }
    };
    let choices: Vec<Value> = overview::runs_of(&connection, &own.job.app, CHOICES)
        .map_err(failed)?
        .iter()
        .filter(|run| run.id != own.job.id)
        .map(|run| {
            json!({
                "id": run.id,
                "text": format!("{} {}", fleet::short_id(&run.id), run.status),
                "chosen": with.as_deref() == Some(&run.id),
            })
        })
        .collect();
    let mut values = json!({
        "head_html": head(call, &connection, &own)?,
        "tabs": tabs(call, &own.job, "compare"),
        "action": links::of_job(base, &own.job.id, "compare"),
        "choices": choices,
        "other": null, "own": side(call, &own), "properties": [], "nodes": [], "n_same_nodes": 0,
        "lines": null, "line_problem": null, "graph_html": null, "graph_problem": null, "graph_nodes": [], "is_same_definition": true, "has_changes": false,
    });
    if let Some(with) = with {
        let other = subject::of(call, &connection, &with)?;
        if !other.job.id.ends_with("-W") {
            return Err(Failure::argument(format!("{with} is no workflow job")));
        }
        let properties = properties(&other, &own);
        let (of_nodes, n_same) = node_changes(call, &other, &own);
        let is_same = other.job.hash == own.job.hash && other.job.app_index == own.job.app_index;
        let n_changes = properties.len() + of_nodes.len();
        values["has_changes"] = json!(n_changes > 0 || !is_same);
        values["other"] = side(call, &other);
        values["properties"] = json!(properties);
        values["nodes"] = json!(of_nodes);
        values["n_same_nodes"] = json!(n_same);
        values["is_same_definition"] = json!(is_same);
        if !is_same {
            match documents(call, &other, &own) {
                Ok(lines) => values["lines"] = lines,
                Err(failure) => values["line_problem"] = json!(failure.message),
            }
            match graphs(call, &other, &own) {
                Ok((graph, nodes)) => {
                    values["graph_html"] = json!(graph);
                    values["graph_nodes"] = json!(nodes);
                }
                Err(failure) => values["graph_problem"] = json!(failure.message),
            }
        }
    }
    let frame = subject::frame_below(call, &own, "Compare");
    page::html(call, frame, "compare", &values)
}

fn side(call: &Call, of: &Subject) -> Value {
    let took = of.job.started.zip(of.job.ended);
    json!({
        "id": of.job.id,
        "short": fleet::short_id(&of.job.id),
        "href": links::job(&call.server.base, &of.job.id),
        "mark": Mark::of(of.job.status.name()),
        "started": of.job.started,
        "took": took.map(|(started, ended)| format_duration(ended - started)),
        "definition": of.job.hash.get(..12).unwrap_or(&of.job.hash),
    })
}

/// The properties that differ: name, before, and now. A secret is compared by what it is, and never shown.
fn properties(other: &Subject, own: &Subject) -> Vec<Value> {
    let raw = |of: &Subject| -> BTreeMap<String, String> {
        serde_json::from_str(&of.job.conf).unwrap_or_default()
    };
    let (raw_before, raw_now) = (raw(other), raw(own));
    let before = workflow::properties(&other.job, &other.masks);
    let now = workflow::properties(&own.job, &own.masks);
    let names: BTreeSet<&String> = raw_before.keys().chain(raw_now.keys()).collect();
    names
        .into_iter()
        .filter(|name| !OF_EACH_RUN.contains(&name.as_str()))
        .filter(|name| raw_before.get(*name) != raw_now.get(*name))
        .map(|name| {
            json!({
                "name": name,
                "before": before.get(name),
                "now": now.get(name),
                "is_secret": before.get(name) == now.get(name),
            })
        })
        .collect()
}

/// The nodes that did something else, and how many did the same.
fn node_changes(call: &Call, other: &Subject, own: &Subject) -> (Vec<Value>, usize) {
    let by_name = |of: &Subject| -> BTreeMap<String, ActionRow> {
        let rows = of.rows.iter().cloned();
        rows.map(|row| (row.name.clone(), row)).collect()
    };
    let (before, now) = (by_name(other), by_name(own));
    let mut names: Vec<&String> = own.rows.iter().map(|row| &row.name).collect();
    names.extend(
        other
            .rows
            .iter()
            .map(|row| &row.name)
            .filter(|name| !now.contains_key(*name)),
    );
    let (mut changed, mut n_same) = (Vec::new(), 0);
    for name in names {
        let (was, is) = (before.get(name), now.get(name));
        let notes = differences(was, is);
        if notes.is_empty() {
            n_same += 1;
            continue;
        }
        let took = |row: Option<&ActionRow>| {
            let times = row.and_then(|row| row.started.zip(row.ended));
            times.map(|(started, ended)| format_duration(ended - started))
        };
        changed.push(json!({
            "name": name,
            "href": is.map(|_| links::node(&call.server.base, &own.job.id, name)),
            "before": was.map(nodes::mark),
            "now": is.map(nodes::mark),
            "took_before": took(was),
            "took_now": took(is),
            "notes": notes.iter().map(|note| own.masks.text(&other.masks.text(note))).collect::<Vec<_>>(),
        }));
    }
    (changed, n_same)
}

/// How a node differs, in words; none if it did the same in about the same time.
fn differences(was: Option<&ActionRow>, is: Option<&ActionRow>) -> Vec<String> {
    let (was, is) = match (was, is) {
        (None, Some(_)) => return vec!["was not reached before".to_owned()],
        (Some(_), None) => return vec!["was not reached".to_owned()],
        (None, None) => return Vec::new(),
        (Some(was), Some(is)) => (was, is),
    };
    let mut notes = Vec::new();
    if was.status != is.status {
        let ended_differently = || "ended in another state".to_owned();
        notes.push(
            is.error_text()
                .map_or_else(ended_differently, Cow::into_owned),
        );
    }
    if was.transition != is.transition {
        notes.push(format!(
            "led to {}, before to {}",
            is.transition.as_deref().unwrap_or("nothing"),
            was.transition.as_deref().unwrap_or("nothing")
        ));
    }
    notes.extend(changed_values(
        "given",
        was.work.as_deref(),
        is.work.as_deref(),
    ));
    notes.extend(changed_values(
        "data",
        was.data.as_deref(),
        is.data.as_deref(),
    ));
    let took = |row: &ActionRow| Some(row.ended? - row.started?);
    if let (Some(before), Some(now)) = (took(was), took(is))
        && now > before.saturating_mul(2)
        && now > before + 10_000
    {
        notes.push("took more than twice as long".to_owned());
    }
    notes
}

/// The parts of two JSON texts that differ at the ends of their ways.
fn changed_values(what: &str, was: Option<&str>, is: Option<&str>) -> Vec<String> {
    let read = |text: Option<&str>| -> BTreeMap<String, String> {
        let value: Value = text
            .and_then(|text| serde_json::from_str(text).ok())
            .unwrap_or_default();
        let mut leaves = Vec::new();
        nodes::flatten("", &value, &mut leaves);
        leaves.into_iter().collect()
    };
    let (was, is) = (read(was), read(is));
    let names: BTreeSet<&String> = was.keys().chain(is.keys()).collect();
    let changed = names
        .into_iter()
        .filter(|name| was.get(*name) != is.get(*name));
    let shown =
        |value: Option<&String>| value.map_or_else(|| "nothing".to_owned(), |it| nodes::cut(it));
    changed
        .map(|name| {
            format!(
                "{what} {name}: {}, before {}",
                shown(is.get(name)),
                shown(was.get(name))
            )
        })
        .collect()
}

/// Both graphs as one, and the nodes that differ. Without a difference there is no picture.
fn graphs(
    call: &Call,
    other: &Subject,
    own: &Subject,
) -> Result<(Option<String>, Vec<Value>), Failure> {
    let base = &call.server.base;
    let (before, now) = (
        executable::structure(call, &other.job)?,
        executable::structure(call, &own.job)?,
    );
    let documents = (
        definition::document(call, &other.job).ok(),
        definition::document(call, &own.job).ok(),
    );
    // A document that is not known is not compared.
    let (was, is) = match &documents {
        (Some(was), Some(is)) => (Some(was.as_str()), Some(is.as_str())),
        (_, _) => (None, None),
    };
    let changes = graph_diff::changes(
        Version {
            graph: &before,
            document: was,
        },
        Version {
            graph: &now,
            document: is,
        },
    );
    if changes.is_empty() {
        return Ok((None, Vec::new()));
    }
    let title = format!("{}: what differs", own.job.app);
    let picture = graph_diff::picture(&before, &now, &changes, &title, &own.masks);
    let job_of = |name: &str| {
        let is_removed = |it: &NodeChange| it.name == name && it.change == Change::Removed;
        match changes.iter().any(is_removed) {
            true => &other.job.id,
            false => &own.job.id,
        }
    };
    let graph = executable::linked_to(&picture, &|name| links::node(base, job_of(name), name));
    let nodes = changes.iter().map(|node| {
        json!({
            "name": node.name,
            "href": links::node(base, job_of(&node.name), &node.name),
            "mark": Mark { look: node.change.look().class(), word: node.change.word().to_owned() },
            "notes": node.notes.iter().map(|note| own.masks.text(&other.masks.text(note))).collect::<Vec<_>>(),
        })
    });
    Ok((Some(graph), nodes.collect()))
}

/// The lines of both documents, with what is left out as a count.
fn documents(call: &Call, other: &Subject, own: &Subject) -> Result<Value, Failure> {
    let before = definition::document(call, &other.job)?;
    let now = definition::document(call, &own.job)?;
    let (before, now) = (other.masks.text(&before), own.masks.text(&now));
    let lines = line_diff::shortened(line_diff::lines(&before, &now), AROUND);
    Ok(lines
        .into_iter()
        .map(|line| match line {
            Line::Same(text) => json!({ "class": "same", "prefix": " ", "text": text }),
            Line::Gone(text) => json!({ "class": "gone-line", "prefix": "-", "text": text }),
            Line::New(text) => json!({ "class": "new-line", "prefix": "+", "text": text }),
            Line::Skipped(n) => {
                json!({ "class": "skipped", "prefix": " ", "text": format!("… {n} lines that are the same") })
            }
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use hpdlc_core::status::ActionStatus;

    use super::*;

    fn row(status: ActionStatus, work: &str) -> ActionRow {
        ActionRow {
            status,
            work: Some(work.to_owned()),
            started: Some(0),
            ended: Some(1_000),
            ..ActionRow::new("1-W", "load", "shell")
        }
    }

    #[test]
    fn a_node_differs_by_its_state_its_values_and_its_time() {
        let was = row(ActionStatus::Ok, r#"{"args":["2026-11-27"]}"#);
        assert!(differences(Some(&was), Some(&was)).is_empty());
        let mut is = row(ActionStatus::Error, r#"{"args":["2026-11-28"]}"#);
        is.error_code = Some("JA018".to_owned());
        is.ended = Some(20_000);
        assert_eq!(
            differences(Some(&was), Some(&is)),
            [
                "JA018",
                "given args.0: 2026-11-28, before 2026-11-27",
                "took more than twice as long"
            ]
        );
        assert_eq!(differences(None, Some(&is)), ["was not reached before"]);
    }
}
