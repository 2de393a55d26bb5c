//! POST `jobs`: new jobs, made by the executables of their applications.

use axum::http::StatusCode;
use hpdlc_core::substitute;
use hpdlc_engine::control::{self, JobOrder, bundle_request::BundleRequest};
use hpdlc_files::{Uri, local_path};
use hpdlc_host::job_id::JobKind;
use hpdlc_store::query::DefinitionRow;

use crate::{
    api::jobs::JobId,
    serve::{
        call::Call,
        commands::{self, Plain},
        compile::application,
        failure::Failure,
        found,
        generated::{self, JobType},
        given, program,
        properties_file::PropertiesFile,
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
    let mut properties = given::properties(call)?;
    // Also the path of the application may name other properties.
    substitute::resolve_in_place(&mut properties)
        .map_err(|error| Failure::runtime(&error.to_string()))?;
    if properties.get("user.name").is_none_or(String::is_empty) {
        return Err(Failure::argument("user cannot be null"));
    }
    let jobtype = call.parameters.get("jobtype");
    if let Some(word) = jobtype.filter(|_| call.version > Version::V0) {
        return submit_generated(call, word, properties);
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
    let (path, kind) = application_path(call, &mut properties)?;
    let definition = executable(call, &path, kind, &properties)?;
    if action == Some("dryrun") {
        let session = &call.server.session;
        let file = PropertiesFile::new(&properties)?;
        let path = file.path().as_os_str();
        let words = program::words(["dryrun".as_ref(), "-c".as_ref(), path]);
        let printed = program::of_definition(session, &definition, &words)?;
        let id = match kind {
            JobKind::Workflow => "OK".to_owned(),
            JobKind::Coordinator => by_action(&String::from_utf8_lossy(&printed)),
            // The client knows a bundle by the beginning of its document.
            JobKind::Bundle => {
                let words = program::words(["definition"]);
                let document = program::of_definition(session, &definition, &words)?;
                let [document, printed] =
                    [document, printed].map(|it| String::from_utf8_lossy(&it).into_owned());
                format!("{}\n{printed}", without_prolog(&document).trim_end())
            }
        };
        return reply::json_with(StatusCode::CREATED, &JobId::from(Some(id)));
    }
    create(
        call,
        &definition,
        &properties,
        kind,
        action == Some("start"),
    )
}

/// What a dry run of a coordinator prints, with the words by which Oozie's client counts and numbers the actions (`OozieCLI.dryrun`).
fn by_action(printed: &str) -> String {
    let mut text = String::with_capacity(printed.len());
    for line in printed.split_inclusive('\n') {
        if line.starts_with('@') {
            text.push_str("action for new instance\n");
        }
        text.push_str(line);
    }
    text
}

/// A document from its root element on.
fn without_prolog(document: &str) -> &str {
    document
        .find("<bundle-app")
        .map_or(document, |start| &document[start..])
}

/// A workflow of one action, which the server writes and always starts (`DagEngine.submitHttpJob`).
fn submit_generated(call: &Call, word: &str, mut properties: given::Properties) -> Reply {
    let (path, kind) = application_path(call, &mut properties)?;
    expect_folder(&path)?;
    let job = JobType::parse(word)?;
    if kind != JobKind::Workflow {
        return Err(Failure::coded(
            "E0401",
            "Missing configuration property [oozie.wf.application.path]",
        ));
    }
    let document = generated::document(job, &properties)?;
    let compiler = &call.server.compiler;
    let name = format!("oozie-{word}");
    let session = &call.server.session;
    let definition = compiler.of_document(session, &name, &document, &properties)?;
    create(call, &definition, &properties, kind, true)
}

/// Refuses a folder of this machine that does not exist, as `AuthorizationService.authorizeForApp` does. What is elsewhere is looked for
/// by the action.
fn expect_folder(path: &str) -> Result<(), Failure> {
    let uri = Uri::parse(path);
    let is_local = uri.is_file() || uri.scheme.is_none() && uri.is_absolute();
    match local_path(path) {
        Ok(folder) if is_local && !folder.exists() => Err(Failure::coded(
            "E0504",
            format!("App directory [{path}] does not exist"),
        )
        .with_status(StatusCode::UNAUTHORIZED)),
        _ => Ok(()),
    }
}

/// Creates the job, and starts what is to start.
fn create(
    call: &Call,
    definition: &DefinitionRow,
    properties: &given::Properties,
    kind: JobKind,
    is_started: bool,
) -> Reply {
    let Created { id, warnings } = created(call, definition, properties)?;
    start(call, &id, kind, is_started)?;
    let id = Some(id);
    reply::json_with(StatusCode::CREATED, &JobId { id, warnings })
}

/// A new job, and what its executable says of it.
pub(crate) struct Created {
    pub(crate) id: String,
    warnings: Vec<String>,
}

/// A new job of an executable.
pub(crate) fn created(
    call: &Call,
    definition: &DefinitionRow,
    properties: &given::Properties,
) -> Result<Created, Failure> {
    let file = PropertiesFile::new(properties)?;
    let path = file.path().as_os_str();
    let words = program::words(["submit".as_ref(), "-c".as_ref(), path]);
    let (printed, warnings) =
        program::told_by_definition(&call.server.session, definition, &words)?;
    Ok(Created {
        id: String::from_utf8_lossy(&printed).trim().to_owned(),
        warnings,
    })
}

/// The one path of an application. A proxy submission that has none gets that of its first library, as in Oozie.
fn application_path(
    call: &Call,
    properties: &mut given::Properties,
) -> Result<(String, JobKind), Failure> {
    let has_path =
        |(name, _): &(&str, JobKind)| properties.get(*name).is_some_and(|it| !it.is_empty());
    if !PATHS.iter().any(has_path)
        && let Some(path) = generated::application_path(properties)?
    {
        properties.insert("oozie.wf.application.path".to_owned(), path);
    }
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
    if call.server.kinds.is_other(session, &definition, kind) {
        return Err(Failure::runtime(&format!(
            "the executable that is registered for [{path}], {}, is not a {word}",
            definition.app
        )));
    }
    Ok(definition)
}

/// Starts what Oozie starts: a workflow if that is asked for, a coordinator always. A bundle that waits for its kick-off time has an owner
/// meanwhile, unless it is to start at once.
pub(crate) fn start(call: &Call, id: &str, kind: JobKind, is_asked: bool) -> Result<(), Failure> {
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

#[cfg(test)]
mod tests {
    use super::{by_action, without_prolog};

    #[test]
    fn a_client_counts_the_actions_of_a_dry_run() {
        let printed =
            "hourly (coordinator)\n  name  a\n@1 2009-01-01T00:00Z\n  x  1\n@2 2009-01-01T01:00Z\n";
        let text = by_action(printed);
        assert_eq!(text.split("action for new instance").count(), 1 + 2);
        assert_eq!(text.replace("action for new instance\n", ""), printed);
    }

    #[test]
    fn a_bundle_begins_with_its_root() {
        let document = "<?xml version=\"1.0\"?>\n<!-- a comment -->\n<bundle-app name=\"b\"/>\n";
        assert_eq!(without_prolog(document), "<bundle-app name=\"b\"/>\n");
    }
}
