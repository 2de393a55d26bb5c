//! The owner's side: starts a launcher, sends requests, delivers reports.

use std::{
    cell::{Cell, RefCell},
    fs::File,
    io,
    os::{fd::OwnedFd, unix::net::UnixStream as StdUnixStream},
    path::Path,
    process::{Command, Stdio},
    rc::Rc,
    thread,
    time::{Duration, Instant},
};

use hpdlc_host::{drain, home::lock};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    net::{UnixStream, unix::OwnedWriteHalf},
};

use crate::{
    ARGUMENT,
    protocol::{LauncherReport, LauncherRequest},
};

/// The polling interval for the lock of pending requests.
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// Waits until no launcher has pending requests of an earlier owner; `false` if one still has after `patience`.
///
/// Only then an attempt without a claim is certain to stay without one: a request that an owner sent before it died may be read after
/// another process has become the owner.
///
/// # Errors
///
/// The lock file cannot be opened.
pub fn await_requests(pending: &Path, patience: Duration) -> io::Result<bool> {
    let begun = Instant::now();
    loop {
        if lock::attempt(pending)?.is_some() {
            return Ok(true);
        }
        if begun.elapsed() >= patience {
            return Ok(false);
        }
        thread::sleep(LOOK_AGAIN);
    }
}

/// A running launcher. When this is dropped, or its owner dies, the launcher stays until all that it started has ended.
#[derive(Debug)]
pub struct Launcher {
    outgoing: Rc<Outgoing>,
}

/// Requests that are being sent.
#[derive(Debug)]
struct Outgoing {
    socket: OwnedWriteHalf,
    unsent: RefCell<Vec<u8>>,
    /// The socket buffer was full: a task sends the rest.
    has_task: Cell<bool>,
}

impl Launcher {
    /// Starts a launcher; `report` is called with its reports, and with `None` once when it is gone. Its own error output goes to the file
    /// `log`; `name` is shown in the process list. `pending` is locked as long as requests may arrive or wait: see [`await_requests`]. With
    /// `proof`, a file ([`hpdlc_host::liveness`]), it ends what it has started when the host counts as gone.
    ///
    /// # Errors
    ///
    /// The process cannot be started.
    pub fn start(
        name: &str,
        log: &Path,
        pending: &Path,
        proof: Option<&Path>,
        report: impl Fn(Option<LauncherReport>) + 'static,
    ) -> io::Result<Launcher> {
        let (ours, theirs) = StdUnixStream::pair()?;
        ours.set_nonblocking(true)?;
        let log = File::options().create(true).append(true).open(log)?;
        let pending = lock::wait_shared(pending)?;
        // The running program, even if its file was replaced meanwhile.
        let mut command = Command::new("/proc/self/exe");
        if drain::is_in_container() {
            command.env(drain::CONFINED, "1");
        }
        command
            .arg(ARGUMENT)
            .arg(name)
            .args(proof)
            .current_dir("/")
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            // It prints nothing: the file is passed for its lock, which the launcher inherits before this process can die.
            .stdout(pending)
            .stderr(log)
            .spawn()?;
        let (reader, writer) = UnixStream::from_std(ours)?.into_split();
        tokio::task::spawn_local(async move {
            let mut lines = BufReader::new(reader).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                if let Ok(told) = serde_json::from_str(&line) {
                    report(Some(told));
                }
            }
            report(None);
        });
        Ok(Launcher {
            outgoing: Rc::new(Outgoing {
                socket: writer,
                unsent: RefCell::default(),
                has_task: Cell::new(false),
            }),
        })
    }

    /// Adds a request to those that [`Launcher::flush`] sends. Its arrival is confirmed by a report, or by the end of the launcher.
    pub fn send(&self, request: &LauncherRequest) {
        let mut unsent = self.outgoing.unsent.borrow_mut();
        let end = unsent.len();
        match serde_json::to_writer(&mut *unsent, request) {
            Ok(()) => unsent.push(b'\n'),
            Err(_) => unsent.truncate(end),
        }
    }

    /// Sends the requests in one write, since each write wakes the launcher.
    pub fn flush(&self) {
        let outgoing = &self.outgoing;
        if !outgoing.has_task.get() && outgoing.has_more() {
            outgoing.has_task.set(true);
            tokio::task::spawn_local(send_rest(Rc::clone(outgoing)));
        }
    }
}

impl Outgoing {
    /// Sends as much as the socket accepts; returns whether some is left.
    fn has_more(&self) -> bool {
        let mut unsent = self.unsent.borrow_mut();
        while !unsent.is_empty() {
            match self.socket.try_write(&unsent) {
                Ok(n) => drop(unsent.drain(..n)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return true,
                // A launcher that is gone is reported by the reader.
                Err(_) => unsent.clear(),
            }
        }
        false
    }
}

/// Sends what the socket did not accept at once.
async fn send_rest(outgoing: Rc<Outgoing>) {
    while outgoing.socket.writable().await.is_ok() && outgoing.has_more() {}
    outgoing.has_task.set(false);
}
