//! The process that sends the notifications an owner has left, until all are delivered or given up.

use std::{
    os::unix::process::CommandExt,
    process::{Command, Stdio},
};

use hpdlc_host::{
    exit::RunError,
    home::{Home, lock},
    inherited_descriptors, panic_hook,
};
use hpdlc_store::notifications;

use super::sending::Sending;
use crate::{registry, session::Session};

/// The first argument that makes this executable a sender process; the second is the job.
const ARGUMENT: &str = "hpdl-sender";

/// Becomes the sender process if the arguments say so, and does not return then.
pub fn serve_if_asked() {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_none_or(|argument| argument != ARGUMENT) {
        return;
    }
    panic_hook::install("a sender process".to_owned(), || false);
    inherited_descriptors::shed();
    let root = arguments
        .next()
        .and_then(|root| root.into_string().ok())
        .unwrap_or_default();
    // A session of its own, so that it survives the terminal. It fails if that is so already.
    let _ = rustix::process::setsid();
    let sent = Home::open().and_then(|home| Sending::new(home, root).send_all());
    // `recover` sends what is left.
    std::process::exit(i32::from(sent.is_err()));
}

/// Starts a sender process for the jobs of `root`. If that fails, `recover` sends what is left.
pub(super) fn start(home: &Home, root: &str, hash: &str) {
    if !registry::is_runnable(home, hash) {
        return;
    }
    let _ = Command::new(home.bin().join(hash))
        .arg0("hpdl-sender")
        .args([ARGUMENT, root])
        .current_dir("/")
        .env("HPDL_HOME", home.root())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn();
}

/// Starts a sender process for every job tree with unsent notifications and no other sender; returns how many.
///
/// # Errors
///
/// The store cannot be read.
pub fn take_up(session: &Session) -> Result<usize, RunError> {
    let connection = session.store()?;
    let left = notifications::open_trees(&connection).map_err(|error| session.describe(error))?;
    let mut n_started = 0;
    for (root, hash) in left {
        if !session.has_owner(&root) && !lock::is_held(&session.home.post_lock(&root)) {
            start(&session.home, &root, &hash);
            n_started += 1;
        }
    }
    Ok(n_started)
}
