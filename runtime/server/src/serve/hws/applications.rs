//! Applications: lists, details, and their life cycle (section 8 of the proposal).

use axum::http::StatusCode;
use hpdlc_host::clock;
use hpdlc_store::{
    applications::{self, ApplicationSummary, Transition},
    definitions,
};

use super::{Answer, Problem, action, expect_method, filter, page};
use crate::{
    api::hws::{Application, ApplicationState, Applications, RefusedFiles},
    application,
    apps::{change, list},
    serve::{call::Call, compile::reports, failure::Failure, parameters, program, reply::Reply},
};

/// What a ZIP is said to be.
const ARCHIVES: [&str; 3] = [
    "application/zip",
    "application/x-zip-compressed",
    "application/octet-stream",
];

/// GET `applications`: a list. POST: the ZIP of an application is compiled and deployed.
pub(super) fn all(call: &Call) -> Reply {
    match call.method.as_str() {
        "GET" => super::answered(listed(call)),
        "POST" => super::answered(deploy(call)),
        _ => super::answered(expect_method(call, &["GET", "POST"])),
    }
}

fn listed(call: &Call) -> Answer<Applications> {
    let filter = filter(call, &["name", "status"])?;
    let (offset, len) = page(call)?;
    let connection = call.server.store()?;
    let failed = |error| Problem::from(call.server.failed(error));
    let all = applications::summaries(&connection, None).map_err(failed)?;
    let fits = |application: &&ApplicationSummary| {
        let status = application.deployed.as_ref().map(|it| it.status.name());
        // Values of one name are alternatives.
        ["name", "status"].iter().all(|name| {
            let mut values = filter.iter().filter(|(known, _)| known == name).peekable();
            values.peek().is_none()
                || values.any(|(name, value)| match *name {
                    "name" => application.definition.app == *value,
                    _ => status == Some(*value),
                })
        })
    };
    let fitting: Vec<&ApplicationSummary> = all.iter().filter(fits).collect();
    let uris = definitions::registrations(&connection).map_err(failed)?;
    let number = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
    let shown = fitting.iter().skip(number(offset - 1)).take(number(len));
    Ok(Applications {
        total: u64::try_from(fitting.len()).unwrap_or(u64::MAX),
        offset,
        len,
        applications: shown.map(|it| list::of_summary(it, &uris)).collect(),
    })
}

fn deploy(call: &Call) -> Answer<Application> {
    let given = call.content_type().unwrap_or_default();
    let bare = given.split(';').next().unwrap_or_default().trim();
    if !ARCHIVES.iter().any(|it| it.eq_ignore_ascii_case(bare)) {
        return Err(Problem::of(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            format!(
                "the body is said to be `{given}`; an application is deployed as a ZIP, {}",
                ARCHIVES[0]
            ),
        ));
    }
    let session = &call.server.session;
    let name = call.server.compiler.deploy(session, &call.body)?;
    let found = application::find(session, &name);
    let found = found.map_err(|error| Problem::from(Failure::from(error)))?;
    details(call, &found)
}

/// GET, PUT and DELETE `applications/NAME`.
pub(super) fn one(call: &Call) -> Reply {
    match call.method.as_str() {
        "GET" => super::answered(found(call).and_then(|it| details(call, &it))),
        "PUT" | "DELETE" => super::answered(changed(call)),
        _ => super::answered(expect_method(call, &["GET", "PUT", "DELETE"])),
    }
}

fn found(call: &Call) -> Answer<ApplicationSummary> {
    let name = call.rest.as_str();
    let session = &call.server.session;
    application::find(session, name).map_err(|error| match error.exit {
        hpdlc_host::exit::Exit::Usage => Problem::unknown(error.message),
        _ => Problem::from(Failure::from(error)),
    })
}

/// Gives it another state.
fn changed(call: &Call) -> Answer<ApplicationState> {
    let name = found(call)?.definition.app;
    let session = &call.server.session;
    let transition = match call.method.as_str() {
        "DELETE" => Transition::Undeploy,
        _ => match action(call, &["activate", "suspend", "deactivate"])? {
            "activate" => Transition::Activate,
            "suspend" => Transition::Suspend,
            _ => Transition::Deactivate,
        },
    };
    let now = change::change(session, &name, transition);
    let now = now.map_err(|error| Problem::from(Failure::from(error)).conflict())?;
    Ok(ApplicationState {
        name,
        status: now.to_owned(),
    })
}

/// Its name, state and definition.
fn details(call: &Call, application: &ApplicationSummary) -> Answer<Application> {
    let session = &call.server.session;
    let connection = call.server.store()?;
    let uris = definitions::registrations(&connection);
    let uris = uris.map_err(|error| Problem::from(call.server.failed(error)))?;
    let answer = list::of_summary(application, &uris);
    let words = program::words(["definition"]);
    let document = program::of_definition(session, &application.definition, &words)?;
    let versions = definitions::versions(&connection, &application.definition.app);
    let versions = versions.map_err(|error| Problem::from(call.server.failed(error)))?;
    let (messages, refused) = compiled(call, application, &answer.uris);
    Ok(Application {
        messages,
        refused: Some(refused),
        document: Some(String::from_utf8_lossy(&document).into_owned()),
        versions: Some(versions.iter().map(list::of_version).collect()),
        parameters: parameters::of(session, &application.definition).ok(),
        ..answer
    })
}

/// What the compiler said about it, and why the files at its URIs could not be compiled since.
fn compiled(
    call: &Call,
    application: &ApplicationSummary,
    uris: &[String],
) -> (Option<String>, Vec<RefusedFiles>) {
    let home = &call.server.session.home;
    let refused = uris.iter().filter_map(|uri| {
        let refused = reports::refused(home, uri)?;
        Some(RefusedFiles {
            uri: uri.clone(),
            time: clock::format_millis(refused.time),
            messages: refused.report,
        })
    });
    (
        reports::of(home, &application.definition.hash),
        refused.collect(),
    )
}
