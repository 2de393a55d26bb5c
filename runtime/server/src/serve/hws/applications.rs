//! Applications: lists, details, and their life cycle (section 8 of the proposal).

use axum::http::{Method, StatusCode};
use hpdlc_store::{
    applications::{self, ApplicationSummary, Transition},
    definitions,
};
use serde_json::{Value, json};

use super::{Answer, Problem, action, expect_method, filter, page};
use crate::{
    application,
    apps::{change, list},
    serve::{call::Call, failure::Failure, program},
};

/// What a ZIP is said to be.
const ARCHIVES: [&str; 3] = [
    "application/zip",
    "application/x-zip-compressed",
    "application/octet-stream",
];

/// GET `applications`: a list. POST: the ZIP of an application is compiled and deployed.
pub(super) fn all(call: &Call) -> Answer {
    expect_method(call, &["GET", "POST"])?;
    if call.method == Method::POST {
        return deploy(call);
    }
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
    let shown: Vec<Value> = shown.map(|it| list::to_json(it, &uris)).collect();
    Ok(json!({
        "total": fitting.len(),
        "offset": offset,
        "len": len,
        "applications": shown,
    }))
}

fn deploy(call: &Call) -> Answer {
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
pub(super) fn one(call: &Call) -> Answer {
    expect_method(call, &["GET", "PUT", "DELETE"])?;
    let name = call.rest.as_str();
    let session = &call.server.session;
    let found = application::find(session, name).map_err(|error| match error.exit {
        hpdlc_host::exit::Exit::Usage => Problem::unknown(error.message),
        _ => Problem::from(Failure::from(error)),
    })?;
    let transition = match call.method.as_str() {
        "GET" => return details(call, &found),
        "DELETE" => Transition::Undeploy,
        _ => match action(call, &["activate", "suspend", "deactivate"])? {
            "activate" => Transition::Activate,
            "suspend" => Transition::Suspend,
            _ => Transition::Deactivate,
        },
    };
    let now = change::change(session, name, transition);
    let now = now.map_err(|error| Problem::from(Failure::from(error)).conflict())?;
    Ok(json!({ "name": name, "status": now }))
}

/// Its name, state and definition.
fn details(call: &Call, application: &ApplicationSummary) -> Answer {
    let session = &call.server.session;
    let connection = call.server.store()?;
    let uris = definitions::registrations(&connection);
    let uris = uris.map_err(|error| Problem::from(call.server.failed(error)))?;
    let mut answer = list::to_json(application, &uris);
    let words = program::words(["definition"]);
    let document = program::of_definition(session, &application.definition, &words)?;
    answer["document"] = json!(String::from_utf8_lossy(&document));
    Ok(answer)
}
