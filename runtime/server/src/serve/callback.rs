//! `callback`: what a cluster says of an action. Actions here are watched by their owners, which listen to callbacks of their own.

use axum::http::Method;

use crate::serve::{call::Call, failure::Failure, reply::Reply};

/// `CallbackServlet.max.data.len`.
const MOST_BYTES: usize = 2048;

/// `CallbackServlet`, as far as it refuses.
pub(crate) fn callback(call: &Call) -> Reply {
    call.expect_method(&[Method::GET, Method::POST])?;
    if call.body.len() > MOST_BYTES {
        return Err(Failure::argument("stream exceeds limit [2,048]"));
    }
    let (id, status) = (call.parameters.get("id"), call.parameters.get("status"));
    match (id, status) {
        (Some(_), Some(_)) => Err(Failure::parameter(
            "callback is not supported by hpdl: an action has a URL of its owner",
        )),
        (None, None) => Err(Failure::coded("E0402", "Invalid callback ID [null]")),
        (Some(id), None) => Err(Failure::coded(
            "E0402",
            format!("Invalid callback ID [id={id}]"),
        )),
        (None, Some(status)) => Err(Failure::coded(
            "E0402",
            format!("Invalid callback ID [status={status}]"),
        )),
    }
}
