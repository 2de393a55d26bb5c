//! A command for a job: first its plan, and by the form below that the command itself, which is that of the command line.

use axum::http::Method;
use hpdlc_engine::job::rerun_plan::PlannedNode;
use hpdlc_host::job_id::JobKind;
use hpdlc_store::{audit::AuditEnd, sql::Connection};
use serde_json::{Value, json};

use crate::serve::{
    access, audit,
    call::Call,
    console::{
        choices, csrf, executable, links, page,
        plan::Verb,
        rerun_plan::{self, RerunPlan},
        subject::{self, Subject},
    },
    definition,
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
    let kind = JobKind::of(&job.id);
    let (dry_run, problem) = match verb {
        Verb::Rerun if is_offered && choices::has_choice(&job.id, chosen) => {
            match dry_run(call, kind, &words) {
                Ok(dry_run) => (Some(dry_run), None),
                Err(failure) => (None, Some(subject.masks.text(&failure.message))),
            }
        }
        _ => (None, None),
    };
    let is_whole = matches!(status.as_str(), "KILLED" | "FAILED");
    let problem = match verb {
        Verb::Ignore if is_offered && !is_whole && !choices::has_choice(&job.id, chosen) => Some(
            "choose actions that failed: only a coordinator that is KILLED or FAILED is ignored as a whole"
                .to_owned(),
        ),
        _ => problem,
    };
    let base = &call.server.base;
    let mut plan = verb.plan(job, &subject.rows, chosen);
    let (steps, printed) = match &dry_run {
        Some(DryRun::Workflow(rerun)) => {
            plan.extend(rerun.sentences());
            (rerun.nodes.as_slice(), None)
        }
        Some(DryRun::Printed(text)) => ([].as_slice(), Some(subject.masks.text(text.trim_end()))),
        None => ([].as_slice(), None),
    };
    let (graph, deleted) = match steps.is_empty() {
        true => (None, Vec::new()),
        false => foreseen(call, subject, steps),
    };
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
        "plan": plan,
        "dry_run": printed,
        "problem": problem,
        "line": format!("hpdl {}", words.join(" ")),
        "action": own,
        "steps": rerun_plan::rows(base, &job.id, steps, &subject.masks),
        "graph_html": graph,
        "deleted": deleted,
        "fields": choices::fields(call, connection, subject, verb, chosen)?,
        "kept": choices::kept(verb, kind, chosen),
        "proof_name": csrf::FIELD,
        "proof": csrf::proof(call),
        "is_danger": verb == Verb::Kill,
        "is_ready": is_offered && problem.is_none() && (verb != Verb::Rerun || dry_run.is_some()),
    });
    let frame = subject::frame_below(call, subject, verb.title());
    page::html(call, frame, "command", &values)
}

/// What a rerun would do.
enum DryRun {
    Workflow(RerunPlan),
    /// Of a coordinator or a bundle: a text.
    Printed(String),
}

fn dry_run(call: &Call, kind: JobKind, words: &[String]) -> Result<DryRun, Failure> {
    let mut asked = words.to_vec();
    asked.push("--dry-run".to_owned());
    let of_workflow = kind == JobKind::Workflow;
    asked.extend(of_workflow.then(|| "--json".to_owned()));
    let server = &call.server;
    let printed = program::own(&server.session, &server.program, &program::words(&asked))?;
    if !of_workflow {
        return Ok(DryRun::Printed(
            String::from_utf8_lossy(&printed).into_owned(),
        ));
    }
    let plan = serde_json::from_slice(&printed);
    let plan = plan.map_err(|error| Failure::server(format!("the plan of the rerun: {error}")))?;
    Ok(DryRun::Workflow(plan))
}

/// The graph with what a rerun would do, and what it would delete: as far as the executable of the job says so.
fn foreseen(call: &Call, subject: &Subject, steps: &[PlannedNode]) -> (Option<String>, Vec<Value>) {
    let Subject {
        job, masks, rows, ..
    } = subject;
    let structure = executable::structure(call, job).ok();
    let graph = structure.map(|structure| {
        let title = format!("rerun of {} {}", job.app, job.id);
        let mut picture = structure.picture(&title, Some(rows), masks);
        rerun_plan::mark(&mut picture, steps);
        executable::linked(call, job, &picture)
    });
    let values = definition::values(call, job, masks).unwrap_or_default();
    (graph, rerun_plan::deleted(steps, &values))
}
