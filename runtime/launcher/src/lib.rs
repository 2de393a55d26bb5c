//! The launcher: a process in its own session that starts local processes for the owner of a job and outlives it.
//!
//! The owner keeps one launcher, connected by a socket pair. A start request names its attempt. The launcher *claims* the
//! attempt with a file that only one process can create, holds a lock on that file while the process lives, and leaves the
//! exit status whole or not at all. So whoever comes later can tell, whatever was killed in between:
//!
//! | claim | lock | exit file | the attempt |
//! |---|---|---|---|
//! | none | | | was not started: start it |
//! | there | held | | runs: attach to it |
//! | there | free | there | is done |
//! | there | free | none | is lost: nobody knows whether it did its work |
//!
//! The exit file is the claim by another name, with the exit status in it: as good as the name is the status in the claim.
//!
//! What an attempt needs is made ready while its intent is being written; the claim appears, and the process starts, when
//! the owner says that the intent is on disk. Each process is started and awaited by a *worker*, a thread.
//!
//! What is held may *follow* another attempt: its intent is on disk with that of the other, and it starts as soon as the exit
//! file of the other says 0. So the launcher need not wait for the owner between the actions of a chain.
//!
//! While many short processes run, the folder of one that has left nothing is *used again* for a later one, once the owner says
//! that the end is on disk: a new folder would take longer than such a process.
//!
//! When the owner dies the launcher starts nothing more by itself, waits for what it has started, records how it ended, and
//! goes.

pub mod attempt;
pub mod claim;
mod client;
pub mod folder_pool;
mod group;
mod inotify;
mod limits;
mod orphans;
mod out_of_resources;
mod prepared;
mod protocol;
mod queue;
mod reports;
mod reused_folder;
mod server;
mod shared_state;
mod spawn;
mod worker;

pub use self::{
    attempt::{Attempt, AttemptState, ClaimRecord, ExitRecord},
    client::{Launcher, await_requests},
    group::ProcessGroup,
    limits::TimeLimit,
    protocol::{LauncherRequest, Report, ReportEvent, StartRequest},
};
use hpdlc_host::panic_hook;

/// The first argument of a process that is a launcher. [`crate::init`] looks for it.
const ARGUMENT: &str = "hpdl-launcher";

/// Turns this process into a launcher if it was started as one; returns otherwise.
pub fn serve_if_asked() {
    if std::env::args_os()
        .nth(1)
        .is_some_and(|argument| argument == ARGUMENT)
    {
        panic_hook::install("a launcher".to_owned(), || false);
        server::serve();
    }
}
