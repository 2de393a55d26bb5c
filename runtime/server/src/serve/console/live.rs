//! What changes on a page while it is open, as server-sent events: parts of pages that replace those of the same id. A page listens to the
//! store's change counter, which one thread reads for all of them, and asks nothing while nothing changes.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use axum::{
    body::Body,
    extract::{FromRequest, Request, State},
    http::{HeaderValue, Method, header},
    response::{IntoResponse, Response},
};
use hpdlc_host::clock;
use hpdlc_store::{commands, query};
use serde_json::{Value, json};
use tokio::{
    sync::{mpsc, watch},
    task::spawn_blocking,
    time,
};

use crate::serve::{
    call::Call,
    console::{head, nodes, overview, subject, templates::digest},
    failure::Failure,
    reply::Lines,
    server::Server,
};

pub(crate) const EVENTS: &str = "text/event-stream";
/// A page that hears nothing for so long is told that the server lives; a client that is gone is noticed.
pub(crate) const ALIVE: Duration = Duration::from_secs(20);
/// Between two changes that an overview is told of.
const BREATH: Duration = Duration::from_millis(900);
/// Between two changes that the page of a job is told of.
const SHORT_BREATH: Duration = Duration::from_millis(50);

/// One event, whose data is JSON on a line.
pub(crate) fn event(name: &str, data: &Value) -> String {
    format!("event: {name}\ndata: {data}\n\n")
}

/// An answer with the events that arrive at `events`.
pub(crate) fn stream(events: mpsc::Receiver<String>) -> Response {
    let mut response = Lines::response(EVENTS, events);
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // A proxy would keep them back.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

/// A request for events: its body is not read.
pub(crate) async fn opened(server: &Arc<Server>, request: Request) -> Result<Arc<Call>, Failure> {
    let (parts, _) = request.into_parts();
    let request = Request::from_parts(parts, Body::empty());
    let call = Call::from_request(request, server).await?;
    call.expect_method(&[Method::GET])?;
    Ok(Arc::new(call))
}

/// `live?page=overview` or `live?page=job&job=ID`.
pub(crate) async fn live(State(server): State<Arc<Server>>, request: Request) -> Response {
    let call = match opened(&server, request).await {
        Ok(call) => call,
        Err(failure) => return failure.into_response(),
    };
    let (sender, events) = mpsc::channel(4);
    let changes = server.changes.subscribe();
    tokio::spawn(follow(call, sender, changes));
    stream(events)
}

/// Waits until the server is told to end: open pages do not hold it up.
pub(crate) async fn server_ends(ended: &mut watch::Receiver<bool>) {
    // Without a sender it has ended.
    let _ = ended.wait_for(|has_ended| *has_ended).await;
}

async fn follow(call: Arc<Call>, sender: mpsc::Sender<String>, mut changes: watch::Receiver<u64>) {
    let mut ended = call.server.changes.ended();
    let is_job = call.parameters.get("page") == Some("job");
    let breath = if is_job { SHORT_BREATH } else { BREATH };
    let mut seen = Seen::default();
    // What has changed between the page and its first event.
    let mut is_new = true;
    loop {
        if !is_new {
            tokio::select! {
                changed = changes.changed() => if changed.is_err() { return },
                () = time::sleep(ALIVE) => {
                    if sender.send(": alive\n\n".to_owned()).await.is_err() {
                        return;
                    }
                    continue;
                }
                () = sender.closed() => return,
                () = server_ends(&mut ended) => return,
            }
        }
        is_new = false;
        let of = Arc::clone(&call);
        let done = spawn_blocking(move || {
            let parts = match is_job {
                true => job_parts(&of, &mut seen),
                false => overview_parts(&of, &mut seen),
            };
            (seen, parts)
        });
        let Ok((next, parts)) = done.await else {
            return;
        };
        seen = next;
        let told = match parts {
            Ok(Some(parts)) => sender.send(event("parts", &parts)).await,
            Ok(None) => Ok(()),
            Err(failure) => {
                let problem = json!({ "message": failure.message });
                sender.send(event("problem", &problem)).await
            }
        };
        if told.is_err() {
            return;
        }
        // What changes meanwhile is told together.
        time::sleep(breath).await;
    }
}

/// What a page has already.
#[derive(Default)]
struct Seen {
    /// Digests of its parts by their ids.
    parts: BTreeMap<String, u64>,
    /// The last line of the log that was looked at, and the run.
    line: i64,
    run: Option<i64>,
}

impl Seen {
    /// Whether a part differs from the one that the page has.
    fn is_new(&mut self, id: &str, markup: &str) -> bool {
        let digest = digest(markup);
        self.parts.insert(id.to_owned(), digest) != Some(digest)
    }
}

fn overview_parts(call: &Call, seen: &mut Seen) -> Result<Option<Value>, Failure> {
    let markup = overview::live_part(call)?;
    let has_page = call.parameters.get("seen") == Some(digest(&markup).to_string().as_str());
    let is_new = seen.is_new("live", &markup) && !has_page;
    Ok(is_new.then(|| json!({ "parts": [{ "id": "live", "html": markup }] })))
}

/// The head, the rows of nodes that have changed, and the states of nodes in the graph.
fn job_parts(call: &Call, seen: &mut Seen) -> Result<Option<Value>, Failure> {
    let id = call.parameters.required("job")?;
    // What the page had when it was made.
    let of_page = call.parameters.number("seen")?.unwrap_or_default();
    let connection = call.server.store()?;
    let failed = |error| call.server.failed(error);
    let lines = query::log(&connection, id, seen.line.max(of_page)).map_err(failed)?;
    let row = query::job(&connection, id).map_err(failed)?;
    let row = row.ok_or_else(|| Failure::no_job(id))?;
    let open = commands::open_since(&connection, id).map_err(failed)?;
    let state = format!("{:?} {:?} {open:?}", row.status, row.owner_pid);
    let is_first = seen.run.is_none();
    let is_other_run = seen.run.is_some_and(|run| run != row.run);
    let is_other_state = seen.is_new("state", &state) && !is_first;
    seen.run = Some(row.run);
    // What other jobs do is not looked at further.
    if lines.is_empty() && !is_other_state {
        return Ok(None);
    }
    if let Some((last, _)) = lines.last() {
        seen.line = *last;
    }
    if is_other_run {
        return Ok(Some(json!({ "reload": true })));
    }
    let of_job = lines.iter().filter(|(_, line)| line.job_id == row.id);
    let changed: BTreeSet<&str> = of_job
        .filter_map(|(_, line)| line.node.as_deref())
        .collect();
    let subject = subject::of(call, &connection, id)?;
    let now = clock::now_millis();
    let mut parts = Vec::new();
    let head = head::head(call, &connection, &subject)?;
    if seen.is_new("head", &head) {
        parts.push(json!({ "id": "head", "html": head }));
    }
    let mut looks = Vec::new();
    let rows = subject.rows.iter();
    for row in rows.filter(|row| changed.contains(row.name.as_str())) {
        let shown = nodes::row(&call.server.base, &subject.job, row, &subject.masks, now);
        let markup = nodes::markup(&shown)?;
        if seen.is_new(&shown.id, &markup) {
            looks.push(json!({ "node": row.name, "look": shown.mark.look }));
            parts.push(json!({ "id": shown.id, "html": markup, "in": "nodes" }));
        }
    }
    Ok((!parts.is_empty()).then(|| json!({ "parts": parts, "looks": looks })))
}
