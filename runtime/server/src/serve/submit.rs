//! POST `jobs`: new jobs, made by the executables of their applications.

use axum::http::StatusCode;
use hpdlc_core::substitute;
use hpdlc_engine::control::{self, JobOrder, bundle_request::BundleRequest};
use hpdlc_host::job_id::JobKind;
use hpdlc_store::query::DefinitionRow;

use crate::{
    api::jobs::JobId,
    serve::{
        call::Call,
        commands::{self, Plain},
        compile::application,
        failure::Failure,
        found, given, program,
        query::Version,
        reply::{self, Reply},
    },
};

/// The properties that name an application, and the kind of its jobs.
const PATHS: [(&str, JobKind); 3] = [
    ("oozie.wf.application.path", JobKind::Workflow),
    ("oozie.coord.application.path", JobKind::Coordinator),
    ("oozie.bundle.application.path", JobKind::Bundle),
];

/// `BaseJobsServlet.doPost`.
pub(crate) fn submit(call: &Call) -> Reply {
    call.expect_xml()?;
    if let Some(jobtype) = call.parameters.filled("jobtype") {
        return Err(Failure::parameter(&format!(
            "submission of [{jobtype}] by HTTP is not supported by hpdl: submit a workflow"
        )));
    }
    let mut properties = given::properties(call)?;
    // Also the path of the application may name other properties.
    substitute::resolve_in_place(&mut properties)
        .map_err(|error| Failure::runtime(&error.to_string()))?;
    if properties.get("user.name").is_none_or(String::is_empty) {
        return Err(Failure::argument("user cannot be null"));
    }
    let action = call.parameters.get("action");
    let is_known = match action {
        None | Some("start") => true,
        Some("dryrun") => call.version > Version::V0,
        Some(_) => false,
    };
    if !is_known {
        return Err(Failure::value("action", action.unwrap_or_default()));
    }
    let (path, kind) = application_path(call, &properties)?;
    let definition = executable(call, &path, kind, &properties)?;
    let file = program::properties_file(&properties)?;
    let path = file.path().as_os_str();
    let session = &call.server.session;
    if action == Some("dryrun") {
        let words = program::words(["dryrun".as_ref(), "-c".as_ref(), path]);
        let printed = program::of_definition(session, &definition, &words)?;
        let id = match kind {
            JobKind::Workflow => "OK".to_owned(),
            JobKind::Coordinator | JobKind::Bundle => {
                String::from_utf8_lossy(&printed).into_owned()
            }
        };
        return reply::json_with(StatusCode::CREATED, &JobId { id: Some(id) });
    }
    let words = program::words(["submit".as_ref(), "-c".as_ref(), path]);
    let printed = program::of_definition(session, &definition, &words)?;
    let id = String::from_utf8_lossy(&printed).trim().to_owned();
    start(call, &id, kind, action == Some("start"))?;
    reply::json_with(StatusCode::CREATED, &JobId { id: Some(id) })
}

/// The one path of an application.
fn application_path(
    call: &Call,
    properties: &given::Properties,
) -> Result<(String, JobKind), Failure> {
    let given = PATHS.into_iter().filter_map(|(name, kind)| {
        let path = properties.get(name).filter(|path| !path.is_empty())?;
        Some((path.clone(), kind))
    });
    let given: Vec<(String, JobKind)> = given.collect();
    if call.version == Version::V0 && !matches!(given.as_slice(), [(_, JobKind::Workflow)]) {
        return Err(Failure::coded(
            "E0401",
            "Missing configuration property [oozie.wf.application.path]",
        ));
    }
    match given.as_slice() {
        [one] => Ok(one.clone()),
        [] => Err(Failure::runtime(
            "no application path is given, and app definition cannot be created because of missing config value [oozie.jobs.api.generated.xml]",
        )),
        _ => Err(Failure::parameter(
            "Multiple app paths specified, only one is allowed",
        )),
    }
}

/// The executable of an application: the registered one, else one that is compiled now.
///
/// # Errors
///
/// E0307 if there is none, or if its jobs are of another kind; what the compiler says of the application.
fn executable(
    call: &Call,
    path: &str,
    kind: JobKind,
    properties: &given::Properties,
) -> Result<DefinitionRow, Failure> {
    let session = &call.server.session;
    let word = application::word(kind);
    let compiler = &call.server.compiler;
    let definition = compiler.executable(session, path, kind, properties)?;
    // A document written in Rust, or one that is not embedded, says nothing of its kind.
    let document = program::of_definition(session, &definition, &program::words(["definition"]));
    let document = document.unwrap_or_default();
    let document = String::from_utf8_lossy(&document);
    let has = |word: &str| document.contains(&format!("<{word}-app"));
    let is_other = ["workflow", "coordinator", "bundle"].into_iter().any(&has) && !has(word);
    if is_other {
        return Err(Failure::runtime(&format!(
            "the executable that is registered for [{path}], {}, is not a {word}",
            definition.app
        )));
    }
    Ok(definition)
}

/// Starts what Oozie starts: a workflow if that is asked for, a coordinator always. A bundle that waits for its kick-off time has an owner
/// meanwhile, unless it is to start at once.
fn start(call: &Call, id: &str, kind: JobKind, is_asked: bool) -> Result<(), Failure> {
    let connection = call.server.store()?;
    let job = found::expect_job(call, &connection, id)?;
    match kind {
        JobKind::Workflow if !is_asked => Ok(()),
        JobKind::Bundle if !is_asked => {
            let order = JobOrder::Bundle(&BundleRequest::Start);
            control::ask(&call.server.session, &job, order).map_err(Failure::from)
        }
        JobKind::Workflow | JobKind::Coordinator | JobKind::Bundle => {
            drop(connection);
            commands::plain(call, &job, Plain::Start)
        }
    }
}
