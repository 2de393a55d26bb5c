//! `show=definition` and `show=graph`: what only the executable of a job knows.

use std::fs;

use axum::http::StatusCode;
use hpdlc_host::job_id::JobKind;

use crate::serve::{
    call::Call,
    failure::Failure,
    found::{self, Named, named},
    png, program,
    query::Version,
    reply::{self, Reply, XML},
};

const PNG: &str = "image/png";

/// The document that a job follows, with its secrets masked.
pub(crate) fn definition(call: &Call) -> Reply {
    let id = call.rest.as_str();
    let missing = || match (named(id), call.version) {
        (Named::Workflow(_), _) | (_, Version::V0) => Failure::no_action(id),
        _ => Failure::no_job(id),
    };
    let connection = call.server.store()?;
    let job = found::job(call, &connection, id)?.ok_or_else(missing)?;
    if call.version == Version::V0 && JobKind::of(&job.id) != JobKind::Workflow {
        return Err(missing());
    }
    let words = program::words(["definition", &job.id]);
    let printed = program::of_job(&call.server.session, &job, &words)?;
    reply::text(XML, printed)
}

/// The picture of a workflow with the states of its nodes: PNG, unless told otherwise.
pub(crate) fn graph(call: &Call) -> Reply {
    let id = call.rest.as_str();
    if call.version == Version::V0 || !matches!(named(id), Named::Workflow(_)) {
        return Err(Failure::coded("E0306", "Invalid parameter"));
    }
    let connection = call.server.store()?;
    let job = found::job(call, &connection, id)?;
    let not_found = |failure: Failure| failure.with_status(StatusCode::NOT_FOUND);
    let job = job.ok_or_else(|| {
        not_found(Failure::runtime(&format!(
            "E0604: Job does not exist [{id}]"
        )))
    })?;
    let (ending, content_type) = match call.parameters.filled("format").unwrap_or("png") {
        "svg" => (".svg", "image/svg+xml"),
        "dot" => (".dot", "text/plain"),
        "png" => (".svg", PNG),
        other => {
            let problem = format!("No format {} of pictures", other.to_uppercase());
            return Err(not_found(Failure::runtime(&problem)));
        }
    };
    let failed = |error: std::io::Error| Failure::server(format!("a temporary file: {error}"));
    let folder = tempfile::tempdir().map_err(failed)?;
    let file = folder.path().join(format!("graph{ending}"));
    let arguments = [
        "graph".as_ref(),
        job.id.as_ref(),
        "-o".as_ref(),
        file.as_os_str(),
    ];
    program::of_job(&call.server.session, &job, &program::words(arguments))?;
    let picture = fs::read(&file).map_err(failed)?;
    let picture = match content_type {
        PNG => png::of_svg(&String::from_utf8_lossy(&picture))
            .map_err(|problem| Failure::runtime(&problem))?,
        _ => picture,
    };
    reply::text(content_type, picture)
}
