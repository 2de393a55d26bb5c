//! How a job ended, in a line; and a line for each node and SLA of which there is more to say.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::harness::text;

/// `KILLED E0729: a ERROR -> failed, failed OK`, from the output of `info --json`; `actions` are the states of a coordinator's actions.
pub fn ended(info: &Value, actions: &[String], effects: &[String]) -> String {
    let mut head = text(&info["status"]);
    if let Some(code) = info["error_code"].as_str() {
        let _ = write!(head, " {code}");
    }
    let nodes = nodes(info);
    let coordinators = info["coordinators"].as_array().into_iter().flatten();
    let mut parts: Vec<String> = coordinators.map(state).collect();
    parts.extend(nodes.iter().map(|node| state(node)));
    parts.extend(actions.iter().cloned());
    if !parts.is_empty() {
        let _ = write!(head, ": {}", parts.join(", "));
    }
    if !effects.is_empty() {
        let _ = write!(head, "; effects: {}", effects.join(", "));
    }
    let message = text(&info["error_message"]);
    let mut is_told = message.is_empty();
    let mut lines = String::new();
    for node in nodes {
        let of_node = text(&node["error_message"]);
        let is_of_job = of_node == message;
        is_told |= !of_node.is_empty() && !is_of_job && message.contains(&of_node);
        let more = more(node, is_of_job);
        if !more.is_empty() {
            let _ = writeln!(lines, "{}:{more}", text(&node["name"]));
        }
    }
    if !is_told {
        let _ = writeln!(lines, "job: {}", indented(&message));
    }
    format!("{head}\n{lines}{}", slas(info))
}

/// The nodes that the job has reached, by their names.
fn nodes(info: &Value) -> Vec<&Value> {
    let nodes = info["actions"].as_array().into_iter().flatten();
    let is_node = |node: &&Value| node["type"] != ":START:" && !node["name"].is_null();
    let mut nodes: Vec<&Value> = nodes.filter(is_node).collect();
    nodes.sort_by_key(|node| text(&node["name"]));
    nodes
}

fn state(of: &Value) -> String {
    let state = format!("{} {}", text(&of["name"]), text(&of["status"]));
    match of["transition"].as_str() {
        Some(next) => format!("{state} -> {next}"),
        None => state,
    }
}

/// The error of a node, unless it is told as the job's, and what it has left.
fn more(node: &Value, is_of_job: bool) -> String {
    let mut more = String::new();
    for key in ["error_code", "error_message"] {
        if let Some(text) = node[key].as_str().filter(|_| !is_of_job) {
            let _ = write!(more, " {}", indented(text));
        }
    }
    for key in ["retries", "data", "note", "skipped"] {
        let value = &node[key];
        let nothing = [json!(null), json!(false), json!(0), json!({})];
        let n_values = value.as_object().map_or(0, serde_json::Map::len);
        if n_values > 20 {
            let _ = write!(more, " {n_values} values");
        } else if !nothing.contains(value) {
            let _ = write!(more, " {key} {value}");
        }
    }
    more
}

fn indented(text: &str) -> String {
    text.trim_end().replace('\n', "\n  ")
}

/// `SLA of load: MET START_MET END_MET`, one line each, the job's first.
pub fn slas(info: &Value) -> String {
    let mut shown = String::new();
    for sla in info["sla"].as_array().into_iter().flatten() {
        let node = sla["node"].as_str().unwrap_or("job");
        let _ = write!(shown, "SLA of {node}: {}", text(&sla["status"]));
        for event in sla["events"].as_array().expect("events") {
            let _ = write!(shown, " {}", text(&event["event"]));
        }
        shown.push('\n');
    }
    shown
}
