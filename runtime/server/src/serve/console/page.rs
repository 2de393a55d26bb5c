//! What all pages have: the frame, the headers, compression, and pages for failures.

use std::{io::Write, sync::Arc};

use axum::{
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::Response,
};
use flate2::{Compression, write::GzEncoder};
use serde::Serialize;
use serde_json::json;
use tokio::task::spawn_blocking;

use crate::serve::{
    call::Call,
    console::{assets, links, templates},
    failure::Failure,
    policy::Mode,
    proof::ANONYMOUS,
    reply::{self, Reply},
    server::Server,
};

pub(crate) const HTML: &str = "text/html; charset=utf-8";
/// Nothing from elsewhere, no script and no style but ours, and no page around ours.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; \
     form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
/// A smaller body is sent as it is.
const LEAST_COMPRESSED: usize = 1_400;
/// No page is larger; a larger body is sent as it is.
const MOST_COMPRESSED: usize = 16 << 20;

/// The sections of the console, in the order of the navigation: the last part of the path, and the name.
const SECTIONS: &[(&str, &str)] = &[
    ("", "Overview"),
    ("console/jobs", "Jobs"),
    ("console/late", "Late today"),
    ("console/apps", "Applications"),
    ("console/sla", "SLA"),
    ("console/about", "Administration"),
];

/// A link of the trail that leads to a page.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Crumb {
    pub(crate) text: String,
    /// `None` for the page itself.
    pub(crate) href: Option<String>,
}

/// What the frame says of a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    pub(crate) title: String,
    pub(crate) crumbs: Vec<Crumb>,
    /// The path of its section: one of [`SECTIONS`].
    pub(crate) section: &'static str,
    /// Where the changes of the page come from.
    pub(crate) live: Option<String>,
}

impl Frame {
    pub(crate) fn new(title: &str, section: &'static str) -> Frame {
        Frame {
            title: title.to_owned(),
            section,
            ..Frame::default()
        }
    }

    /// With a link that leads to the page.
    pub(crate) fn below(mut self, text: &str, href: String) -> Frame {
        self.crumbs.push(Crumb {
            text: text.to_owned(),
            href: Some(href),
        });
        self
    }

    pub(crate) fn live(mut self, address: String) -> Frame {
        self.live = Some(address);
        self
    }
}

/// A page.
pub(crate) fn html(call: &Call, frame: Frame, template: &str, values: &impl Serialize) -> Reply {
    let body = templates::render(template, values)?;
    let user = call.user.clone().unwrap_or_default();
    let home = call.server.session.home.root().display().to_string();
    let text = framed(&call.server, frame, &body, &user, &home)?;
    reply::text(HTML, text)
}

fn framed(
    server: &Server,
    mut frame: Frame,
    body: &str,
    user: &str,
    home: &str,
) -> Result<String, Failure> {
    let base = &server.base;
    let sections: Vec<_> = SECTIONS
        .iter()
        .map(|(path, name)| {
            json!({
                "href": format!("{base}/{path}"),
                "name": name,
                "current": *path == frame.section,
            })
        })
        .collect();
    frame.crumbs.push(Crumb {
        text: frame.title.clone(),
        href: None,
    });
    templates::render(
        "layout",
        &json!({
            "base": base,
            "title": frame.title,
            "crumbs": frame.crumbs,
            "sections": sections,
            "style": format!("{base}/console/asset/{}", assets::STYLE.name),
            "script": format!("{base}/console/asset/{}", assets::SCRIPT.name),
            "search": links::jobs(base, &[]),
            "live": frame.live,
            "user": user,
            "home": home,
            "version": env!("CARGO_PKG_VERSION"),
            "sprite_html": assets::SPRITE,
            "body_html": body,
        }),
    )
}

/// 303 to a page.
pub(crate) fn to(address: &str) -> Reply {
    let mut response = reply::of(StatusCode::SEE_OTHER, HTML, Body::empty());
    let address = HeaderValue::from_str(address)
        .map_err(|_| Failure::argument("an address with characters that none has"))?;
    response.headers_mut().insert(header::LOCATION, address);
    Ok(response)
}

/// The layer around all pages.
pub(crate) async fn finish(
    State(server): State<Arc<Server>>,
    request: Request,
    next: Next,
) -> Response {
    let is_gzip = takes_gzip(request.headers());
    let method = request.method().clone();
    let mut response = next.run(request).await;
    if let Some(failure) = response.extensions_mut().remove::<Failure>() {
        response = failed(&server, &failure, &method);
    }
    add_headers(&mut response);
    match is_gzip {
        true => compressed(response).await,
        false => response,
    }
}

fn add_headers(response: &mut Response) {
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "same-origin"),
    ] {
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
}

/// The page for somebody who is not admitted.
pub(crate) fn refused(server: &Server, failure: &Failure, method: &Method) -> Response {
    let mut response = failed(server, failure, method);
    add_headers(&mut response);
    response
}

/// What somebody may do who is not admitted.
fn steps(server: &Server, status: StatusCode) -> Vec<&'static str> {
    match (status, server.access.mode) {
        (StatusCode::UNAUTHORIZED, Mode::Token) => vec![
            "Reload this page: the browser asks for a name and a password. The password is your token; the name is your user, or empty.",
            "An administrator makes a token on the machine of the server: hpdl token new NAME",
        ],
        (StatusCode::UNAUTHORIZED, Mode::Kerberos) => vec![
            "Get a ticket: kinit. Then reload this page.",
            "The browser must be allowed to send tickets to this server (Negotiate).",
            "A token is accepted, too, as the password of BASIC.",
        ],
        (StatusCode::FORBIDDEN, Mode::Simple) if !server.access.anonymous => {
            vec!["Say who you are: add ?user.name=NAME to the address."]
        }
        (_, _) => Vec::new(),
    }
}

/// A failure as a page: what happened, and what to do.
fn failed(server: &Server, failure: &Failure, method: &Method) -> Response {
    let is_missing = failure.status == StatusCode::NOT_FOUND
        || matches!(failure.code.as_deref(), Some("E0604" | "E0605"));
    let status = match is_missing {
        true => StatusCode::NOT_FOUND,
        false => failure.status,
    };
    let title = match status {
        StatusCode::NOT_FOUND => "Not found",
        StatusCode::UNAUTHORIZED if failure.code.as_deref() == Some("E0500") => "Sign in",
        StatusCode::FORBIDDEN | StatusCode::UNAUTHORIZED => "Not allowed",
        StatusCode::SERVICE_UNAVAILABLE => "Not now",
        status if status.is_server_error() => "The server failed",
        _ => "Refused",
    };
    let values = json!({
        "title": title,
        "message": failure.message,
        "status": status.as_u16(),
        "overview": links::overview(&server.base),
        "jobs": links::jobs(&server.base, &[]),
        "missing": is_missing,
        "steps": match title {
            "Sign in" => steps(server, status),
            _ if failure.message == ANONYMOUS => steps(server, status),
            _ => Vec::new(),
        },
    });
    let page = templates::render("failure", &values);
    let page = page.and_then(|body| framed(server, Frame::new(title, "-"), &body, "", ""));
    match page {
        Ok(page) => reply::of(status, HTML, page.into()),
        Err(failure) => failure.answer(method),
    }
}

fn takes_gzip(headers: &HeaderMap) -> bool {
    let all = headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut words = all
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    words.any(|word| {
        let mut parts = word.split(';').map(str::trim);
        parts.next() == Some("gzip") && parts.next() != Some("q=0")
    })
}

/// Pages and assets, compressed; streams and what is small as they are.
async fn compressed(response: Response) -> Response {
    let kind = response.headers().get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_text = ["text/html", "text/css", "text/javascript"]
        .iter()
        .any(|known| kind.starts_with(known));
    let size = axum::body::HttpBody::size_hint(response.body()).exact();
    let is_meant = size.is_some_and(|size| {
        usize::try_from(size).is_ok_and(|size| (LEAST_COMPRESSED..MOST_COMPRESSED).contains(&size))
    });
    if !is_text || !is_meant {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(bytes) = to_bytes(body, MOST_COMPRESSED).await else {
        return Failure::server("a page cannot be read").answer(&Method::GET);
    };
    let plain = bytes.clone();
    let done = spawn_blocking(move || {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::new(4));
        encoder.write_all(&plain)?;
        encoder.finish()
    });
    let body = match done.await {
        Ok(Ok(smaller)) => {
            let gzip = HeaderValue::from_static("gzip");
            parts.headers.insert(header::CONTENT_ENCODING, gzip);
            Body::from(smaller)
        }
        Ok(Err(_)) | Err(_) => Body::from(bytes),
    };
    let vary = HeaderValue::from_static("Accept-Encoding");
    parts.headers.append(header::VARY, vary);
    Response::from_parts(parts, body)
}
