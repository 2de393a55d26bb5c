//! The listener: one per state folder, in the first of its processes; the others wait to take over.

use std::{
    io::{self, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use hpdlc_core::status::ActionStatus;
use hpdlc_host::{clock, home::Home, settings};
use hpdlc_launcher::Attempt;
use hpdlc_store::{self as store, LogRow, callbacks, callbacks::CallbackSubject, query};

use super::{
    Callback, Callbacks,
    callers::{Callers, Timed},
    request::{self, CallbackRequest, RequestRefusal},
};

/// Interval at which binding is retried while another process listens at the address.
const LOOK_AGAIN: Duration = Duration::from_millis(500);

/// Timeout for writing an answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Maximum number of threads. More than the requests read at a time, since some are being handled; callers above it are dropped.
const MAX_THREADS: usize = 128;

/// Stack size of a thread, in bytes: the store is opened on it.
const STACK: usize = 512 * 1024;

/// The state folders that this process listens for, or waits to listen for.
static LISTENING: Mutex<Vec<std::path::PathBuf>> = Mutex::new(Vec::new());

/// Listens for the callbacks of `home`, immediately or as soon as the process that does so ends.
///
/// # Errors
///
/// The settings cannot be read, or no thread can be started.
pub fn ensure(home: &Home) -> Result<(), String> {
    let mut listening = match LISTENING.lock() {
        Ok(listening) => listening,
        // A thread that panicked has left the list consistent.
        Err(poisoned) => poisoned.into_inner(),
    };
    if listening.iter().any(|root| root == home.root()) {
        return Ok(());
    }
    let site = settings::site(home).map_err(|error| error.message)?;
    let callbacks = Callbacks::new(home);
    let address = callbacks.address(&site)?;
    // Before the URL is handed out, if no other process listens.
    let first = TcpListener::bind(address).ok();
    thread::Builder::new()
        .name("callbacks".to_owned())
        .spawn(move || listen(&Arc::new(callbacks), address, first))
        .map_err(|error| error.to_string())?;
    listening.push(home.root().to_owned());
    Ok(())
}

/// Never returns: the process listens until it exits.
fn listen(callbacks: &Arc<Callbacks>, address: SocketAddr, first: Option<TcpListener>) {
    let listener = first.unwrap_or_else(|| {
        loop {
            thread::sleep(LOOK_AGAIN);
            if let Ok(listener) = TcpListener::bind(address) {
                return listener;
            }
        }
    });
    let callers = Arc::new(Callers::default());
    let n_threads = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            // For example, no file descriptor is left.
            thread::sleep(LOOK_AGAIN);
            continue;
        };
        // Before its thread starts: this drops the slowest caller if there are too many.
        let Ok(number) = callers.enter(&stream) else {
            thread::sleep(LOOK_AGAIN);
            continue;
        };
        if n_threads.fetch_add(1, Ordering::Relaxed) >= MAX_THREADS {
            n_threads.fetch_sub(1, Ordering::Relaxed);
            callers.leave(number);
            continue;
        }
        let (callbacks, counted) = (Arc::clone(callbacks), Arc::clone(&n_threads));
        let entered = Arc::clone(&callers);
        let spawned = thread::Builder::new().stack_size(STACK).spawn(move || {
            let request = request::read(Timed::new(&stream));
            entered.leave(number);
            // The caller may have disconnected.
            let _ = answer(&callbacks, &stream, request);
            counted.fetch_sub(1, Ordering::Relaxed);
        });
        if spawned.is_err() {
            n_threads.fetch_sub(1, Ordering::Relaxed);
            callers.leave(number);
        }
    }
}

fn answer(
    callbacks: &Callbacks,
    mut stream: &TcpStream,
    request: Result<CallbackRequest, RequestRefusal>,
) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    let taken = request.and_then(|request| take(callbacks, &request));
    let (status, body) = match taken {
        Ok(()) => ("200 OK", String::new()),
        Err((code, words)) => ("400 Bad Request", format!("{code}: {words}\n")),
    };
    let code = body.split(':').next().unwrap_or_default();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: text/plain\r\noozie-error-code: {code}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

/// Accepts a callback of a running action, once per attempt.
///
/// # Errors
///
/// Oozie's code and the reason: the token is wrong, the action is not running, or the callback was accepted before.
pub fn take(callbacks: &Callbacks, request: &CallbackRequest) -> Result<(), RequestRefusal> {
    const UNKNOWN: RequestRefusal = ("E0402", "no such callback");
    const STORE: RequestRefusal = ("E0402", "the job store cannot be read");
    let connection = store::open(&callbacks.home).map_err(|_| STORE)?;
    let job = query::job(&connection, &request.job).map_err(|_| STORE)?;
    let run = job.map_or(0, |job| job.run);
    let subject = CallbackSubject {
        job: &request.job,
        run,
        node: &request.node,
    };
    // Without a valid token the caller learns nothing, not even which jobs exist.
    if !callbacks
        .is_token(subject, &request.token)
        .map_err(|_| STORE)?
    {
        return Err(UNKNOWN);
    }
    let row = query::action(&connection, &request.job, &request.node).map_err(|_| STORE)?;
    let row = row.ok_or(UNKNOWN)?;
    match row.status {
        ActionStatus::Running | ActionStatus::Prep => {}
        ActionStatus::Done
        | ActionStatus::Ok
        | ActionStatus::Error
        | ActionStatus::StartRetry
        | ActionStatus::StartManual
        | ActionStatus::UserRetry
        | ActionStatus::Killed
        | ActionStatus::Failed => return Err(("E0800", "the action is not running")),
    }
    let now = clock::now_millis();
    // A child on another instance calls back whenever its state changes: each time, it is asked.
    let is_hint = row.type_name == "sub-workflow";
    if is_hint || row.type_name == "http" {
        // Before it is recorded as accepted: the action that waits for it looks only for the file.
        let attempt = Attempt::new(callbacks.home.attempt(
            &row.job_id,
            run,
            &row.name,
            row.attempt,
        ));
        Callback::from(request).keep(&attempt).map_err(|_| STORE)?;
    }
    let is_first = callbacks::take(&connection, subject, row.attempt, now).map_err(|_| STORE)?;
    if !is_first && is_hint {
        return Ok(());
    }
    if !is_first {
        return Err(("E0402", "this callback was already accepted"));
    }
    let line = LogRow {
        job_id: request.job.clone(),
        time: now,
        node: Some(request.node.clone()),
        event: "CALLBACK".to_owned(),
        message: Some(shown(&request.state)),
    };
    line.write(&connection).map_err(|_| STORE)
}

/// What the caller sent, on one short line.
fn shown(state: &str) -> String {
    state
        .chars()
        .filter(|character| !character.is_control())
        .take(100)
        .collect()
}
