//! The owner's end: starts a launcher, sends requests, hands on reports.

use std::{
    cell::RefCell,
    collections::VecDeque,
    fs::{File, TryLockError},
    io,
    os::{fd::OwnedFd, unix::net::UnixStream as StdUnixStream},
    path::Path,
    process::{Command, Stdio},
    rc::Rc,
    thread,
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncBufReadExt, BufReader},
    net::{UnixStream, unix::OwnedWriteHalf},
};

use crate::launcher::{
    ARGUMENT,
    protocol::{Report, Request},
};

/// How often the lock of pending requests is tried.
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// Waits until no launcher has requests of an earlier owner before it; `false` where one still has after `patience`.
///
/// Only then is an attempt without a claim certain to stay without one: a request that an owner sent before it died may be
/// read after another process has become the owner.
///
/// # Errors
///
/// The lock file cannot be opened.
pub fn await_requests(pending: &Path, patience: Duration) -> io::Result<bool> {
    let file = open_lock(pending)?;
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) if begun.elapsed() < patience => {
                thread::sleep(LOOK_AGAIN)
            }
            Err(TryLockError::WouldBlock) => return Ok(false),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}

fn open_lock(path: &Path) -> io::Result<File> {
    File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
}

/// A running launcher. When this is dropped, or its owner dies, the launcher stays until what it started has ended.
#[derive(Debug)]
pub struct Launcher {
    socket: Rc<OwnedWriteHalf>,
    /// Bytes for which the socket had no room; a task sends them.
    unsent: Rc<RefCell<VecDeque<u8>>>,
}

impl Launcher {
    /// Starts a launcher; `report` gets what it tells, and `None` once when it is gone. What it has to complain about
    /// itself goes to the file `log`; `name` shows in the list of processes. `pending` is locked as long as requests may come
    /// or wait: see [`await_requests`].
    ///
    /// # Errors
    ///
    /// The process cannot be started.
    pub fn start(
        name: &str,
        log: &Path,
        pending: &Path,
        report: impl Fn(Option<Report>) + 'static,
    ) -> io::Result<Launcher> {
        let (ours, theirs) = StdUnixStream::pair()?;
        ours.set_nonblocking(true)?;
        let log = File::options().create(true).append(true).open(log)?;
        let pending = open_lock(pending)?;
        pending.lock_shared()?;
        // The running program, even if its file has been replaced meanwhile.
        Command::new("/proc/self/exe")
            .arg(ARGUMENT)
            .arg(name)
            .current_dir("/")
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            // It prints nothing: the file is there for its lock, which passes to the launcher before this process can die.
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
            socket: Rc::new(writer),
            unsent: Rc::default(),
        })
    }

    /// Sends a request. Whether it arrives is told by a report, or by the end of the launcher.
    pub fn send(&self, request: &Request) {
        let Ok(mut line) = serde_json::to_vec(request) else {
            return;
        };
        line.push(b'\n');
        let mut unsent = self.unsent.borrow_mut();
        let has_task = !unsent.is_empty();
        if !has_task {
            match self.socket.try_write(&line) {
                Ok(n) => drop(line.drain(..n)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                // A launcher that is gone is reported by the reader.
                Err(_) => return,
            }
        }
        unsent.extend(line);
        if !has_task && !unsent.is_empty() {
            tokio::task::spawn_local(send_rest(Rc::clone(&self.socket), Rc::clone(&self.unsent)));
        }
    }
}

/// Sends what the socket did not take at once.
async fn send_rest(socket: Rc<OwnedWriteHalf>, unsent: Rc<RefCell<VecDeque<u8>>>) {
    while !unsent.borrow().is_empty() {
        // A launcher that is gone is reported by the reader.
        if socket.writable().await.is_err() {
            return;
        }
        let written = socket.try_write(unsent.borrow().as_slices().0);
        match written {
            Ok(n) => drop(unsent.borrow_mut().drain(..n)),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(_) => return,
        }
    }
}
