//! `callback`: what an action or a cluster says of an action.
//!
//! A URL that `wf:callback` has given has a token, and is accepted as by the listener of the owners; the site makes the URLs lead here by
//! `hpdl.callback.base.url`. Without a token it is a hint alone, as in Oozie: the owner of the job looks, and what it sees decides.

use axum::http::Method;
use hpdlc_executors::callbacks::{self, CallbackRequest, Callbacks};
use hpdlc_host::bell;

use crate::serve::{
    call::Call,
    failure::Failure,
    found::{self, Named, named},
    reply::{self, Reply},
};

/// `CallbackServlet.max.data.len`.
const MOST_BYTES: usize = 2048;

/// `CallbackServlet`.
pub(crate) fn callback(call: &Call) -> Reply {
    call.expect_method(&[Method::GET, Method::POST])?;
    let invalid = |query: &str| Failure::coded("E0402", format!("Invalid callback ID [{query}]"));
    let (id, status) = (call.parameters.get("id"), call.parameters.get("status"));
    let (id, status) = match (id, status) {
        (Some(id), Some(status)) => (id, status),
        (None, None) => return Err(invalid("null")),
        (Some(id), None) => return Err(invalid(&format!("id={id}"))),
        (None, Some(status)) => return Err(invalid(&format!("status={status}"))),
    };
    if call.method == Method::POST {
        call.expect_type("text/plain")?;
    }
    if call.body.len() > MOST_BYTES {
        return Err(Failure::argument("stream exceeds limit [2,048]"));
    }
    let Named::WorkflowAction(job, node) = named(id) else {
        // Oozie queues it, and finds no action later.
        return reply::empty();
    };
    match call.parameters.filled("token") {
        Some(token) => {
            let request = CallbackRequest {
                job: job.to_owned(),
                node: node.to_owned(),
                state: status.to_owned(),
                token: token.to_owned(),
                content_type: call.content_type().map(str::to_owned),
                body: String::from_utf8_lossy(&call.body).into_owned(),
            };
            let callbacks = Callbacks::new(&call.server.session.home);
            callbacks::take(&callbacks, &request)
                .map_err(|(code, words)| Failure::coded(code, words))?;
        }
        None => {
            let connection = call.server.store()?;
            if let Some(job) = found::job(call, &connection, job)? {
                bell::ring(&call.server.session.home, &job.root_id);
            }
        }
    }
    reply::empty()
}
