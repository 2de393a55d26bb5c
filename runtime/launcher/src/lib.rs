//! The launcher: a process in its own session that starts local processes for the owner of a job and outlives it.
//!
//! The owner keeps one launcher, connected by a socket pair. A start request names its attempt. The launcher *claims* the attempt with a
//! file that only one process can create, holds a lock on that file while the process lives, and records the exit status atomically. So the
//! state is clear later, whatever was killed in between:
//!
//! | claim | lock | exit file | the attempt |
//! |---|---|---|---|
//! | none | | | was not started: start it |
//! | exists | held | | runs: attach to it |
//! | exists | free | exists | is done |
//! | exists | free | none | is lost: whether it did its work is unknown |
//!
//! The exit file is a hard link to the claim, with the exit status in it: the status in the claim counts even without the link.
//!
//! An attempt is prepared while its intent is being written; the claim appears, and the process starts, when the owner says that the intent
//! is on disk. Each process is started and awaited by a *worker*, a thread.
//!
//! A held attempt may *follow* another one: their intents are on disk together, and it starts as soon as the exit file of the other has
//! code 0. So the launcher need not wait for the owner between the actions of a chain.
//!
//! While many short processes run, the folder of one that has left nothing is *reused* for a later one, once the owner says that the end is
//! on disk: creating a folder would take longer than such a process.
//!
//! When the owner dies the launcher starts nothing more by itself, waits for the processes it has started, records their ends, and exits.

pub mod attempt;
pub mod claim;
mod client;
pub mod fence;
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
    protocol::{LauncherReport, LauncherRequest, ReportEvent, StartRequest},
};
use hpdlc_host::panic_hook;

/// The first argument of a launcher process. [`crate::init`] looks for it.
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
