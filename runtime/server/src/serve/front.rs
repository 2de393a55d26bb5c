//! What is done to every request before and after its resource: who may call from where, who it is, and the headers of all answers.

use std::{
    net::IpAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header, uri::Authority},
    middleware::Next,
    response::Response,
};
use tokio::task::spawn_blocking;
use tracing::{debug, info};

use crate::serve::{
    call::Peer,
    console,
    failure::Failure,
    hws,
    proof::{self, Caller, Proof, Refusal},
    server::{Server, SystemMode},
};

/// Names of hosts other than `localhost` by which the server may be called, with commas between.
const HOSTS: &str = "hpdl.server.hosts";

/// More of a path is not logged.
const MOST_LOGGED: usize = 1_000;

/// The outermost layer.
pub(crate) async fn front(
    State(server): State<Arc<Server>>,
    mut request: Request,
    next: Next,
) -> Response {
    let begun = Instant::now();
    let method = request.method().clone();
    let mut set = HeaderMap::new();
    let mut about = About {
        method: method.clone(),
        uri: request.uri().clone(),
        address: request.extensions().get::<Peer>().map(|peer| peer.0),
        caller: Caller::default(),
    };
    let is_for_people = console::is_asked(&server, &request);
    let refused = match admit(&server, &mut request, &mut set).await {
        Ok(()) => {
            let caller = request.extensions().get::<Caller>().cloned();
            about.caller = caller.unwrap_or_default();
            None
        }
        Err(refusal) => {
            for (name, value) in refusal.headers {
                set.append(name, value);
            }
            Some(refusal.failure)
        }
    };
    let mut response = match refused {
        Some(failure) if is_for_people => console::refused(&server, &failure, &method),
        Some(failure) => about.answer(&failure),
        None if method == Method::OPTIONS => options(),
        None => next.run(request).await,
    };
    if let Some(failure) = response.extensions().get::<Failure>() {
        response = about.answer(failure);
    }
    let headers = response.headers_mut();
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    for (name, value) in &set {
        headers.append(name, value.clone());
    }
    let (status, took) = (response.status(), begun.elapsed());
    if let Ok(mut counters) = server.counters.lock() {
        counters.add(method.as_str(), status.as_u16(), took);
    }
    about.log(status, took);
    response
}

/// What the log has of a request.
struct About {
    method: Method,
    uri: Uri,
    address: Option<IpAddr>,
    caller: Caller,
}

impl About {
    /// A failure in the form of the API that was called.
    fn answer(&self, failure: &Failure) -> Response {
        match self.uri.path().starts_with(hws::PREFIX) {
            true => {
                hws::failed(failure.clone()).unwrap_or_else(|failure| failure.answer(&self.method))
            }
            false => failure.answer(&self.method),
        }
    }

    /// Commands, and who is refused, at `info`; other requests at `debug`. Parameters are data of strangers: they are escaped and cut.
    fn log(&self, status: StatusCode, took: Duration) {
        let is_refused = matches!(
            status,
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::INTERNAL_SERVER_ERROR
        );
        let reads = matches!(self.method, Method::GET | Method::HEAD | Method::OPTIONS);
        let path = self.uri.path_and_query().map_or("", |it| it.as_str());
        let path = path.chars().take(MOST_LOGGED).collect::<String>();
        let (method, status) = (self.method.as_str(), status.as_u16());
        let millis = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        let address = self.address.map(|it| it.to_string()).unwrap_or_default();
        let user = self.caller.user.as_deref().unwrap_or("?");
        let token = match &self.caller.proof {
            Proof::Token { id, .. } => id.as_str(),
            Proof::Simple | Proof::Kerberos => "",
        };
        if reads && !is_refused {
            debug!(
                method,
                path, status, millis, user, token, address, "request"
            );
        } else {
            info!(
                method,
                path, status, millis, user, token, address, "request"
            );
        }
    }
}

/// What an authenticator of Hadoop asks before each request.
fn options() -> Response {
    let mut response = Response::new(Body::empty());
    let headers = response.headers_mut();
    headers.insert(header::ALLOW, HeaderValue::from_static("TRACE, OPTIONS"));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from_static("0"));
    response
}

/// Whether a request is answered at all. The request gets who calls, `set` the headers of the answer.
async fn admit(
    server: &Arc<Server>,
    request: &mut Request,
    set: &mut HeaderMap,
) -> Result<(), Refusal> {
    check_origin(server, request)?;
    let path = request.uri().path().strip_prefix(&server.base);
    // A cluster has no proof, and `AuthFilter` of Oozie is not asked about it either.
    if path == Some("/callback") {
        return Ok(());
    }
    // The page that asks for a proof has a style. It is the same for everybody.
    if path.is_some_and(console::is_asset) && request.method() == Method::GET {
        return Ok(());
    }
    let (headers, uri) = (request.headers().clone(), request.uri().clone());
    let asked = Arc::clone(server);
    let identified = spawn_blocking(move || proof::identify(&asked, &headers, &uri)).await;
    let identified = identified.map_err(|_| Failure::server("a bug in hpdl"))?;
    let (caller, headers) = identified?;
    request.extensions_mut().insert(caller);
    for (name, value) in headers {
        set.append(name, value);
    }
    check_mode(server, request.method(), request.uri())?;
    Ok(())
}

/// In another mode than NORMAL nothing is changed but by `admin` (`JsonRestServlet.service`).
fn check_mode(server: &Server, method: &Method, uri: &Uri) -> Result<(), Failure> {
    let changes = matches!(*method, Method::POST | Method::PUT | Method::DELETE);
    let is_admin = uri.path().contains("/admin/");
    if server.mode() == SystemMode::Normal || !changes || is_admin {
        return Ok(());
    }
    Err(Failure::plain("E0002", "System is in safe mode")
        .with_status(StatusCode::SERVICE_UNAVAILABLE))
}

/// Refuses a page of another site: by the name under which it found this server (DNS rebinding), or by its origin where it would change
/// something.
fn check_origin(server: &Server, request: &Request) -> Result<(), Failure> {
    let forbidden = |message: &str| Failure::forbidden(message);
    let named = request.headers().get(header::HOST);
    let host = match named.map(|host| host.to_str()) {
        Some(Ok(host)) => host,
        Some(Err(_)) => return Err(forbidden("the header Host is not readable")),
        None => request.uri().authority().map_or("", Authority::as_str),
    };
    if !is_own_host(host, server.session.site.get(HOSTS).map(String::as_str)) {
        return Err(forbidden(&format!(
            "this server is not called {host}; if it is, name it in {HOSTS} of the site's file"
        )));
    }
    let is_safe = matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    );
    let origin = request.headers().get(header::ORIGIN);
    match origin.map(|origin| origin.to_str().unwrap_or_default()) {
        Some(origin) if !is_safe => {
            let of = origin.split_once("://").map_or(origin, |(_, of)| of);
            if of.eq_ignore_ascii_case(host) {
                Ok(())
            } else {
                Err(forbidden(
                    "a page of another site may not change anything here",
                ))
            }
        }
        _ => Ok(()),
    }
}

/// A name that no stranger's DNS can give: an address, `localhost`, or one that the site's file has.
fn is_own_host(host: &str, others: Option<&str>) -> bool {
    let Ok(authority) = host.parse::<Authority>() else {
        return false;
    };
    let name = authority.host();
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    let mut others = others.unwrap_or_default().split(',').map(str::trim);
    name.eq_ignore_ascii_case("localhost")
        || bare.parse::<IpAddr>().is_ok()
        || others.any(|other| !other.is_empty() && name.eq_ignore_ascii_case(other))
}

#[cfg(test)]
mod tests {
    use super::is_own_host;

    #[test]
    fn a_name_of_somebody_elses_dns_is_not_this_server() {
        for own in [
            "localhost",
            "localhost:11000",
            "127.0.0.1:1",
            "[::1]:11000",
            "LOCALHOST",
        ] {
            assert!(is_own_host(own, None), "{own}");
        }
        for other in [
            "",
            "evil.example:11000",
            "localhost.evil.example",
            "a b",
            "127.0.0.1.evil",
        ] {
            assert!(!is_own_host(other, None), "{other}");
        }
        assert!(is_own_host("oozie.site:11000", Some("a, oozie.site")));
    }
}
