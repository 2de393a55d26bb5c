//! `validate`: whether a document follows its schema. That is what the compiler knows, which is another program.

use axum::http::Method;

use crate::{
    api::job::Validated,
    serve::{
        call::Call,
        compile,
        reply::{self, Reply},
    },
};

/// `V2ValidateServlet`: the document is the body, unless `file` is a URI of another file system.
pub(crate) fn validate(call: &Call) -> Reply {
    call.expect_method(&[Method::POST])?;
    call.expect_xml()?;
    let file = call.parameters.required("file")?;
    let server = &call.server;
    compile::validate(&server.compiler, &server.session, file, &call.body)?;
    // Also of a coordinator or a bundle.
    reply::json(&Validated {
        validate: "Valid workflow-app".to_owned(),
    })
}
