//! Answers that are no failures.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
};

use axum::{
    body::{Body, Bytes, HttpBody},
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use hyper::body::Frame;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use crate::serve::failure::{Failure, JSON};

/// What a handler gives.
pub(crate) type Reply = Result<Response, Failure>;

/// The job that a request has created, among the extensions of its answer: for the audit.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Created {
    pub(crate) id: String,
}

/// The content types of texts, as Oozie quotes them.
pub(crate) const XML: &str = "application/xml; charset=\"UTF-8\"";
pub(crate) const TEXT: &str = "text/plain; charset=\"UTF-8\"";

/// 200 with JSON.
pub(crate) fn json(value: &impl Serialize) -> Reply {
    json_with(StatusCode::OK, value)
}

/// JSON with another status.
pub(crate) fn json_with(status: StatusCode, value: &impl Serialize) -> Reply {
    let text = serde_json::to_vec(value).map_err(|error| Failure::server(error.to_string()))?;
    let created = match status {
        StatusCode::CREATED => serde_json::from_slice::<Created>(&text).ok(),
        _ => None,
    };
    let mut response = of(status, JSON, text.into());
    if let Some(created) = created {
        response.extensions_mut().insert(created);
    }
    Ok(response)
}

/// 200 with a body of another type.
pub(crate) fn text(content_type: &'static str, body: impl Into<Body>) -> Reply {
    Ok(of(StatusCode::OK, content_type, body.into()))
}

/// A body that is sent line by line, as the lines come.
pub(crate) struct Lines(mpsc::Receiver<String>);

impl Lines {
    /// 200 with what arrives at `lines`.
    pub(crate) fn response(content_type: &'static str, lines: mpsc::Receiver<String>) -> Response {
        of(StatusCode::OK, content_type, Body::new(Lines(lines)))
    }
}

impl HttpBody for Lines {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let line = self.0.poll_recv(context);
        line.map(|line| line.map(|line| Ok(Frame::data(line.into()))))
    }
}

/// 200 without a body.
pub(crate) fn empty() -> Reply {
    Ok(Response::new(Body::empty()))
}

pub(crate) fn of(status: StatusCode, content_type: &'static str, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}
