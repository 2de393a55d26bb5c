//! A server without a port, on a state folder of its own: what fuzzing talks to.

use std::{collections::BTreeMap, io, path::PathBuf, sync::Arc};

use hpdlc_engine::owner::Session;
use hpdlc_host::{exit::RunError, home::Home};
use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, duplex},
    runtime::Runtime,
};
use tower::ServiceExt;

use crate::{
    PROGRAM, commands,
    serve::{self, Mode, Server, SystemMode},
};

/// What the two ends of a connection may be apart.
const CHUNK: usize = 64 << 10;

/// A server on an empty state folder, which starts no other program.
pub struct InProcess {
    runtime: Runtime,
    server: Arc<Server>,
    router: axum::Router,
    _folder: TempDir,
}

/// What was answered to a request.
#[derive(Debug)]
pub struct Answered {
    /// The HTTP status.
    pub status: u16,
    /// All that was sent, the head first.
    pub text: String,
}

impl InProcess {
    /// # Errors
    ///
    /// The state folder cannot be made.
    pub fn start() -> Result<InProcess, RunError> {
        let failed = |error: io::Error| RunError::machine(error.to_string());
        let folder = tempfile::tempdir().map_err(failed)?;
        // Nothing is compiled, wherever a compiler is.
        let site: BTreeMap<String, String> = [(
            "hpdl.server.compiler".to_owned(),
            "/nowhere/hpdlc".to_owned(),
        )]
        .into();
        let session = Session {
            program: &PROGRAM,
            home: Home::open_at(folder.path().join("home"))?,
            site: Arc::new(site),
        };
        let url = "http://localhost:11000/oozie".to_owned();
        let mut server = Server::new(session, "/oozie", url, Mode::Simple, commands::command)?;
        server.program = PathBuf::from("/bin/true");
        let server = Arc::new(server);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(2)
            .build()
            .map_err(failed)?;
        Ok(InProcess {
            runtime,
            router: serve::router(Arc::clone(&server)),
            server,
            _folder: folder,
        })
    }

    /// Sends bytes over a connection and then ends it; the first answer, if there is one: what is no HTTP has none.
    /// It does not depend on former requests: the server accepts commands before each.
    #[must_use]
    pub fn answer(&self, request: &[u8]) -> Option<Answered> {
        self.server.set_mode(SystemMode::Normal);
        let bytes = self.runtime.block_on(async {
            let (mut client, server) = duplex(CHUNK);
            let router = self.router.clone();
            let service = service_fn(move |request| {
                let request: axum::http::Request<hyper::body::Incoming> = request;
                router.clone().oneshot(request.map(axum::body::Body::new))
            });
            let connection = http1::Builder::new()
                .keep_alive(false)
                // All of a request is sent, and then the sending end is closed.
                .half_close(true)
                .serve_connection(TokioIo::new(server), service);
            let mut answer = Vec::new();
            let talk = async {
                let sent = client.write_all(request).await;
                // The server may have answered before it has read everything.
                let _ = sent.and(client.shutdown().await);
                let _ = client.read_to_end(&mut answer).await;
            };
            let (served, ()) = tokio::join!(connection, talk);
            drop(served);
            answer
        });
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let status = text.strip_prefix("HTTP/1.")?.get(2..5)?.parse().ok()?;
        Some(Answered { status, text })
    }
}

#[cfg(test)]
mod tests {
    use super::InProcess;

    #[test]
    fn bytes_are_answered_as_a_connection_would_be() {
        let server = InProcess::start().unwrap();
        let answer = |text: &str| server.answer(text.as_bytes()).map(|it| it.status);
        assert_eq!(
            answer("GET /oozie/versions HTTP/1.1\r\nHost: localhost\r\n\r\n"),
            Some(200)
        );
        assert_eq!(
            answer("GET /oozie/v2/job/x HTTP/1.1\r\nHost: evil\r\n\r\n"),
            Some(403)
        );
        let purge = "PUT /oozie/v2/admin/purge?wf=1 HTTP/1.1\r\nHost: localhost\r\n\r\n";
        assert_eq!(answer(purge), Some(200));
        let cut = "POST /oozie/v2/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n<c";
        assert!(answer(cut).is_none_or(|status| status < 500));
        assert_eq!(answer(""), None);
        assert_eq!(answer("\0\0"), Some(400));
    }
}
