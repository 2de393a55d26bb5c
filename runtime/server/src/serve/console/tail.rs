//! Output of an action while it runs, as server-sent events: what is added to the file, until the attempt has ended.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use hpdlc_store::query;
use serde_json::json;
use tokio::{sync::mpsc, task::spawn_blocking, time};

use crate::serve::{
    call::Call,
    console::{
        live::{ALIVE, event, opened, server_ends, stream},
        printed::{self, Stream},
    },
    failure::Failure,
    found,
    server::Server,
};

/// Between two looks at a file.
const LOOK: Duration = Duration::from_millis(150);
/// While nothing is printed the looks become rarer, up to this.
const LONGEST: Duration = Duration::from_millis(1_200);

/// `tail/ID/NODE?stream=&attempt=&from=`
pub(crate) async fn tail(State(server): State<Arc<Server>>, request: Request) -> Response {
    let call = match opened(&server, request).await {
        Ok(call) => call,
        Err(failure) => return failure.into_response(),
    };
    let (sender, events) = mpsc::channel(4);
    tokio::spawn(follow(call, sender));
    stream(events)
}

/// What was added, and whether there will be more.
struct Added {
    text: String,
    to: u64,
    size: u64,
    has_ended: bool,
}

async fn follow(call: Arc<Call>, sender: mpsc::Sender<String>) {
    let from = call
        .parameters
        .filled("from")
        .and_then(|it| it.parse().ok());
    let mut from: u64 = from.unwrap_or_default();
    let mut ended = call.server.changes.ended();
    let mut is_first = true;
    let (mut wait, mut silent) = (LOOK, Duration::ZERO);
    loop {
        let of = Arc::clone(&call);
        let added = match spawn_blocking(move || added(&of, from, is_first)).await {
            Ok(Ok(added)) => added,
            Ok(Err(failure)) => {
                let problem = json!({ "message": failure.message });
                let _ = sender.send(event("problem", &problem)).await;
                return;
            }
            Err(_) => return,
        };
        is_first = false;
        let is_more = added.to < added.size && !added.text.is_empty();
        if !added.text.is_empty() {
            let text = json!({ "text": added.text, "to": added.to });
            if sender.send(event("text", &text)).await.is_err() {
                return;
            }
            (wait, silent) = (LOOK, Duration::ZERO);
        }
        from = added.to;
        if is_more {
            continue;
        }
        if added.has_ended {
            let _ = sender.send(event("end", &json!({}))).await;
            return;
        }
        if silent >= ALIVE {
            if sender.send(": alive\n\n".to_owned()).await.is_err() {
                return;
            }
            silent = Duration::ZERO;
        }
        tokio::select! {
            () = time::sleep(wait) => {}
            () = sender.closed() => return,
            () = server_ends(&mut ended) => return,
        }
        silent += wait;
        wait = (wait * 2).min(LONGEST);
    }
}

/// Whole lines that follow `from`; the last one may have no end once the attempt has ended. The first time `from` is what the caller asks for.
fn added(call: &Call, from: u64, is_asked: bool) -> Result<Added, Failure> {
    let (id, node) = call.rest.split_once('/').unwrap_or((&call.rest, ""));
    let connection = call.server.store()?;
    let failed = |error| call.server.failed(error);
    let job = found::expect_job(call, &connection, id)?;
    let missing = || Failure::no_action(&call.rest);
    let row = query::action(&connection, id, node).map_err(failed)?;
    let row = row.ok_or_else(missing)?;
    let attempt = call.parameters.filled("attempt");
    let attempt = attempt
        .and_then(|it| it.parse().ok())
        .unwrap_or(row.attempt);
    let stream = Stream::of(call.parameters.get("stream"));
    let path = printed::file(call, &job, &row, attempt, stream);
    let begun = match is_asked {
        true => printed::begin(&path, from),
        false => Ok(from),
    };
    let part = begun.and_then(|from| printed::read(&path, Some(from), printed::PIECE));
    let part = part.map_err(|error| Failure::server(format!("{}: {error}", path.display())))?;
    let has_ended = row.ended.is_some() || row.attempt != attempt || job.status.is_terminal();
    let is_last = has_ended && part.to == part.size;
    // A part of a line may be a part of a secret.
    let whole = match part.bytes.iter().rposition(|byte| *byte == b'\n') {
        _ if is_last || part.to < part.size => part.bytes.len(),
        Some(end) => end + 1,
        None => 0,
    };
    let rest = part.bytes.len() - whole;
    let mask = call.server.mask(&connection, &job)?;
    Ok(Added {
        text: printed::shown(&part.bytes[..whole], &mask),
        to: part.to - rest as u64,
        size: part.size,
        has_ended: is_last,
    })
}
