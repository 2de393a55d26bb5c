//! A request as resources see it.

use std::{net::IpAddr, sync::Arc, time::Duration};

use axum::{
    body::{Bytes, HttpBody},
    extract::{FromRequest, FromRequestParts, OriginalUri, RawPathParams, Request},
    http::{Method, StatusCode, header},
};
use tokio::{sync::OwnedSemaphorePermit, time};

use crate::serve::{
    dates::Zone,
    failure::Failure,
    proof::Caller,
    query::{Parameters, Version},
    server::{MOST_BYTES, Server},
};

/// How long a body may take to arrive.
const BODY_PATIENCE: Duration = Duration::from_secs(30);

/// The address of a client, among the extensions of its requests: of version 4 where it has one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// The most bytes that the body of a request may have, among its extensions where that is not [`MOST_BYTES`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyLimit(pub(crate) usize);

/// A request.
pub(crate) struct Call {
    pub(crate) server: Arc<Server>,
    pub(crate) version: Version,
    pub(crate) method: Method,
    /// What follows the resource in the path, decoded: the id of a job.
    pub(crate) rest: String,
    pub(crate) parameters: Parameters,
    /// Who sent it, and the proof of that.
    pub(crate) caller: Caller,
    /// In whose name: the caller's, or the one that `doAs` names.
    pub(crate) user: Option<String>,
    /// The caller, where that is in another's name.
    pub(crate) proxy: Option<String>,
    /// Of the client.
    pub(crate) address: Option<IpAddr>,
    pub(crate) zone: Zone,
    pub(crate) body: Bytes,
    content_type: Option<String>,
    /// The path as it was sent.
    path: String,
    /// What its body takes of the server's room for bodies.
    _room: OwnedSemaphorePermit,
}

impl Call {
    /// What follows the version in the path, such as `jobs`; without a version, the last part.
    pub(crate) fn resource(&self) -> &str {
        let mut parts = self.path.split('/');
        let is_version = |part: &str| matches!(part, "v0" | "v1" | "v2");
        let of_version = parts.by_ref().find(|part| is_version(part));
        let found = of_version.and_then(|_| parts.next());
        found.unwrap_or_else(|| self.path.rsplit('/').next().unwrap_or_default())
    }

    /// Refuses another method than these, as `JsonRestServlet.validateRestUrl` does.
    pub(crate) fn expect_method(&self, methods: &[Method]) -> Result<(), Failure> {
        if methods.contains(&self.method) {
            return Ok(());
        }
        Err(Failure::resource(&self.rest))
    }

    /// Refuses a body that is not said to be `application/xml` (E0300).
    pub(crate) fn expect_xml(&self) -> Result<(), Failure> {
        self.expect_type("application/xml")
    }

    /// What the body is said to be.
    pub(crate) fn content_type(&self) -> Option<&str> {
        self.content_type.as_deref()
    }

    /// Refuses a body of another type (E0300).
    pub(crate) fn expect_type(&self, expected: &str) -> Result<(), Failure> {
        let given = self.content_type();
        let bare = given.and_then(|given| given.split(';').next());
        if bare.is_some_and(|bare| bare.trim().eq_ignore_ascii_case(expected)) {
            return Ok(());
        }
        Err(Failure::coded(
            "E0300",
            format!("Invalid content-type [{}]", given.unwrap_or("null")),
        ))
    }

    /// The parameter `action`, which PUT needs.
    pub(crate) fn action(&self) -> Result<&str, Failure> {
        self.parameters.required("action")
    }
}

impl FromRequest<Arc<Server>> for Call {
    type Rejection = Failure;

    async fn from_request(request: Request, server: &Arc<Server>) -> Result<Call, Failure> {
        let (mut parts, body) = request.into_parts();
        let rest = match RawPathParams::from_request_parts(&mut parts, server).await {
            Ok(found) => found
                .iter()
                .find(|(name, _)| *name == "rest")
                .map(|(_, value)| value.to_owned())
                .unwrap_or_default(),
            Err(_) => return Err(Failure::argument("the path is not UTF-8")),
        };
        let parameters = Parameters::parse(parts.uri.query());
        let caller = parts.extensions.get::<Caller>().cloned();
        let caller = caller.unwrap_or_default();
        let address = parts.extensions.get::<Peer>().map(|peer| peer.0);
        let original = parts.extensions.get::<OriginalUri>();
        let path = original.map_or(parts.uri.path(), |it| it.path()).to_owned();
        let content_type = parts.headers.get(header::CONTENT_TYPE);
        let content_type = content_type.map(|it| String::from_utf8_lossy(it.as_bytes()).into());
        let limit = parts.extensions.get::<BodyLimit>();
        let limit = limit.map_or(MOST_BYTES, |it| it.0);
        let version = parts.extensions.get().copied().unwrap_or(Version::V2);
        let method = parts.method.clone();
        let request = Request::from_parts(parts, body);
        let late = |status: StatusCode, message: &str| Failure {
            status,
            code: None,
            message: message.to_owned(),
        };
        let length = request.body().size_hint().upper();
        let room = time::timeout(BODY_PATIENCE, server.room_for(length, limit)).await;
        let room = room.ok().flatten().ok_or_else(|| {
            late(
                StatusCode::SERVICE_UNAVAILABLE,
                "too many bodies arrive at once",
            )
        })?;
        let body = time::timeout(BODY_PATIENCE, Bytes::from_request(request, server)).await;
        let body = body.map_err(|_| {
            late(
                StatusCode::REQUEST_TIMEOUT,
                "the body does not arrive in time",
            )
        })?;
        let body = body.map_err(|rejection| Failure {
            status: rejection.status(),
            code: None,
            message: rejection.body_text(),
        })?;
        Ok(Call {
            server: Arc::clone(server),
            version,
            method,
            rest,
            zone: Zone::of(parameters.get("timezone")),
            parameters,
            user: caller.user.clone(),
            caller,
            proxy: None,
            address,
            body,
            content_type,
            path,
            _room: room,
        })
    }
}
