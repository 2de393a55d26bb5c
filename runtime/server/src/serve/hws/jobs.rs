//! Jobs of applications: new ones, commands, lists, details, actions that are tried again by hand, and recovery.

use std::collections::BTreeMap;

use hpdlc_core::status::{ActionStatus, JobStatus};
use hpdlc_engine::control::{self, JobOrder, Verb};
use hpdlc_host::{clock, job_id::JobKind};
use hpdlc_store::{ActionRow, JobRow, query};

use super::{Answer, Problem, action, expect_method, page};
use crate::{
    api::hws::{HwsAction, HwsJob, HwsJobs},
    application,
    serve::{
        call::Call,
        commands,
        failure::Failure,
        filter as oozie_filter,
        found::{Named, named},
        given, listing, program,
        properties_file::PropertiesFile,
        reply::Reply,
        wire::workflow::owner,
    },
};

/// The name that the proposal has for a state (its section 11).
fn state(status: JobStatus) -> &'static str {
    match status {
        JobStatus::Prep => "CREATED",
        other => other.name(),
    }
}

fn of_row(job: &JobRow) -> HwsJob {
    HwsJob {
        id: job.id.clone(),
        application: job.app.clone(),
        user: owner(job),
        status: state(job.status).to_owned(),
        run: job.run,
        created: clock::format_millis(job.created),
        started: job.started.and_then(clock::format_millis),
        ended: job.ended.and_then(clock::format_millis),
        parent: job.parent_id.clone(),
        actions: None,
        properties: None,
    }
}

/// GET and POST `jobs`.
pub(super) fn all(call: &Call) -> Reply {
    match call.method.as_str() {
        "POST" => super::answered(submit(call)),
        "GET" => super::answered(list(call)),
        _ => super::answered(expect_method(call, &["GET", "POST"])),
    }
}

fn list(call: &Call) -> Answer<HwsJobs> {
    let parts = super::filter(call, &["application", "user", "status", "id"])?;
    let parts: Vec<String> = parts
        .into_iter()
        .map(|(name, value)| match (name, value) {
            ("application", value) => format!("name={value}"),
            ("status", "CREATED") => "status=PREP".to_owned(),
            (name, value) => format!("{name}={value}"),
        })
        .collect();
    let filter = oozie_filter::parse(&parts.join(";"), JobKind::Workflow);
    let filter = filter.map_err(Failure::from)?;
    let (offset, len) = page(call)?;
    let connection = call.server.store()?;
    let found = listing::jobs(&connection, JobKind::Workflow, &filter, offset, len);
    let found = found.map_err(|error| Problem::from(call.server.failed(error)))?;
    Ok(HwsJobs {
        total: found.total,
        offset,
        len,
        jobs: found.rows.iter().map(of_row).collect(),
    })
}

/// The properties in the body: a JSON object of texts, or a Hadoop configuration.
fn properties(call: &Call) -> Result<given::Properties, Problem> {
    let is_xml = call
        .content_type()
        .is_some_and(|it| it.to_ascii_lowercase().contains("xml"));
    if is_xml {
        return given::properties(call).map_err(|failure| Problem::wrong(failure.message));
    }
    let mut properties: BTreeMap<String, String> = match call.body.is_empty() {
        true => BTreeMap::new(),
        false => serde_json::from_slice(&call.body).map_err(|error| {
            Problem::wrong(format!(
                "the body is no JSON object of texts, and is not said to be application/xml: {error}"
            ))
        })?,
    };
    if let Some(user) = &call.user {
        properties.insert("user.name".to_owned(), user.clone());
    }
    Ok(properties)
}

/// A new job of an application that accepts jobs.
fn submit(call: &Call) -> Answer<HwsJob> {
    let name = call.parameters.filled("application");
    let name = name.ok_or_else(|| Problem::wrong("the parameter application is missing"))?;
    let starts = match call.parameters.filled("action") {
        None => false,
        Some(_) => action(call, &["start"])? == "start",
    };
    let properties = properties(call)?;
    let session = &call.server.session;
    let found = application::find(session, name);
    let found = found.map_err(|error| Problem::unknown(error.message))?;
    let file = PropertiesFile::new(&properties)?;
    let path = file.path().as_os_str();
    let words = program::words(["submit".as_ref(), "-c".as_ref(), path]);
    let printed = program::of_definition(session, &found.definition, &words);
    let printed = printed.map_err(|failure| Problem::from(failure).conflict())?;
    let id = String::from_utf8_lossy(&printed).trim().to_owned();
    let job = expect_job(call, &id)?;
    if starts {
        order(call, &job, Verb::Start)?;
    }
    details(call, &id)
}

/// GET and PUT `jobs/ID`, PUT `jobs/ID/actions/NODE`.
pub(super) fn one(call: &Call) -> Answer<HwsJob> {
    expect_method(call, &["GET", "PUT"])?;
    let parts: Vec<&str> = call.rest.split('/').collect();
    match (call.method.as_str(), parts.as_slice()) {
        ("GET", [id]) => details(call, id),
        ("PUT", [id]) => command(call, id),
        ("PUT", [id, "actions", node]) => retry(call, id, node),
        _ => Err(Problem::unknown(format!(
            "there is nothing at {}",
            call.rest
        ))),
    }
}

fn expect_job(call: &Call, id: &str) -> Result<JobRow, Problem> {
    let missing = || Problem::unknown(format!("there is no workflow job {id}"));
    if !matches!(named(id), Named::Workflow(_)) {
        return Err(missing());
    }
    let connection = call.server.store()?;
    let job = query::job(&connection, id);
    let job = job.map_err(|error| Problem::from(call.server.failed(error)))?;
    job.ok_or_else(missing)
}

fn details(call: &Call, id: &str) -> Answer<HwsJob> {
    let job = expect_job(call, id)?;
    let connection = call.server.store()?;
    let failed = |error| Problem::from(call.server.failed(error));
    let mask = call.server.mask(&connection, &job)?;
    let rows = query::actions(&connection, id).map_err(failed)?;
    let text = |text: &Option<String>| text.as_ref().map(|text| mask.text(text));
    let actions = rows.iter().map(|row: &ActionRow| HwsAction {
        name: row.name.clone(),
        type_name: row.type_name.clone(),
        status: row.shown_status().name().to_owned(),
        transition: row.transition.clone(),
        external_id: row.external_id.clone(),
        external_status: text(&row.external_status),
        error_code: row.error_code.clone(),
        error_message: text(&row.error_message),
        retries: row.retries,
        started: row.started.and_then(clock::format_millis),
        ended: row.ended.and_then(clock::format_millis),
    });
    let conf: BTreeMap<String, String> = serde_json::from_str(&job.conf).unwrap_or_default();
    Ok(HwsJob {
        actions: Some(actions.collect()),
        properties: Some(mask.properties(&conf)),
        ..of_row(&job)
    })
}

fn order(call: &Call, job: &JobRow, verb: Verb) -> Result<(), Problem> {
    let done = control::ask(&call.server.session, job, JobOrder::Workflow(verb));
    done.map_err(|error| Problem::from(Failure::from(error)).conflict())
}

fn command(call: &Call, id: &str) -> Answer<HwsJob> {
    let known = ["start", "kill", "suspend", "resume", "resubmit"];
    let verb = match action(call, &known)? {
        "start" => Verb::Start,
        "kill" => Verb::Kill,
        "suspend" => Verb::Suspend,
        "resume" => Verb::Resume,
        _ => return resubmit(call, id),
    };
    order(call, &expect_job(call, id)?, verb)?;
    details(call, id)
}

/// A job that has ended runs again under its id; the nodes in `skip`, which must have completed, do not (section 12 of the proposal).
fn resubmit(call: &Call, id: &str) -> Answer<HwsJob> {
    let mut properties = properties(call)?;
    let skipped = call.parameters.get("skip").unwrap_or_default();
    let job = expect_job(call, id)?;
    properties.remove("oozie.wf.rerun.failnodes");
    properties.insert("oozie.wf.rerun.skip.nodes".to_owned(), skipped.to_owned());
    commands::run_again(call, &job, properties).map_err(|it| Problem::from(it).conflict())?;
    details(call, id)
}

/// An action that waits for a user who tries it again: the job waits with it, and continues.
fn retry(call: &Call, id: &str, node: &str) -> Answer<HwsJob> {
    action(call, &["retry"])?;
    let job = expect_job(call, id)?;
    let connection = call.server.store()?;
    let row = query::action(&connection, id, node);
    let row = row.map_err(|error| Problem::from(call.server.failed(error)))?;
    let row = row.ok_or_else(|| Problem::unknown(format!("job {id} has no action {node}")))?;
    if row.status != ActionStatus::StartManual {
        let status = row.shown_status().name();
        return Err(Problem::wrong(format!(
            "action {node} of job {id} is {status}; only one in START_MANUAL waits to be tried again"
        ))
        .conflict());
    }
    drop(connection);
    order(call, &job, Verb::Resume)?;
    details(call, id)
}
