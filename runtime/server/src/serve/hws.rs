//! `/hws/v1`: the API of the proposal of 2009 (its sections 8, 11, 13 and 14), as JSON: applications, their jobs, and the server itself.
//!
//! Unlike Oozie's API it refuses what a state does not allow (409), and what fails is said in the body of every answer.

use axum::http::{HeaderValue, StatusCode};
use serde::Serialize;

use crate::{
    api::hws::{HwsError, HwsProblem},
    serve::{
        call::Call,
        failure::{ERROR_CODE, Failure},
        reply::{self, Reply},
        server::SystemMode,
    },
};

mod administration;
mod applications;
mod jobs;
#[cfg(test)]
mod tests;

/// What a resource answers.
type Answer<T> = Result<T, Problem>;

/// Why a request is refused, or has failed.
#[derive(Debug)]
struct Problem {
    status: StatusCode,
    /// Oozie's code, if there is one.
    code: Option<String>,
    message: String,
}

impl Problem {
    fn of(status: StatusCode, message: impl Into<String>) -> Problem {
        Problem {
            status,
            code: None,
            message: message.into(),
        }
    }

    /// Nothing has this name.
    fn unknown(message: impl Into<String>) -> Problem {
        Problem::of(StatusCode::NOT_FOUND, message)
    }

    /// The request itself is wrong.
    fn wrong(message: impl Into<String>) -> Problem {
        Problem::of(StatusCode::BAD_REQUEST, message)
    }

    /// The state of an application or a job does not allow it.
    fn conflict(self) -> Problem {
        match self.status {
            StatusCode::BAD_REQUEST => Problem {
                status: StatusCode::CONFLICT,
                ..self
            },
            _ => self,
        }
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Problem {
        let message = match &failure.code {
            Some(code) => {
                let prefix = format!("{code}: ");
                failure.message.trim_start_matches(&prefix).to_owned()
            }
            None => failure.message,
        };
        Problem {
            status: failure.status,
            code: failure.code,
            message,
        }
    }
}

/// `applications`.
pub(crate) fn applications(call: &Call) -> Reply {
    active_reply(call, applications::all)
}

/// `applications/NAME`.
pub(crate) fn application(call: &Call) -> Reply {
    active_reply(call, applications::one)
}

/// `jobs`.
pub(crate) fn jobs(call: &Call) -> Reply {
    active_reply(call, jobs::all)
}

/// `jobs/ID`, `jobs/ID/actions/NODE`.
pub(crate) fn job(call: &Call) -> Reply {
    active(call, jobs::one)
}

/// `admin/status`.
pub(crate) fn status(call: &Call) -> Reply {
    answered(administration::status(call))
}

/// `admin/instrumentation`.
pub(crate) fn instrumentation(call: &Call) -> Reply {
    administration::instrumentation(call)
}

/// `admin/environment`.
pub(crate) fn environment(call: &Call) -> Reply {
    answered(administration::environment(call))
}

/// `admin/properties`.
pub(crate) fn properties(call: &Call) -> Reply {
    answered(administration::properties(call))
}

/// `admin/purge`.
pub(crate) fn purge(call: &Call) -> Reply {
    answered(administration::purge(call))
}

fn active<T: Serialize>(call: &Call, resource: fn(&Call) -> Answer<T>) -> Reply {
    active_reply(call, |call| answered(resource(call)))
}

/// A resource that does not answer while the server is deactivated.
fn active_reply(call: &Call, resource: impl Fn(&Call) -> Reply) -> Reply {
    match call.server.mode() {
        SystemMode::Normal => resource(call),
        SystemMode::NoWebService | SystemMode::SafeMode => answered::<()>(Err(Problem::of(
            StatusCode::SERVICE_UNAVAILABLE,
            "the server is deactivated; an administrator activates it by PUT admin/status?action=activate",
        ))),
    }
}

/// The paths of this API begin with it.
pub(crate) const PREFIX: &str = "/hws/";

/// A failure that comes from before or behind the resources.
pub(crate) fn failed(failure: Failure) -> Reply {
    answered::<()>(Err(failure.into()))
}

/// A failure has its code in a header, too, as in Oozie's API.
fn answered<T: Serialize>(answer: Answer<T>) -> Reply {
    let problem = match answer {
        Ok(value) => return reply::json(&value),
        Err(problem) => problem,
    };
    let code = problem.code.as_deref().map(HeaderValue::from_str);
    let mut response = reply::json_with(
        problem.status,
        &HwsProblem {
            error: HwsError {
                code: problem.code.clone(),
                message: problem.message,
            },
        },
    )?;
    if let Some(Ok(code)) = code {
        response.headers_mut().insert(ERROR_CODE, code);
    }
    Ok(response)
}

/// Refuses other methods than these.
fn expect_method(call: &Call, methods: &[&str]) -> Result<(), Problem> {
    if methods.contains(&call.method.as_str()) {
        return Ok(());
    }
    Err(Problem::of(
        StatusCode::METHOD_NOT_ALLOWED,
        format!("{} is expected here", methods.join(" or ")),
    ))
}

/// The parameter `action`, which is one of these.
fn action<'c>(call: &'c Call, known: &[&str]) -> Result<&'c str, Problem> {
    let given = call.parameters.get("action").unwrap_or_default();
    if known.contains(&given) {
        return Ok(given);
    }
    Err(Problem::wrong(format!(
        "the parameter action is `{given}`; it must be one of {}",
        known.join(", ")
    )))
}

/// `name=value;name=value`, with names of a list.
fn filter<'c>(call: &'c Call, known: &[&str]) -> Result<Vec<(&'c str, &'c str)>, Problem> {
    let text = call.parameters.get("filter").unwrap_or_default();
    let parts = text.split(';').filter(|part| !part.trim().is_empty());
    parts
        .map(|part| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let (name, value) = (name.trim(), value.trim());
            if known.contains(&name) && !value.is_empty() {
                return Ok((name, value));
            }
            Err(Problem::wrong(format!(
                "the filter has `{part}`; its parts are name=value, with the names {}",
                known.join(", ")
            )))
        })
        .collect()
}

/// The first element of a page, which counts from 1, and how many there are.
fn page(call: &Call) -> Result<(i64, i64), Problem> {
    let number = |name: &str, default: i64| match call.parameters.filled(name) {
        None => Ok(default),
        Some(text) => match text.parse::<i32>() {
            Ok(number @ 1..) => Ok(i64::from(number)),
            _ => Err(Problem::wrong(format!(
                "the parameter {name} is `{text}`; it must be a number from 1 on"
            ))),
        },
    };
    Ok((number("offset", 1)?, number("len", 50)?))
}
