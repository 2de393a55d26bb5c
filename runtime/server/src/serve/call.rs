//! A request as resources see it.

use std::sync::Arc;

use axum::{
    body::Bytes,
    extract::{FromRequest, FromRequestParts, RawPathParams, Request},
    http::{Method, header},
    response::Response,
    routing::{MethodRouter, any},
};

use crate::serve::{
    cookie,
    dates::Zone,
    failure::Failure,
    query::{Parameters, Version},
    reply::Reply,
    server::Server,
};

/// The user that the cookie or `user.name` says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Caller(pub(crate) Option<String>);

/// A request.
pub(crate) struct Call {
    pub(crate) server: Arc<Server>,
    pub(crate) version: Version,
    pub(crate) method: Method,
    /// What follows the resource in the path, decoded: the id of a job.
    pub(crate) rest: String,
    pub(crate) parameters: Parameters,
    pub(crate) user: Option<String>,
    pub(crate) zone: Zone,
    pub(crate) body: Bytes,
    content_type: Option<String>,
}

impl Call {
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
        let user = caller.unwrap_or_default().0;
        let user = proxied(server, user, &parameters)?;
        let content_type = parts.headers.get(header::CONTENT_TYPE);
        let content_type = content_type.map(|it| String::from_utf8_lossy(it.as_bytes()).into());
        let version = parts.extensions.get().copied().unwrap_or(Version::V2);
        let method = parts.method.clone();
        let request = Request::from_parts(parts, body);
        let body = Bytes::from_request(request, server).await;
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
            user,
            body,
            content_type,
        })
    }
}

/// The user that `doAs` names, if the caller may act for others: `oozie.service.ProxyUserService.proxyuser.U.hosts` and `.groups` are set.
fn proxied(
    server: &Server,
    user: Option<String>,
    parameters: &Parameters,
) -> Result<Option<String>, Failure> {
    let Some(other) = parameters.filled("doAs") else {
        return Ok(user);
    };
    if user.as_deref() == Some(other) {
        return Ok(user);
    }
    let caller = user.as_deref().unwrap_or("?");
    let setting = |what: &str| {
        let name = format!("oozie.service.ProxyUserService.proxyuser.{caller}.{what}");
        server.session.site.get(&name)
    };
    // Requests come from this machine, and groups are not known.
    let is_here = setting("hosts").is_some_and(|hosts| {
        let mut hosts = hosts.split(',').map(str::trim);
        hosts.any(|host| matches!(host, "*" | "localhost" | "127.0.0.1" | "::1"))
    });
    let is_any_group = setting("groups").is_some_and(|groups| groups.trim() == "*");
    let problem = if setting("hosts").is_none() {
        format!("User [{caller}] not defined as proxyuser")
    } else if !(is_here && is_any_group) {
        format!("Unauthorized: proxyuser [{caller}] cannot impersonate [{other}]")
    } else if !cookie::is_user_name(other) {
        return Err(Failure::argument("doAs is no user name"));
    } else {
        return Ok(Some(other.to_owned()));
    };
    Err(Failure::plain("E1400", problem).with_status(axum::http::StatusCode::UNAUTHORIZED))
}

/// A resource: it may read files and the store, and runs on a thread that may wait.
pub(crate) type Resource = fn(&Call) -> Reply;

/// The route of a resource, by any method: which ones it has is its own to say.
pub(crate) fn route(resource: Resource) -> MethodRouter<Arc<Server>> {
    any(move |call: Call| run(call, resource))
}

async fn run(call: Call, resource: Resource) -> Result<Response, Failure> {
    let done = tokio::task::spawn_blocking(move || resource(&call)).await;
    done.unwrap_or_else(|_| Err(Failure::server("a bug in hpdl; its output says more")))
}
