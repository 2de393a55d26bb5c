//! What is done to every request before and after its resource: who may call from where, who it is, and the headers of all answers.

use std::{net::IpAddr, sync::Arc, time::Instant};

use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header, uri::Authority},
    middleware::Next,
    response::Response,
};
use hpdlc_host::clock;

use crate::serve::{
    call::Caller,
    cookie,
    failure::Failure,
    query::Parameters,
    server::{Server, SystemMode},
};

/// Names of hosts other than `localhost` by which the server may be called, with commas between.
const HOSTS: &str = "hpdl.server.hosts";

/// The outermost layer.
pub(crate) async fn front(
    State(server): State<Arc<Server>>,
    mut request: Request,
    next: Next,
) -> Response {
    let begun = Instant::now();
    let method = request.method().clone();
    let mut set_cookie = None;
    let refused = check_origin(&server, &request)
        .and_then(|()| {
            let (caller, cookie) = identify(&server, request.headers(), request.uri())?;
            set_cookie = cookie;
            request.extensions_mut().insert(caller);
            check_mode(&server, &method, request.uri())
        })
        .err();
    let mut response = match refused {
        Some(failure) => failure.answer(&method),
        None if method == Method::OPTIONS => options(),
        None => next.run(request).await,
    };
    if let Some(failure) = response.extensions().get::<Failure>() {
        response = failure.answer(&method);
    }
    let headers = response.headers_mut();
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    if let Some(cookie) = set_cookie.and_then(|it| HeaderValue::from_str(&it).ok()) {
        headers.insert(header::SET_COOKIE, cookie);
    }
    if let Ok(mut counters) = server.counters.lock() {
        let status = response.status().as_u16();
        counters.add(method.as_str(), status, begun.elapsed());
    }
    response
}

/// What an authenticator of Hadoop asks before each request.
fn options() -> Response {
    let mut response = Response::new(Body::empty());
    let headers = response.headers_mut();
    headers.insert(header::ALLOW, HeaderValue::from_static("TRACE, OPTIONS"));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from_static("0"));
    response
}

/// Who calls, as `AuthFilter` of Oozie finds it with anonymous requests allowed: a cookie of ours, else `user.name`, for which a cookie
/// is set.
fn identify(
    server: &Server,
    headers: &HeaderMap,
    uri: &Uri,
) -> Result<(Caller, Option<String>), Failure> {
    let now = clock::now_millis();
    let cookies = headers.get_all(header::COOKIE).iter();
    let known = cookies
        .filter_map(|header| header.to_str().ok())
        .find_map(|header| server.signer.user(header, now));
    if known.is_some() {
        return Ok((Caller(known), None));
    }
    let parameters = Parameters::parse(uri.query());
    match parameters.get("user.name") {
        None => Ok((Caller(None), None)),
        Some(name) if cookie::is_user_name(name) => {
            let cookie = server.signer.set_cookie(name, "/", now);
            Ok((Caller(Some(name.to_owned())), Some(cookie)))
        }
        Some(_) => Err(Failure::server(
            "user.name is empty or contains what no user name has",
        )),
    }
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
    let forbidden = |message: &str| Failure {
        status: StatusCode::FORBIDDEN,
        code: None,
        message: message.to_owned(),
    };
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
