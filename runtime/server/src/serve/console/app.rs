//! An application: its state and life cycle, the form that starts a job, its versions and newest jobs, and its document.

use axum::http::Method;
use hpdlc_host::clock;
use hpdlc_runtime::fleet::ListMasks;
use hpdlc_store::{
    applications::{ApplicationSummary, Transition},
    definitions,
    jobs::{self as rows, JobFilter},
    query::DefinitionRow,
    sql::Connection,
};
use serde_json::{Value, json};

use crate::{
    application,
    serve::{
        call::Call,
        compile::reports,
        console::{
            after,
            app_form::{Form, fields, quoted},
            apps, csrf, jobs, links,
            marks::Mark,
            node_grid,
            page::{self, Frame},
        },
        failure::Failure,
        parameters, program,
        reply::Reply,
    },
};

/// The newest jobs that are shown.
const N_JOBS: u64 = 10;

/// The life cycle: the word of the command line, the title, the change, and what it means.
pub(crate) const LIFE: [(&str, &str, Transition, &str); 4] = [
    (
        "activate",
        "Activate",
        Transition::Activate,
        "New jobs are accepted.",
    ),
    (
        "suspend",
        "Suspend",
        Transition::Suspend,
        "New jobs are refused. Existing jobs go on.",
    ),
    (
        "deactivate",
        "Deactivate",
        Transition::Deactivate,
        "New jobs are refused, and the application can be undeployed. It is refused while jobs have not ended.",
    ),
    (
        "undeploy",
        "Undeploy",
        Transition::Undeploy,
        "The application is removed. Its jobs stay.",
    ),
];

/// The application of this name.
///
/// # Errors
///
/// 404 if there is none.
pub(crate) fn found(call: &Call, name: &str) -> Result<ApplicationSummary, Failure> {
    application::find(&call.server.session, name).map_err(|error| match error.exit {
        hpdlc_host::exit::Exit::Usage => Failure {
            message: error.message,
            ..Failure::not_found()
        },
        _ => error.into(),
    })
}

/// GET `app/NAME?version=HASH&do=COMMAND`
pub(crate) fn app(call: &Call) -> Reply {
    call.expect_method(&[Method::GET, Method::HEAD])?;
    let app = found(call, &call.rest)?;
    shown(call, &app, &Form::default(), None)
}

/// The page; `form` is what was sent with it and what became of that, `refused` why a command was not carried out.
pub(crate) fn shown(
    call: &Call,
    app: &ApplicationSummary,
    form: &Form,
    refused: Option<&str>,
) -> Reply {
    let connection = call.server.store()?;
    let failed = |error| call.server.failed(error);
    let (base, session) = (&call.server.base, &call.server.session);
    let name = app.definition.app.as_str();
    let versions = definitions::versions(&connection, name).map_err(failed)?;
    let asked = call.parameters.filled("version");
    let definition = match asked {
        None => &app.definition,
        Some(hash) => versions
            .iter()
            .map(|it| &it.definition)
            .find(|it| it.hash == hash)
            .ok_or_else(|| Failure {
                message: format!("the application {name} has no definition {hash}"),
                ..Failure::not_found()
            })?,
    };
    let is_current = definition.hash == app.definition.hash;
    let known = parameters::of(session, definition);
    let problem = known.as_ref().err().map(|failure| failure.message.clone());
    let fields = fields(&known.unwrap_or_default(), form);
    let uris = definitions::registrations(&connection).map_err(failed)?;
    let status = apps::state(app);
    let versions: Vec<Value> = versions
        .iter()
        .map(|it| {
            let hash = it.definition.hash.as_str();
            json!({
                "href": links::with_query(&links::app(base, name), &[("version", hash)]),
                "definition": hash.get(..12).unwrap_or(hash),
                "is_current": hash == app.definition.hash,
                "is_shown": hash == definition.hash,
                "created": it.definition.created,
                "compiler": it.definition.hpdlc_version,
                "n_jobs": it.n_jobs,
                "last": it.last_job,
            })
        })
        .collect();
    let own_uris: Vec<&String> = uris
        .iter()
        .filter(|(_, hash)| *hash == definition.hash)
        .map(|(uri, _)| uri)
        .collect();
    let refused_files: Vec<Value> = own_uris
        .iter()
        .filter_map(|uri| {
            let refused = reports::refused(&session.home, uri)?;
            Some(json!({ "uri": uri, "time": refused.time, "report": refused.report }))
        })
        .collect();
    let messages = reports::of(&session.home, &definition.hash);
    let (document, document_problem) = match document(call, definition) {
        Ok(text) => (Some(text), None),
        Err(failure) => (None, Some(failure.message)),
    };
    let values = json!({
        "name": name,
        "mark": Mark::of(status),
        "action": links::app(base, name),
        "definition": definition.hash,
        "is_current": is_current,
        "compiler": definition.hpdlc_version,
        "program": definition.program,
        "uris": own_uris,
        "registered": definition.created,
        "deployed": app.deployed.as_ref().map(|it| it.deployed),
        "changed": app.deployed.as_ref().map(|it| it.changed),
        "jobs": links::jobs(base, &[("app", name)]),
        "n_jobs": app.n_jobs,
        "n_unfinished": app.n_unfinished,
        "life": life(base, app),
        "asked": asked_change(call, app),
        "after_html": after::of_application(call, &connection, name)?,
        "refused": refused,
        "accepts": app.deployed.is_none() || status == "ACTIVE",
        "problem": problem,
        "fields": fields,
        "more": form.more,
        "tried": form.tried,
        "line": form.line,
        "is_ready": form.is_ready,
        "has_secrets": form.has_secrets,
        "proof_name": csrf::FIELD,
        "proof": csrf::proof(call),
        "versions": versions,
        "nodes": node_grid::of(call, &connection, name)?,
        "newest": newest(call, &connection, name)?,
        "refused_files": refused_files,
        "is_compiled_here": messages.is_some(),
        "messages": messages,
        "document": document,
        "document_problem": document_problem,
    });
    let frame = Frame::new(name, "console/apps").below("Applications", links::apps(base));
    page::html(call, frame, "app", &values)
}

fn document(call: &Call, definition: &DefinitionRow) -> Result<String, Failure> {
    let words = program::words(["definition"]);
    let printed = program::of_definition(&call.server.session, definition, &words)?;
    Ok(String::from_utf8_lossy(&printed).into_owned())
}

/// The changes of its life cycle that its state allows.
fn life(base: &str, app: &ApplicationSummary) -> Vec<Value> {
    let Some(deployed) = &app.deployed else {
        return Vec::new();
    };
    let allowed = LIFE
        .iter()
        .filter(|(_, _, transition, _)| transition.from().contains(&deployed.status));
    allowed
        .map(|(word, title, transition, _)| {
            let page = links::app(base, &app.definition.app);
            json!({
                "title": title,
                "href": links::with_query(&page, &[("do", word)]),
                "is_danger": *transition == Transition::Undeploy,
            })
        })
        .collect()
}

/// The change that the reader is about to make: what it means, and the same command for the command line.
fn asked_change(call: &Call, app: &ApplicationSummary) -> Option<Value> {
    let asked = call.parameters.filled("do")?;
    let (word, title, transition, meaning) = LIFE.iter().find(|(word, ..)| *word == asked)?;
    let deployed = app.deployed.as_ref();
    let is_allowed = deployed.is_some_and(|it| transition.from().contains(&it.status));
    Some(json!({
        "word": word,
        "title": title,
        "meaning": meaning,
        "n_unfinished": app.n_unfinished,
        "is_allowed": is_allowed,
        "is_danger": *transition == Transition::Undeploy,
        "line": format!("hpdl apps {word} {}", quoted(&app.definition.app)),
    }))
}

/// Its newest jobs, whoever started them.
fn newest(call: &Call, connection: &Connection, name: &str) -> Result<Vec<Value>, Failure> {
    let filter = JobFilter {
        app: Some(jobs::quoted(name)),
        limit: Some(N_JOBS),
        ..JobFilter::default()
    };
    let found = rows::list(connection, &filter).map_err(|error| call.server.failed(error))?;
    let mut masks = ListMasks::of(call.server.session.program, connection);
    let now = clock::now_millis();
    let shown = found
        .iter()
        .map(|(job, status)| jobs::row(&call.server.base, job, status, &masks.mask(job), now));
    Ok(shown.collect())
}
