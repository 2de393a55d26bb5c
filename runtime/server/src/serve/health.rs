//! `/healthz` and `/readyz`: whether the server lives, and whether it can do its work. They need no proof, and tell nothing else.

use std::{sync::Arc, time::Duration};

use axum::{Router, extract::State, http::StatusCode, routing::get};
use tokio::{task::spawn_blocking, time};

use crate::serve::server::Server;

/// A server that needs longer is too busy to be sent requests.
const PATIENCE: Duration = Duration::from_secs(2);

/// Whether the server lives, and whether it can do its work.
pub(crate) const PATHS: [&str; 2] = ["/healthz", "/readyz"];

pub(crate) fn router() -> Router<Arc<Server>> {
    let [alive, is_ready] = PATHS;
    Router::new()
        .route(alive, get(|| async { "ok\n" }))
        .route(is_ready, get(ready))
}

/// Whether the store can be read.
async fn ready(State(server): State<Arc<Server>>) -> (StatusCode, &'static str) {
    let read = spawn_blocking(move || {
        let connection = server.store().ok()?;
        let sql = "SELECT format_major FROM meta";
        connection
            .query_row(sql, [], |row| row.get::<_, i64>(0))
            .ok()
    });
    match time::timeout(PATIENCE, read).await {
        Ok(Ok(Some(_))) => (StatusCode::OK, "ready\n"),
        _ => (StatusCode::SERVICE_UNAVAILABLE, "not ready\n"),
    }
}
