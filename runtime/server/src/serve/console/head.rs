//! The head of the pages of a job: its state, why it is where it is, and what to type.

use hpdlc_core::status::JobStatus;
use hpdlc_host::{
    clock::{self, format_duration},
    job_id::JobKind,
};
use hpdlc_runtime::fleet;
use hpdlc_store::{ActionRow, JobRow, overview, query, runs, sql::Connection};
use serde_json::{Value, json};

use crate::serve::{
    call::Call,
    console::{links, marks::Mark, nodes, plan, printed, subject::Subject, templates},
    failure::Failure,
    found,
    wire::workflow,
};

/// Lines of output that explain a failure.
const LAST_LINES: usize = 12;
/// Failed nodes that are explained.
const MOST_EXPLAINED: usize = 5;

/// The parts of a job's page as links.
pub(crate) fn tabs(call: &Call, job: &JobRow, current: &str) -> Value {
    let base = &call.server.base;
    let all: &[(&str, &str)] = match JobKind::of(&job.id) {
        JobKind::Workflow => &[
            ("", "Nodes"),
            ("timeline", "Timeline"),
            ("events", "Events"),
            ("compare", "Compare"),
            ("definition", "Definition"),
            ("properties", "Properties"),
            ("report.html", "Report"),
        ],
        JobKind::Coordinator => &[
            ("", "Actions"),
            ("timeline", "Calendar"),
            ("forecast", "Next week"),
            ("events", "Events"),
            ("definition", "Definition"),
            ("properties", "Properties"),
        ],
        JobKind::Bundle => &[
            ("", "Coordinators"),
            ("events", "Events"),
            ("definition", "Definition"),
            ("properties", "Properties"),
        ],
    };
    all.iter()
        .map(|(path, name)| {
            let href = match *path {
                "" => links::job(base, &job.id),
                path => links::of_job(base, &job.id, path),
            };
            json!({ "href": href, "name": name, "current": *path == current })
        })
        .collect()
}

/// The head of a job's pages: its state, why it is where it is, and what to type.
pub(crate) fn head(
    call: &Call,
    connection: &Connection,
    subject: &Subject,
) -> Result<String, Failure> {
    templates::render("job_head", &values(call, connection, subject)?)
}

/// As [`head`], for a file of its own: nothing leads to the server.
pub(crate) fn plain(
    call: &Call,
    connection: &Connection,
    subject: &Subject,
) -> Result<String, Failure> {
    let mut values = values(call, connection, subject)?;
    values["commands"] = json!([]);
    values["compare"] = Value::Null;
    values["application"] = Value::Null;
    if let Some(parent) = values["parent"].as_object_mut() {
        parent.insert("href".to_owned(), Value::Null);
    }
    for failure in values["failures"].as_array_mut().into_iter().flatten() {
        let name = failure["name"].as_str().unwrap_or_default();
        failure["href"] = json!(format!("#detail-{}", links::part(name)));
    }
    templates::render("job_head", &values)
}

fn values(call: &Call, connection: &Connection, subject: &Subject) -> Result<Value, Failure> {
    let Subject {
        job, masks, rows, ..
    } = subject;
    let base = &call.server.base;
    let now = clock::now_millis();
    let failed = |error| call.server.failed(error);
    let status = found::status(call, connection, job)?;
    let is_workflow = JobKind::of(&job.id) == JobKind::Workflow;
    let why = match is_workflow {
        true => fleet::why(&call.server.session, job, rows, masks)?,
        false => Vec::new(),
    };
    let former: Vec<Value> = runs::former(connection, &job.id)
        .map_err(failed)?
        .iter()
        .map(|run| {
            json!({
                "run": run.run,
                "mark": Mark::of(&run.status),
                "ended": run.ended,
                "error": run.error_message.as_deref().map(|text| masks.text(text)),
            })
        })
        .collect();
    let has_failed = matches!(job.status, JobStatus::Killed | JobStatus::Failed);
    let success = match has_failed {
        true => overview::last_success(connection, &job.app, job.created).map_err(failed)?,
        false => None,
    };
    let definition = query::definition(connection, &job.hash).map_err(failed)?;
    let application = definition.map(|it| {
        let page = links::app(base, &it.app);
        links::with_query(&page, &[("version", &it.hash)])
    });
    let parent = job.parent_id.as_deref().map(|parent| {
        let (id, action) = parent.split_once('@').unwrap_or((parent, ""));
        let node = job.parent_node.as_deref().filter(|_| action.is_empty());
        json!({
            "text": match (node, action) {
                (Some(node), _) => format!("{id}, node {node}"),
                (None, "") => id.to_owned(),
                (None, action) => format!("{id}, action {action}"),
            },
            "href": match node {
                Some(node) if id.ends_with("-W") => links::node(base, id, node),
                _ => links::job(base, id),
            },
        })
    });
    let took = job
        .started
        .map(|it| format_duration(job.ended.unwrap_or(now) - it));
    let session = &call.server.session;
    let is_driven = is_workflow && job.status == JobStatus::Running;
    let owner = match is_driven && session.has_owner(&job.root_id) {
        true => Some(session.owner(&job.root_id)?.to_string()),
        false => None,
    };
    Ok(json!({
            "id": job.id,
            "app": masks.text(&job.app),
            "mark": Mark::of(&status),
            "kind": JobKind::of(&job.id).word(),
            "user": workflow::owner(job),
            "run": (job.run > 0).then_some(job.run),
            "created": job.created,
            "started": job.started,
            "ended": job.ended,
            "took": took,
            "since": job.started.filter(|_| job.ended.is_none() && job.status == JobStatus::Running),
            "owner": owner,
            "path": masks.text(&job.app_path),
            "application": application,
            "definition": job.hash.get(..12).unwrap_or(&job.hash),
            "key": job.key.as_deref().map(|key| masks.text(key)),
            "parent": parent,
            "message": job.error_message.as_deref().map(|text| masks.text(text)),
            "why": why,
            "failures": explained(call, subject),
            "has_failed": has_failed,
            "rerun": format!("hpdl rerun {} --failed", job.id),
            "compare": success.map(|_| links::of_job(base, &job.id, "compare")),
            "former": former,
            "commands": plan::offered(base, job, &status),
    }))
}

/// The nodes that failed, with what they printed last.
fn explained(call: &Call, subject: &Subject) -> Vec<Value> {
    let Subject {
        job, masks, rows, ..
    } = subject;
    let is_work = |row: &&ActionRow| !row.type_name.starts_with(':');
    let failed = rows.iter().filter(is_work).filter(|row| {
        let status = row.shown_status().name();
        matches!(
            status,
            "ERROR" | "FAILED" | "START_MANUAL" | "USER_RETRY" | "START_RETRY"
        )
    });
    failed
        .take(MOST_EXPLAINED)
        .map(|row| {
            json!({
                "name": row.name,
                "href": links::node(&call.server.base, &job.id, &row.name),
                "kind": row.type_name,
                "mark": nodes::mark(row),
                "error": masks.text(&row.error_text().unwrap_or_default()),
                "last": printed::last_lines(call, job, row, masks, LAST_LINES),
                "line": format!("hpdl log {} {}", job.id, row.name),
            })
        })
        .collect()
}
