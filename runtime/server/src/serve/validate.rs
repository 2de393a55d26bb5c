//! `validate`: whether a document follows its schema. That is what the compiler knows, which is another program.

use axum::http::Method;

use crate::serve::{call::Call, failure::Failure, reply::Reply};

/// `V2ValidateServlet`, as far as it refuses.
pub(crate) fn validate(call: &Call) -> Reply {
    call.expect_method(&[Method::POST])?;
    call.expect_xml()?;
    Err(Failure::parameter(
        "validate is not supported by hpdl: type `hpdlc check FOLDER`",
    ))
}
