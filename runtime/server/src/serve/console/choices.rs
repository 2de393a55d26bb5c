//! What the reader may choose of a command: the fields of its form, without script.

use hpdlc_core::status::ActionStatus;
use hpdlc_host::job_id::JobKind;
use hpdlc_store::{coordinators, query, sql::Connection};
use serde_json::{Value, json};

use crate::serve::{
    call::Call,
    console::{
        plan::{self, Verb},
        subject::Subject,
    },
    failure::Failure,
    query::Parameters,
};

/// Whether it is known what is to run again: a rerun of a coordinator needs to know of which actions.
pub(crate) fn has_choice(id: &str, chosen: &Parameters) -> bool {
    let is_given = |field: &str| plan::given(chosen, field).is_some();
    match JobKind::of(id) {
        JobKind::Workflow => true,
        JobKind::Coordinator => is_given("action") || plan::times(chosen).is_some(),
        JobKind::Bundle => is_given("coordinator") || plan::times(chosen).is_some(),
    }
}

/// The name of a field, its label, a hint, and whether it is a box to check.
const FIELDS: [(&str, &str, &str, bool); 12] = [
    ("action", "Actions", "numbers such as 1,3-4", false),
    (
        "from",
        "From, or the only time",
        "a nominal time such as 2009-01-01T00:00Z",
        false,
    ),
    (
        "to",
        "To",
        "a nominal time such as 2009-02-01T00:00Z",
        false,
    ),
    (
        "coordinator",
        "Coordinators",
        "names, with commas between",
        false,
    ),
    (
        "skip",
        "Nodes to leave out",
        "names, with commas between",
        false,
    ),
    ("status", "State", "RUNNING or IGNORED", false),
    (
        "endtime",
        "New end",
        "a time such as 2009-02-01T00:00Z",
        false,
    ),
    (
        "pausetime",
        "Pause from",
        "a time; empty changes nothing",
        false,
    ),
    ("concurrency", "At once", "a number; -1 for any", false),
    ("failed", "Only what has failed", "", true),
    (
        "refresh",
        "Create the actions again, with the current definition and properties",
        "",
        true,
    ),
    ("nocleanup", "Keep the output of the actions", "", true),
];

/// The fields of a command for a kind of job.
fn names(verb: Verb, kind: JobKind) -> &'static [&'static str] {
    match (verb, kind) {
        (Verb::Rerun, JobKind::Workflow) => &["skip"],
        (Verb::Rerun, JobKind::Coordinator) => {
            &["action", "from", "to", "failed", "refresh", "nocleanup"]
        }
        (Verb::Rerun, JobKind::Bundle) => &["coordinator", "from", "to", "refresh", "nocleanup"],
        (Verb::Kill | Verb::Ignore, JobKind::Coordinator) => &["action", "from", "to"],
        (Verb::Change, JobKind::Coordinator) => &["status", "endtime", "pausetime", "concurrency"],
        (Verb::Change, JobKind::Bundle) => &["endtime", "pausetime"],
        (_, _) => &[],
    }
}

/// The fields as the form has them.
pub(crate) fn fields(
    call: &Call,
    connection: &Connection,
    subject: &Subject,
    verb: Verb,
    chosen: &Parameters,
) -> Result<Vec<Value>, Failure> {
    let kind = JobKind::of(&subject.job.id);
    let mut fields = Vec::new();
    if (verb, kind) == (Verb::Rerun, JobKind::Workflow) {
        let nodes = chosen.get("nodes").unwrap_or("failed");
        let options = [
            ("failed", "What has failed, and what follows"),
            ("all", "Everything"),
            ("skip", "All but these nodes"),
        ];
        let options: Vec<Value> = options
            .iter()
            .map(|(value, label)| json!({ "value": value, "label": label, "chosen": *value == nodes }))
            .collect();
        fields.push(json!({
            "name": "nodes", "label": "Run again", "hint": "", "is_box": false,
            "options": options, "boxes": [], "value": "", "checked": false,
        }));
    }
    for name in names(verb, kind) {
        let known = FIELDS.iter().find(|(known, ..)| known == name);
        let Some((name, label, hint, is_box)) = known else {
            continue;
        };
        let boxes = match *name {
            "skip" => nodes(subject),
            "coordinator" => members(call, connection, subject)?,
            _ => Vec::new(),
        };
        let value = plan::given(chosen, name).unwrap_or_default();
        let checked: Vec<&str> = value.split(',').map(str::trim).collect();
        let boxes: Vec<Value> = boxes
            .iter()
            .map(|(name, label)| json!({ "value": name, "label": label, "checked": checked.contains(&name.as_str()) }))
            .collect();
        fields.push(json!({
            "name": name, "label": label, "hint": hint, "is_box": is_box, "options": null, "boxes": boxes,
            "value": value,
            "checked": chosen.get(name).is_some(),
        }));
    }
    Ok(fields)
}

/// The nodes that a rerun can leave out, with what they did.
fn nodes(subject: &Subject) -> Vec<(String, String)> {
    let rows = subject.rows.iter().filter(|row| {
        !row.type_name.starts_with(':')
            && matches!(row.status, ActionStatus::Ok | ActionStatus::Error)
    });
    rows.map(|row| (row.name.clone(), format!("{}, {}", row.name, row.status)))
        .collect()
}

/// The coordinators of a bundle by their names in it.
fn members(
    call: &Call,
    connection: &Connection,
    subject: &Subject,
) -> Result<Vec<(String, String)>, Failure> {
    let failed = |error| call.server.failed(error);
    let mut names = Vec::new();
    for id in coordinators::coordinators_of(connection, &subject.job.id).map_err(failed)? {
        let job = query::job(connection, &id).map_err(failed)?;
        names.extend(job.and_then(|job| job.parent_node));
    }
    names.sort();
    Ok(names.into_iter().map(|name| (name.clone(), name)).collect())
}

/// What was chosen, for the form that carries it out.
pub(crate) fn kept(verb: Verb, kind: JobKind, chosen: &Parameters) -> Vec<Value> {
    let own = (verb == Verb::Rerun && kind == JobKind::Workflow).then_some("nodes");
    let dates = names(verb, kind).contains(&"from").then_some("date");
    let names = names(verb, kind).iter().copied().chain(own).chain(dates);
    names
        .flat_map(|name| {
            let all = chosen.all(name).into_iter();
            all.map(move |value| json!({ "name": name, "value": value }))
        })
        .collect()
}
