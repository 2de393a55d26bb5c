//! The listener: one for a state folder, in whichever process of it was first; the others wait to take its place.

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
    request::{self, CallbackRequest, Refusal},
};

/// How often the address is tried that another process listens at.
const LOOK_AGAIN: Duration = Duration::from_millis(500);

/// How long an answer may take to be written.
const PATIENCE: Duration = Duration::from_secs(5);

/// Threads at once, more than requests come in at once: some are being carried out. More callers are sent away.
const MAX_THREADS: usize = 128;

/// Bytes of a thread's stack: the store is opened on it.
const STACK: usize = 512 * 1024;

/// The state folders that this process listens for, or waits to.
static LISTENING: Mutex<Vec<std::path::PathBuf>> = Mutex::new(Vec::new());

/// Listens for the callbacks of `home` from now on, or as soon as the process that does has ended.
///
/// # Errors
///
/// The settings cannot be read, or there can be no more threads.
pub fn ensure(home: &Home) -> Result<(), String> {
    let mut listening = match LISTENING.lock() {
        Ok(listening) => listening,
        // A thread that panicked has left the list whole.
        Err(poisoned) => poisoned.into_inner(),
    };
    if listening.iter().any(|root| root == home.root()) {
        return Ok(());
    }
    let site = settings::site(home).map_err(|error| error.message)?;
    let callbacks = Callbacks::new(home);
    let address = callbacks.address(&site)?;
    // Before the URL is given away, where nobody else listens.
    let first = TcpListener::bind(address).ok();
    thread::Builder::new()
        .name("callbacks".to_owned())
        .spawn(move || listen(&Arc::new(callbacks), address, first))
        .map_err(|error| error.to_string())?;
    listening.push(home.root().to_owned());
    Ok(())
}

/// Does not return: a process listens as long as it lives.
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
            // Out of files, say.
            thread::sleep(LOOK_AGAIN);
            continue;
        };
        // Before its thread: whoever was slow makes room for it.
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
            // Who has gone needs no answer.
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
    request: Result<CallbackRequest, Refusal>,
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

/// Takes a callback of an action that runs, once for each of its attempts.
fn take(callbacks: &Callbacks, request: &CallbackRequest) -> Result<(), Refusal> {
    const UNKNOWN: Refusal = ("E0402", "no such callback");
    const STORE: Refusal = ("E0402", "the job store cannot be read");
    let connection = store::open(&callbacks.home).map_err(|_| STORE)?;
    let job = query::job(&connection, &request.job).map_err(|_| STORE)?;
    let run = job.map_or(0, |job| job.run);
    let subject = CallbackSubject {
        job: &request.job,
        run,
        node: &request.node,
    };
    // Whoever has no token learns nothing, not even which jobs there are.
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
    if row.type_name == "http" {
        // Before it counts as taken: who waits for it looks for the file alone.
        let attempt = Attempt::new(callbacks.home.attempt(
            &row.job_id,
            run,
            &row.name,
            row.attempt,
        ));
        Callback::from(request).keep(&attempt).map_err(|_| STORE)?;
    }
    let is_first = callbacks::take(&connection, subject, row.attempt, now).map_err(|_| STORE)?;
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

/// What a caller said, on one short line.
fn shown(state: &str) -> String {
    state
        .chars()
        .filter(|character| !character.is_control())
        .take(100)
        .collect()
}
