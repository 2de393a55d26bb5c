//! Tests of the server in process: no port is opened.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use axum::{
    Router,
    body::{Body, to_bytes},
    http::{HeaderMap, Request, StatusCode},
};
use hpdlc_engine::owner::Session;
use hpdlc_host::home::Home;
use hyper::ext::ReasonPhrase;
use serde_json::Value;
use tower::ServiceExt;

use super::{policy::Mode, router, server::Server};
use crate::PROGRAM;

mod command;
mod console;
mod described;
mod hostile;
mod hue;
pub(crate) mod kinds;
mod levels;
mod replay;
pub(crate) mod served;
mod transport;
mod who;

/// A server on a state folder of its own.
pub(crate) struct TestServer {
    pub(super) session: Session,
    router: Router,
    _folder: Arc<tempfile::TempDir>,
}

/// What it answered.
pub(crate) struct Answer {
    pub(super) status: StatusCode,
    pub(super) reason: Option<String>,
    pub(super) headers: HeaderMap,
    pub(super) body: String,
}

impl TestServer {
    pub(super) fn new() -> TestServer {
        TestServer::with_site(BTreeMap::new())
    }

    pub(super) fn with_site(site: BTreeMap<String, String>) -> TestServer {
        TestServer::with_mode(site, Mode::Simple)
    }

    pub(super) fn with_mode(site: BTreeMap<String, String>, mode: Mode) -> TestServer {
        let folder = tempfile::tempdir().unwrap();
        let session = Session {
            program: &PROGRAM,
            home: Home::open_at(folder.path().join("home")).unwrap(),
            site: Arc::new(site),
        };
        TestServer::over(session, Arc::new(folder), mode)
    }

    /// Another server on the same state folder.
    pub(super) fn with_other_mode(&self, mode: Mode) -> TestServer {
        TestServer::over(self.session.clone(), Arc::clone(&self._folder), mode)
    }

    /// Another server on the same state folder, whose commands are run by another program than `hpdl`.
    pub(crate) fn with_program(&self, program: &Path) -> TestServer {
        let folder = Arc::clone(&self._folder);
        TestServer::run_by(self.session.clone(), folder, Mode::Simple, program)
    }

    fn over(session: Session, folder: Arc<tempfile::TempDir>, mode: Mode) -> TestServer {
        TestServer::run_by(session, folder, mode, Path::new("/bin/false"))
    }

    fn run_by(
        session: Session,
        folder: Arc<tempfile::TempDir>,
        mode: Mode,
        program: &Path,
    ) -> TestServer {
        let url = "http://localhost:11000/oozie".to_owned();
        let command_line = crate::commands::command;
        let mut server = Server::new(session.clone(), "/oozie", url, mode, command_line).unwrap();
        // This program is the test.
        server.program = program.into();
        TestServer {
            session,
            router: router(Arc::new(server)),
            _folder: folder,
        }
    }

    /// Sends a request; without a header `Host` among these it has that of the server.
    pub(super) fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(String, String)],
        body: &str,
    ) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        let has_host = headers
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("host"));
        if !has_host {
            request = request.header("Host", "localhost:11000");
        }
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let request = request.body(Body::from(body.to_owned())).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let response = self.router.clone().oneshot(request).await.unwrap();
            let (parts, body) = response.into_parts();
            let reason = parts.extensions.get::<ReasonPhrase>();
            let reason = reason.map(|it| String::from_utf8_lossy(it.as_bytes()).into_owned());
            let bytes = to_bytes(body, usize::MAX).await.unwrap();
            let answer = Answer {
                status: parts.status,
                reason,
                headers: parts.headers,
                body: String::from_utf8_lossy(&bytes).into_owned(),
            };
            // Every answer of every test is one that the OpenAPI document describes.
            if let Err(problem) = described::check(method, path, &answer) {
                panic!(
                    "{method} {path}: {}: {problem}: {}",
                    answer.status, answer.body
                );
            }
            answer
        })
    }

    pub(super) fn get(&self, path: &str) -> Answer {
        self.send("GET", &format!("/oozie{path}"), &[], "")
    }

    pub(super) fn put(&self, path: &str) -> Answer {
        self.send("PUT", &format!("/oozie{path}"), &[], "")
    }
}

impl Answer {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    pub(super) fn code(&self) -> Option<&str> {
        self.header("oozie-error-code")
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}
