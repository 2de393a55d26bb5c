//! `/openapi.json`: the description of all operations, for programs.
//!
//! [`operation`] is what a description consists of; the tables beside it have one for each operation, with the types that handlers
//! answer with; [`written`] makes an OpenAPI document of them. A test compares them with the routes, and answers with the schemas.

use axum::http::Method;

use crate::serve::{
    call::Call,
    openapi::operation::Operation,
    policy::Mode,
    reply::{self, Reply},
};

mod admin;
mod hws;
mod job;
mod jobs;
mod operation;
mod others;
mod parameters;
mod written;

/// Where the document is.
pub(crate) const PATH: &str = "/openapi.json";

/// All operations.
fn operations() -> impl Iterator<Item = &'static Operation> {
    let tables = [
        jobs::OPERATIONS,
        job::OPERATIONS,
        admin::OPERATIONS,
        others::OPERATIONS,
        hws::OPERATIONS,
    ];
    tables.into_iter().flatten()
}

/// The document of a server.
pub(crate) fn document(base: &str, mode: Mode) -> utoipa::openapi::OpenApi {
    written::document(operations(), base, mode)
}

/// GET `/openapi.json`.
pub(crate) fn openapi(call: &Call) -> Reply {
    call.expect_method(&[Method::GET, Method::HEAD])?;
    reply::json(&document(&call.server.base, call.server.access.mode))
}
