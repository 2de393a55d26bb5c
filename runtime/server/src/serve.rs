//! `serve`: the server that speaks Oozie's Web Services API on the jobs of the state folder.
//!
//! A request goes from left to right: [`connections`] -> [`front`] (from where, by whom: [`proof`]) -> [`call`] (parameters, body) ->
//! [`gate`] (whether the caller may: [`access`]; [`audit`]) -> a resource, one file each (`jobs`, `job`, `admin`), on a thread that may
//! wait -> [`reply`] or [`failure`]. What a job looks like as JSON is in [`wire`]; its rows come from [`listing`] and the store. Nothing of
//! a job is held here: any number of servers may look at one state folder.

use std::{net::SocketAddr, path::PathBuf, sync::Arc};

use axum::{Extension, Router, extract::DefaultBodyLimit, middleware};
use clap::Args;
use hpdlc_engine::owner::Session;
use hpdlc_host::exit::{Exit, RunError};

use self::{
    call::BodyLimit,
    failure::Failure,
    routes::{ROUTES, Way},
    server::{CommandLine, MOST_BYTES, MOST_UPLOADED},
};

pub(super) use self::server::Server;
#[cfg(any(test, feature = "testing"))]
pub(super) use self::{policy::Mode, server::SystemMode};

mod access;
mod action_conf;
mod admin;
mod audit;
mod audit_log;
mod bulk;
mod call;
mod callback;
mod changes;
mod checkup;
mod command;
mod commands;
mod compile;
mod connections;
mod console;
mod cookie;
mod counters;
mod dates;
mod definition;
mod dependencies;
mod documents;
mod failure;
mod figures;
mod filter;
mod found;
mod front;
mod gate;
mod generated;
mod given;
mod health;
mod hws;
mod info;
mod job;
mod jobs;
mod kerberos;
mod kinds;
mod listing;
mod logging;
mod logs;
mod metrics;
mod openapi;
mod options;
mod parameters;
mod place;
mod png;
mod policy;
mod pool;
mod process;
mod program;
mod proof;
mod properties_file;
mod proxy;
mod query;
mod reply;
mod routes;
mod selection;
mod server;
mod sla;
mod start;
mod structures;
mod submit;
mod supervision;
#[cfg(test)]
pub(crate) mod tests;
mod tls;
mod token_uses;
mod validate;
mod wire;
mod words;

#[derive(Debug, Args)]
pub(super) struct Serve {
    /// Where to listen
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:11000")]
    listen: SocketAddr,
    /// The path before those of the API
    #[arg(long, value_name = "PATH", default_value = "/oozie", value_parser = parse_base)]
    base: String,
    /// Who may: simple (user.name says who calls), token or kerberos [default: hpdl.server.auth, else simple on this machine alone, token
    /// beyond it]
    #[arg(long, value_name = "MODE")]
    auth: Option<String>,
    /// Simple authentication for other machines, too: everybody who reaches the server may do everything
    #[arg(long)]
    insecure: bool,
    /// The certificate of the server, in PEM, for HTTPS [default: hpdl.server.tls.cert]
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The key of the certificate, in PEM [default: hpdl.server.tls.key]
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Leave it to others to recover jobs whose process dies
    #[arg(long)]
    no_recover: bool,
    /// What is logged to standard error: error, warn, info, debug [default: hpdl.server.log.level, else info]
    #[arg(long, value_name = "LEVEL")]
    log_level: Option<String>,
    /// As text or as JSON, an object a line [default: hpdl.server.log.format, else text]
    #[arg(long, value_name = "FORMAT")]
    log_format: Option<String>,
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
    /// Serves until SIGTERM or Ctrl-C. `command_line` is that of this program.
    pub(super) fn execute(
        &self,
        session: &Session,
        command_line: CommandLine,
    ) -> Result<Exit, RunError> {
        start::serve(session, &options::of(self, &session.site)?, command_line)
    }
}

/// All paths.
pub(super) fn router(server: Arc<Server>) -> Router {
    let mut all = Router::new();
    for route in &ROUTES {
        for (path, version) in route.place.paths(&server.base, route.path) {
            let resource = match route.way {
                Way::Checked | Way::Refused => gate::route(route.resource),
                Way::Upload => gate::route(route.resource).layer((
                    Extension(BodyLimit(MOST_UPLOADED)),
                    DefaultBodyLimit::max(MOST_UPLOADED),
                )),
                Way::Recording => gate::recording_route(route.resource),
                Way::Open => gate::open_route(route.resource),
            };
            let resource = match version {
                Some(version) => resource.layer(Extension(version)),
                None => resource,
            };
            all = all.route(&path, resource);
        }
    }
    // The console, which is for people: the document of the API leaves it out.
    let all = all.merge(console::routes(&server));
    all.fallback(|| async { Failure::not_found() })
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(middleware::from_fn_with_state(
            Arc::clone(&server),
            front::front,
        ))
        // What follows is asked by machines that have no token, and tells them nothing.
        .merge(health::router())
        .with_state(server)
}
