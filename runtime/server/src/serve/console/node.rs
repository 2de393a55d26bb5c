//! A node of a workflow job: its state, its attempts, its values with where they are written, what it printed, and its XML.

use hpdlc_host::{clock, home::Home};
use hpdlc_launcher::{Attempt, AttemptState, ExitRecord};
use hpdlc_runtime::fleet::Masks;
use hpdlc_store::{ActionRow, JobRow, query};
use serde_json::{Value, json};

use crate::serve::{
    call::Call,
    console::{
        executable, links,
        marked_xml::{self, Fault},
        nodes, output, page, subject,
    },
    definition::{self, NodeValues},
    failure::Failure,
    reply::Reply,
};

/// Attempts that are listed; the last ones.
const MOST_ATTEMPTS: i64 = 20;

/// `job/ID/node/NAME`
pub(crate) fn node(call: &Call, id: &str, name: &str) -> Reply {
    let connection = call.server.store()?;
    let subject = subject::of(call, &connection, id)?;
    let job = &subject.job;
    let masks = &subject.masks;
    let structure = executable::structure(call, job);
    let row = subject.rows.iter().find(|row| row.name == name);
    let known = structure.as_ref().ok();
    let known = known.and_then(|it| it.nodes.iter().find(|node| node.name == name));
    if row.is_none() && known.is_none() {
        return Err(Failure::no_action(&format!("{id}@{name}")));
    }
    let base = &call.server.base;
    let now = clock::now_millis();
    let values = definition::values(call, job, masks);
    let known_values = values.iter().flatten();
    let shown: Vec<Value> = known_values
        .filter(|of| of.name == name)
        .flat_map(|of| &of.values)
        .map(|value| value_json(call, job, value))
        .collect();
    let place = known.and_then(|node| Some((node.file.as_deref()?, node.line?)));
    let faults = faults(
        row.and_then(|row| row.error_message.as_deref()),
        &values,
        masks,
        name,
        place,
    );
    let xml = place.and_then(|(_, line)| {
        let document = definition::document(call, job).ok()?;
        Some(marked_xml::lines(&masks.text(&document), line, &faults))
    });
    let children = query::children_elsewhere(&connection, &job.id, name);
    let children = children.map_err(|error| call.server.failed(error))?;
    let tree = query::job_tree(&connection, &job.root_id);
    let tree = tree.map_err(|error| call.server.failed(error))?;
    let children: Vec<Value> = tree
        .iter()
        .filter(|it| {
            it.parent_id.as_deref() == Some(&job.id) && it.parent_node.as_deref() == Some(name)
        })
        .chain(&children)
        .map(|child| json!({ "id": child.id, "href": links::job(base, &child.id) }))
        .collect();
    let attempts = row.map_or_else(Vec::new, |row| {
        attempts(&call.server.session.home, job, row)
    });
    let other_host = match row {
        Some(row) => call.server.session.other_host_of(&connection, row)?,
        None => None,
    };
    let output = match row {
        Some(row) => output::preview(call, job, row, masks, other_host.as_ref()),
        None => Value::Null,
    };
    let values = json!({
        "name": name,
        "job": job.id,
        "job_href": links::job(base, &job.id),
        "row": row.map(|row| nodes::row(base, job, row, masks, now)),
        "kind": known.and_then(|node| node.subtitle.clone()).or_else(|| known.map(|it| it.kind.clone())),
        "external": row.and_then(|row| row.external_id.clone()).filter(|it| it != "-"),
        "host": other_host.map(|place| place.machine),
        "external_status": row.and_then(|row| row.external_status.clone()),
        "attempts": attempts,
        "values": shown,
        "values_problem": values.as_ref().err().map(|failure| &failure.message),
        "given": row.map_or_else(Vec::new, |row| nodes::leaves(row.work.as_deref(), masks)),
        "data": row.map_or_else(Vec::new, |row| nodes::leaves(row.data.as_deref(), masks)),
        "place": place.map(|(file, line)| format!("{file}:{line}")),
        "definition": place.map(|(_, line)| {
            format!("{}#L{line}", links::of_job(base, &job.id, "definition"))
        }),
        "xml": xml,
        "children": children,
        "output": output,
        "line": format!("hpdl log {} {name} -f", job.id),
    });
    let frame = subject::frame_below(call, &subject, name);
    page::html(call, frame, "node", &values)
}

/// What is wrong with a node at a place of its document: what its message names, and the values that fail.
fn faults(
    message: Option<&str>,
    values: &Result<Vec<NodeValues>, Failure>,
    masks: &Masks,
    name: &str,
    place: Option<(&str, u32)>,
) -> Vec<Fault> {
    let Some((file, _)) = place else {
        return Vec::new();
    };
    let mut found = match message {
        Some(message) => marked_xml::faults(&masks.text(message), file),
        None => Vec::new(),
    };
    let of_node = values.iter().flatten().filter(|of| of.name == name);
    for value in of_node.flat_map(|of| &of.values) {
        let Some(error) = value.error.as_deref().map(|error| masks.text(error)) else {
            continue;
        };
        let named = marked_xml::faults(&error, file);
        let own = Fault {
            line: usize::try_from(value.origin.line).unwrap_or_default(),
            column: None,
            message: format!("{}: {error}", value.path),
        };
        let is_own = named.is_empty() && value.origin.file == file && own.line > 0;
        found.extend(named);
        found.extend(is_own.then_some(own));
    }
    found.dedup();
    found
}

fn value_json(call: &Call, job: &JobRow, value: &definition::NodeValue) -> Value {
    let definition = links::of_job(&call.server.base, &job.id, "definition");
    json!({
        "path": value.path,
        "template": value.template,
        "is_template": value.value.as_deref() != Some(&value.template),
        "value": value.value.as_deref().map(nodes::cut),
        "error": value.error,
        "place": format!("{}:{}", value.origin.file, value.origin.line),
        "href": format!("{definition}#L{}", value.origin.line),
    })
}

/// How each attempt ended, by its files.
fn attempts(home: &Home, job: &JobRow, row: &ActionRow) -> Vec<Value> {
    let run = row.run.unwrap_or(job.run);
    let first = (row.attempt - MOST_ATTEMPTS + 1).max(1);
    (first..=row.attempt)
        .filter_map(|number| {
            let attempt = Attempt::new(home.attempt(&job.id, run, &row.name, number));
            let (look, how, ended) = match attempt.inspect() {
                Ok(AttemptState::Exited(record)) => how(&record),
                Ok(AttemptState::Running) => ("running", "runs".to_owned(), None),
                Ok(AttemptState::Lost(_)) => (
                    "stuck",
                    "was lost: its process is gone, and how it ended is not known".to_owned(),
                    None,
                ),
                // It had no process.
                Ok(AttemptState::Unclaimed) | Err(_) => return None,
            };
            Some(json!({ "number": number, "look": look, "how": how, "ended": ended }))
        })
        .collect()
}

fn how(record: &ExitRecord) -> (&'static str, String, Option<i64>) {
    let ended = Some(record.ended);
    match (record.code, record.signal, &record.error, record.exceeded) {
        (_, _, _, Some(seconds)) => (
            "bad",
            format!("was ended after {seconds} s, its time limit"),
            ended,
        ),
        (Some(0), ..) => ("good", "exit code 0".to_owned(), ended),
        (Some(code), ..) => ("bad", format!("exit code {code}"), ended),
        (None, Some(signal), ..) => ("bad", format!("was ended by signal {signal}"), ended),
        (None, None, Some(error), _) => ("bad", format!("could not be executed: {error}"), ended),
        (None, None, None, _) => ("bad", "could not be executed".to_owned(), ended),
    }
}
