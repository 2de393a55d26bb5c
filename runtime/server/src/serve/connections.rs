//! Accepts connections, and ends them in order.
//!
//! What `axum::serve` does, with names of headers as `Set-Cookie`: the client of Oozie looks for the cookie under that spelling alone.

use std::{future::Future, pin::pin, time::Duration};

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinSet,
    time,
};

/// How long the head of a request may take, so that idle connections do not pile up.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long requests may go on once the server is to end.
const LAST_REQUESTS: Duration = Duration::from_secs(30);
/// Further ones wait to be accepted.
const MOST_CONNECTIONS: usize = 512;

/// Serves until `ended` is over.
pub(crate) async fn serve(listener: &TcpListener, router: Router, ended: impl Future<Output = ()>) {
    let (stop, stopped) = watch::channel(false);
    let mut open = JoinSet::new();
    let mut ended = pin!(ended);
    loop {
        tokio::select! {
            accepted = listener.accept(), if open.len() < MOST_CONNECTIONS => match accepted {
                Ok((stream, _)) => {
                    open.spawn(connection(stream, router.clone(), stopped.clone()));
                }
                // Such as no file descriptors: later there are some.
                Err(_) => time::sleep(Duration::from_millis(100)).await,
            },
            _ = open.join_next(), if !open.is_empty() => {}
            () = &mut ended => break,
        }
    }
    // Without connections nobody hears it.
    let _ = stop.send(true);
    let _ = time::timeout(LAST_REQUESTS, async {
        while open.join_next().await.is_some() {}
    })
    .await;
}

async fn connection(stream: TcpStream, router: Router, mut stopped: watch::Receiver<bool>) {
    let service = TowerToHyperService::new(router);
    let connection = http1::Builder::new()
        .title_case_headers(true)
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection);
    // A client that goes away is no failure of the server.
    tokio::select! {
        _ = connection.as_mut() => {}
        _ = stopped.changed() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}
