//! `serve`: the server that speaks Oozie's Web Services API on the jobs of the state folder.
//!
//! A request goes from left to right: [`front`] (from where, by whom) -> [`call`] (parameters, body) -> a resource, one file each (`jobs`,
//! `job`, `admin`), on a thread that may wait -> [`reply`] or [`failure`]. What a job looks like as JSON is in [`wire`]; its rows come from
//! [`listing`] and the store. Nothing of a job is held here: any number of servers may look at one state folder.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use axum::{Extension, Router, extract::DefaultBodyLimit, middleware};
use clap::Args;
use hpdlc_engine::{detached_owner, owner::Session};
use hpdlc_host::{
    exit::{Exit, RunError},
    shown::say,
};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
};

use self::{
    call::{Call, route},
    failure::Failure,
    query::Version,
    reply::Reply,
    server::Server,
};

mod admin;
mod bulk;
mod call;
mod callback;
mod commands;
mod connections;
mod cookie;
mod counters;
mod dates;
mod dependencies;
mod documents;
mod failure;
mod figures;
mod filter;
mod found;
mod front;
mod given;
mod hws;
mod info;
mod job;
mod jobs;
mod listing;
mod logs;
mod program;
mod query;
mod reply;
mod selection;
mod server;
mod sla;
mod submit;
#[cfg(test)]
mod tests;
mod validate;
mod wire;
mod words;

/// The largest body of a request: a configuration with a document in it is far smaller.
const MOST_BYTES: usize = 4 << 20;
/// Requests that wait for owners and files at once; further ones wait for a thread.
const MOST_THREADS: usize = 32;
/// Between two looks at owners that were started here and have ended.
const COLLECTION: Duration = Duration::from_secs(5);

#[derive(Debug, Args)]
pub(super) struct Serve {
    /// Where to listen
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:11000")]
    listen: SocketAddr,
    /// The path before those of the API
    #[arg(long, value_name = "PATH", default_value = "/oozie", value_parser = parse_base)]
    base: String,
    /// Listen to other machines, too: everybody who reaches the server may do everything
    #[arg(long)]
    insecure: bool,
}

fn parse_base(text: &str) -> Result<String, String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "/-_.".contains(c);
    let base = text.trim_end_matches('/');
    if (base.is_empty() || base.starts_with('/')) && base.chars().all(is_part) {
        Ok(base.to_owned())
    } else {
        Err("expected a path such as /oozie".to_owned())
    }
}

impl Serve {
    /// Serves until SIGTERM or Ctrl-C.
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        if !self.listen.ip().is_loopback() && !self.insecure {
            return Err(RunError::usage(format!(
                "{} can be reached from other machines, and there is only simple authentication: whoever reaches it may say who they are",
                self.listen
            ))
            .with_help("listen on 127.0.0.1, or say --insecure"));
        }
        session.store()?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(MOST_THREADS)
            .build()
            .map_err(|error| RunError::machine(format!("cannot start the server: {error}")))?;
        runtime.block_on(self.serve(session))?;
        Ok(Exit::Success)
    }

    async fn serve(&self, session: &Session) -> Result<(), RunError> {
        let failed = |error: std::io::Error| RunError::machine(format!("{}: {error}", self.listen));
        let listener = TcpListener::bind(self.listen).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let host = match address.ip().is_loopback() {
            true => "localhost".to_owned(),
            false => address.ip().to_string(),
        };
        let url = format!("http://{host}:{}{}", address.port(), self.base);
        let server = Arc::new(Server::new(session.clone(), &self.base, url.clone())?);
        let mut terminate = signal(SignalKind::terminate()).map_err(failed)?;
        let mut interrupt = signal(SignalKind::interrupt()).map_err(failed)?;
        say(&format!(
            "serving {} at {url}",
            session.home.root().display()
        ));
        tokio::spawn(async {
            loop {
                tokio::time::sleep(COLLECTION).await;
                detached_owner::collect_ended();
            }
        });
        connections::serve(&listener, router(server), async {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        })
        .await;
        Ok(())
    }
}

/// All paths.
fn router(server: Arc<Server>) -> Router {
    let mut api = Router::new()
        .route("/versions", route(versions))
        .route("/callback", route(callback::callback));
    for version in Version::ALL {
        let mut resources = Router::new()
            .route("/jobs", route(jobs::jobs))
            .route("/job", route(job::job))
            .route("/job/", route(job::job))
            .route("/job/{*rest}", route(job::job))
            .route("/admin", route(admin::admin))
            .route("/admin/", route(admin::admin))
            .route("/admin/{*rest}", route(admin::admin));
        if version > Version::V0 {
            resources = resources
                .route("/sla", route(sla::sla))
                .route("/sla/{*rest}", route(sla::sla));
        }
        if version == Version::V2 {
            resources = resources.route("/validate", route(validate::validate));
        }
        api = api.nest(&format!("/{version}"), resources.layer(Extension(version)));
    }
    let base = server.base.clone();
    let all = match base.as_str() {
        "" => api,
        base => Router::new().nest(base, api),
    };
    let all = all.nest("/hws/v1", hws::routes());
    all.fallback(|| async { Failure::not_found() })
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(middleware::from_fn_with_state(
            Arc::clone(&server),
            front::front,
        ))
        .with_state(server)
}

/// The versions of the API, newest last (`VersionServlet`).
fn versions(call: &Call) -> Reply {
    call.expect_method(&[axum::http::Method::GET])?;
    reply::json(&[0, 1, 2])
}
