//! The nodes of a workflow job, as rows of a table.

use hpdlc_core::status::ActionStatus;
use hpdlc_host::clock::format_duration;
use hpdlc_runtime::fleet::Masks;
use hpdlc_store::{ActionRow, JobRow, SkipMark};
use serde::Serialize;
use serde_json::{Value, json};

use crate::serve::{
    console::{links, marks::Mark, templates},
    failure::Failure,
};

/// A longer value is cut on a page.
const MOST_CHARS: usize = 4_000;

/// A node that the job has reached.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct NodeRow {
    /// Of its element.
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) href: String,
    pub(crate) kind: String,
    pub(crate) mark: Mark,
    pub(crate) took: String,
    /// Milliseconds since 1970 of what runs, so that the script can count on; `None` for the others.
    pub(crate) since: Option<i64>,
    pub(crate) started: Option<i64>,
    pub(crate) ended: Option<i64>,
    pub(crate) transition: String,
    /// Code and message.
    pub(crate) error: String,
    /// What else is to say: attempts, a retry, an earlier run.
    pub(crate) notes: Vec<String>,
    /// A node that does no work: a decision, a fork.
    pub(crate) is_control: bool,
}

/// A node's state by its row; a kill node that ends OK means that the job did not.
pub(crate) fn mark(row: &ActionRow) -> Mark {
    let mark = Mark::of(row.shown_status().name());
    let is_bad_end = matches!(row.type_name.as_str(), ":KILL:" | ":FAIL:");
    match is_bad_end && mark.look == "good" {
        true => Mark {
            look: "bad",
            ..mark
        },
        false => mark,
    }
}

/// A row of the table.
pub(crate) fn row(base: &str, job: &JobRow, row: &ActionRow, masks: &Masks, now: i64) -> NodeRow {
    let is_control = row.type_name.starts_with(':') || row.type_name == "switch";
    let took = row
        .started
        .filter(|_| !is_control)
        .map(|started| format_duration(row.ended.unwrap_or(now) - started));
    let error = row.error_text().unwrap_or_default().into_owned();
    let mut notes = Vec::new();
    match (row.skip, row.run) {
        (Some(SkipMark::Taken), Some(run)) => {
            notes.push(format!("ran in run {run}, skipped in this one"));
        }
        (Some(SkipMark::Waits | SkipMark::Entered), Some(run)) => {
            notes.push(format!("ran in run {run}, to be skipped"));
        }
        (_, _) => {}
    }
    if row.attempt > 1 {
        notes.push(format!("attempt {}", row.attempt));
    }
    if let (ActionStatus::StartRetry | ActionStatus::UserRetry, Some(due)) = (row.status, row.due) {
        notes.push(format!("tries again in {}", format_duration(due - now)));
    }
    notes.extend(row.note.as_deref().map(|note| masks.text(note)));
    NodeRow {
        id: format!("node-{}", links::part(&row.name)),
        name: row.name.clone(),
        href: links::node(base, &job.id, &row.name),
        kind: row.type_name.trim_matches(':').to_lowercase(),
        mark: mark(row),
        took: took.unwrap_or_default(),
        since: row.started.filter(|_| row.ended.is_none() && !is_control),
        started: row.started,
        ended: row.ended,
        transition: row.transition.clone().unwrap_or_default(),
        error: masks.text(&error),
        notes,
        is_control,
    }
}

/// A row as markup.
pub(crate) fn markup(row: &NodeRow) -> Result<String, Failure> {
    templates::render("node_row", row)
}

/// The leaves of JSON text, without secrets: of what a node was given, or of its data.
pub(crate) fn leaves(text: Option<&str>, masks: &Masks) -> Vec<Value> {
    let read = text.and_then(|text| serde_json::from_str(text).ok());
    let mut read: Value = read.unwrap_or_default();
    masks.json(&mut read);
    let mut found = Vec::new();
    flatten("", &read, &mut found);
    found
        .into_iter()
        .map(|(name, value)| json!({ "name": name, "value": cut(&value) }))
        .collect()
}

/// The leaves of JSON with the ways to them; empty ones are left out.
pub(crate) fn flatten(path: &str, value: &Value, lines: &mut Vec<(String, String)>) {
    let below = |name: &str| match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    };
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                flatten(&below(name), value, lines);
            }
        }
        Value::Array(items) => {
            for (number, value) in items.iter().enumerate() {
                flatten(&below(&number.to_string()), value, lines);
            }
        }
        Value::Null | Value::Bool(false) => {}
        Value::String(text) => lines.push((path.to_owned(), text.clone())),
        Value::Bool(true) | Value::Number(_) => lines.push((path.to_owned(), value.to_string())),
    }
}

/// A text that is short enough for a page.
pub(crate) fn cut(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARS) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}… ({} bytes in all)", &text[..at], text.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_a_line_each() {
        let work =
            json!({ "Shell": { "exec": "x", "args": ["a", "b"], "env": {}, "capture": false } });
        let mut lines = Vec::new();
        flatten("", &work, &mut lines);
        let lines: Vec<String> = lines
            .iter()
            .map(|(path, value)| format!("{path}={value}"))
            .collect();
        assert_eq!(lines, ["Shell.args.0=a", "Shell.args.1=b", "Shell.exec=x"]);
        let long = "ä".repeat(MOST_CHARS + 1);
        assert!(cut(&long).ends_with("… (8002 bytes in all)"));
    }
}
