//! Starts and ends a server.

use std::{sync::Arc, time::Duration};

use hpdlc_engine::{detached_owner, owner::Session};
use hpdlc_host::{
    clock,
    exit::{Exit, RunError},
    shown,
};
use hpdlc_runtime::fleet::Watcher;
use hpdlc_store::tokens;
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
};
use tracing::{info, warn};

use crate::serve::{
    connections::{self, Service},
    logging::{self, Format},
    options::Options,
    policy::Mode,
    router,
    server::{CommandLine, Server},
    supervision, tls,
};

/// Requests that wait for owners and files at once; further ones wait for a thread.
const MOST_THREADS: usize = 32;
/// Between two looks at owners that were started here and have ended.
const COLLECTION: Duration = Duration::from_secs(5);
/// How long requests that still wait for owners may hold up the end. What they asked for is in the store.
const LAST_THREADS: Duration = Duration::from_millis(500);

/// Serves until SIGTERM or Ctrl-C.
///
/// # Errors
///
/// Exit 2 for options that cannot be used, exit 5 if the store cannot be opened or the address is taken.
pub(super) fn serve(
    session: &Session,
    options: &Options,
    command_line: CommandLine,
) -> Result<Exit, RunError> {
    session.store()?;
    let tls = options.tls.as_ref().map(tls::acceptor).transpose()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(MOST_THREADS)
        .build()
        .map_err(|error| RunError::machine(format!("cannot start the server: {error}")))?;
    let ended = runtime.block_on(run(session, options, tls, command_line));
    runtime.shutdown_timeout(LAST_THREADS);
    if let Some(watcher) = ended? {
        watcher.stop();
    }
    Ok(Exit::Success)
}

async fn run(
    session: &Session,
    options: &Options,
    tls: Option<tokio_rustls::TlsAcceptor>,
    command_line: CommandLine,
) -> Result<Option<Watcher>, RunError> {
    let failed = |error: std::io::Error| RunError::machine(format!("{}: {error}", options.listen));
    let listener = TcpListener::bind(options.listen).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let host = match address.ip() {
        ip if ip.is_loopback() => "localhost".to_owned(),
        std::net::IpAddr::V6(ip) => format!("[{ip}]"),
        ip => ip.to_string(),
    };
    let scheme = if tls.is_some() { "https" } else { "http" };
    let url = format!("{scheme}://{host}:{}{}", address.port(), options.base);
    let server = Server::new(
        session.clone(),
        &options.base,
        url.clone(),
        options.mode,
        command_line,
    )?;
    let mut terminate = signal(SignalKind::terminate()).map_err(failed)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(failed)?;
    logging::start(options.log_format, options.log_level)?;
    let message = format!("serving {} at {url}", session.home.root().display());
    match options.log_format {
        Format::Text => shown::say(&message),
        Format::Json => info!("{message}"),
    }
    warn_of_dangers(session, options)?;
    let watcher = match options.recovers {
        true => Some(Watcher::start(session, logging::say, logging::report)?),
        false => None,
    };
    tokio::spawn(async {
        loop {
            tokio::time::sleep(COLLECTION).await;
            detached_owner::collect_ended();
        }
    });
    tokio::spawn(supervision::alive());
    supervision::ready(&url);
    let server = Arc::new(server);
    let service = Service {
        router: router(Arc::clone(&server)),
        tls,
        most: options.most_connections,
    };
    connections::serve(&listener, &service, async {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        supervision::stopping();
        server.changes.end();
        info!("ending: open requests are answered, jobs go on");
    })
    .await;
    Ok(watcher)
}

/// Says what the administrator may not have meant.
fn warn_of_dangers(session: &Session, options: &Options) -> Result<(), RunError> {
    let is_here = options.listen.ip().is_loopback();
    match options.mode {
        Mode::Simple if !is_here => {
            warn!("everybody who reaches {} may do everything", options.listen);
        }
        Mode::Token if !is_here && options.tls.is_none() => warn!(
            "tokens cross the network in clear: give --tls-cert and --tls-key, or put a proxy with TLS before this server"
        ),
        Mode::Kerberos if !is_here && options.tls.is_none() => warn!(
            "cookies that name users cross the network in clear: give --tls-cert and --tls-key, or put a proxy with TLS before this server"
        ),
        Mode::Simple | Mode::Token | Mode::Kerberos => {}
    }
    if options.mode == Mode::Token {
        let connection = session.store()?;
        let all = tokens::list(&connection).map_err(|error| session.describe(error))?;
        let now = clock::now_millis();
        if !all.iter().any(|token| token.is_valid(now)) {
            warn!("there is no valid token, so nobody may do anything; type: hpdl token new NAME");
        }
    }
    Ok(())
}
