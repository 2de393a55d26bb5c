//! A command for a job: first its plan, and by the form below that the command itself, which is that of the command line.

use axum::http::Method;
use hpdlc_host::job_id::JobKind;
use hpdlc_store::audit::AuditEnd;
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::serve::{
    access, audit,
    call::Call,
    console::{
        csrf, links, page,
        plan::Verb,
        subject::{self, Subject},
    },
    failure::Failure,
    found, program,
    query::Parameters,
    reply::Reply,
};

/// `job/ID/command/VERB`: GET is the plan, POST carries it out.
pub(crate) fn command(call: &Call, id: &str, name: &str) -> Reply {
    call.expect_method(&[Method::GET, Method::HEAD, Method::POST])?;
    let verb = Verb::from_name(name).ok_or_else(Failure::not_found)?;
    let connection = call.server.store()?;
    let subject = subject::of(call, &connection, id)?;
    if call.method != Method::POST {
        return planned(call, &connection, &subject, verb, &call.parameters, None);
    }
    call.expect_type("application/x-www-form-urlencoded")?;
    let body = String::from_utf8_lossy(&call.body);
    let form = Parameters::parse(Some(&body));
    csrf::check(call, form.get(csrf::FIELD))?;
    access::expect_owner(call, &subject.job)?;
    let words = verb.words(&subject.job, &form);
    let entry = audit::entry_of_command(call, Some(&subject.job), &words)?;
    let done = program::own(
        &call.server.session,
        &call.server.program,
        &program::words(&words),
    );
    let base = &call.server.base;
    match done {
        Ok(_) => {
            entry.end(AuditEnd {
                status: 200,
                ..AuditEnd::default()
            });
            let after = entry.time().to_string();
            let address = links::job(base, &subject.job.id);
            page::to(&links::with_query(&address, &[("after", &after)]))
        }
        Err(failure) => {
            entry.end(audit::of_failure(&failure));
            let refused = subject.masks.text(&failure.message);
            // It has changed meanwhile.
            let subject = subject::of(call, &connection, id)?;
            planned(call, &connection, &subject, verb, &form, Some(&refused))
        }
    }
}

/// The page with the plan; `refused` is why the command was not carried out.
fn planned(
    call: &Call,
    connection: &Connection,
    subject: &Subject,
    verb: Verb,
    chosen: &Parameters,
    refused: Option<&str>,
) -> Reply {
    let job = &subject.job;
    let status = found::status(call, connection, job)?;
    let is_offered = verb.is_offered(job, &status);
    let words = verb.words(job, chosen);
    let (dry_run, problem) = match verb {
        Verb::Rerun if is_offered && has_choice(job.id.as_str(), chosen) => {
            let mut asked = words.clone();
            asked.push("--dry-run".to_owned());
            match program::own(
                &call.server.session,
                &call.server.program,
                &program::words(&asked),
            ) {
                Ok(printed) => {
                    let text = String::from_utf8_lossy(&printed).into_owned();
                    (Some(subject.masks.text(text.trim_end())), None)
                }
                Err(failure) => (None, Some(subject.masks.text(&failure.message))),
            }
        }
        _ => (None, None),
    };
    let base = &call.server.base;
    let kind = JobKind::of(&job.id);
    let own = links::of_job(base, &job.id, &format!("command/{}", verb.name()));
    let values = json!({
        "verb": verb.name(),
        "title": verb.title(),
        "job": job.id,
        "app": subject.masks.text(&job.app),
        "job_href": links::job(base, &job.id),
        "status": crate::serve::console::marks::Mark::of(&status),
        "is_offered": is_offered,
        "refused": refused,
        "plan": verb.plan(job, &subject.rows, chosen),
        "dry_run": dry_run,
        "problem": problem,
        "line": format!("hpdl {}", words.join(" ")),
        "action": own,
        "fields": fields(verb, kind, chosen),
        "kept": kept(verb, kind, chosen),
        "proof_name": csrf::FIELD,
        "proof": csrf::proof(call),
        "is_danger": verb == Verb::Kill,
        "is_ready": is_offered && problem.is_none() && (verb != Verb::Rerun || dry_run.is_some()),
    });
    let frame = subject::frame_below(call, subject, verb.title());
    page::html(call, frame, "command", &values)
}

/// A rerun of a coordinator needs to know of which actions.
fn has_choice(id: &str, chosen: &Parameters) -> bool {
    let is_filled = |field: &str| chosen.filled(field).is_some();
    match JobKind::of(id) {
        JobKind::Workflow => true,
        JobKind::Coordinator => is_filled("action") || is_filled("date"),
        JobKind::Bundle => is_filled("coordinator") || is_filled("date"),
    }
}

/// What the reader may choose: the name of a field, its label, a hint, and whether it is a box to check.
const FIELDS: [(&str, &str, &str, bool); 10] = [
    ("action", "Actions", "numbers such as 1,3-4", false),
    (
        "date",
        "Times",
        "such as 2009-01-01T00:00Z::2009-02-01T00:00Z",
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
            &["action", "date", "failed", "refresh", "nocleanup"]
        }
        (Verb::Rerun, JobKind::Bundle) => &["coordinator", "date", "refresh", "nocleanup"],
        (Verb::Kill | Verb::Ignore, JobKind::Coordinator) => &["action", "date"],
        (Verb::Change, JobKind::Coordinator) => &["endtime", "pausetime", "concurrency"],
        (Verb::Change, JobKind::Bundle) => &["endtime", "pausetime"],
        (_, _) => &[],
    }
}

fn fields(verb: Verb, kind: JobKind, chosen: &Parameters) -> Vec<Value> {
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
            "options": options, "value": "", "checked": false,
        }));
    }
    for name in names(verb, kind) {
        let known = FIELDS.iter().find(|(known, ..)| known == name);
        let Some((name, label, hint, is_box)) = known else {
            continue;
        };
        fields.push(json!({
            "name": name, "label": label, "hint": hint, "is_box": is_box, "options": null,
            "value": chosen.get(name).unwrap_or_default(),
            "checked": chosen.get(name).is_some(),
        }));
    }
    fields
}

/// What was chosen, for the form that carries it out.
fn kept(verb: Verb, kind: JobKind, chosen: &Parameters) -> Vec<Value> {
    let own = (verb == Verb::Rerun && kind == JobKind::Workflow).then_some("nodes");
    let names = names(verb, kind).iter().copied().chain(own);
    names
        .filter_map(|name| Some(json!({ "name": name, "value": chosen.get(name)? })))
        .collect()
}
