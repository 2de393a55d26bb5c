//! The engine's interface to the outside: everything that involves a process, a thread, a timer or a clock.
//!
//! The engine decides, and [`RealEnvironment`](super::real_environment::RealEnvironment) performs. A simulator can replace it
//! (deterministic simulation): then the code that drives jobs is tested against whatever may happen to a machine.

use std::{io, path::Path, sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use hpdlc_core::definition::NodeId;
use hpdlc_executors::Work;
use hpdlc_host::home::Home;
use hpdlc_launcher::{Attempt, LauncherRequest};

use crate::{
    engine::{AttemptKey, Incoming, attempts::AttemptTask},
    session::Session,
};

/// Functions on jobs that other processes own.
#[derive(Clone, Copy, Debug)]
pub struct ForeignJobs {
    /// Has the owner of a job look at its queued commands.
    pub rouse: fn(&Session, &str),
    /// Ends what an attempt has started elsewhere, including a child. Blocks.
    pub end: fn(&Work, &Home, &str, &Attempt) -> Result<(), String>,
}

/// An attempt that is to be ended, by SIGTERM first.
pub(super) struct AttemptStop {
    pub(super) job: String,
    pub(super) node: NodeId,
    pub(super) attempt: Attempt,
    /// How long its processes may take before they are ended by force.
    pub(super) grace: Duration,
    /// Work on other machines, which does not end with our processes.
    pub(super) elsewhere: Option<Arc<Work>>,
}

pub(super) trait Environment {
    /// The wall clock.
    fn now(&self) -> DateTime<Utc>;

    /// Identifies the boot of the machine, and the host if there may be several ([`hpdlc_store::hosts::mark_of`]).
    fn boot_id(&self) -> &str;

    /// Delivers `incoming` to the engine when its current step is done.
    fn soon(&mut self, incoming: Incoming);

    /// Delivers `incoming` to the engine after this time.
    fn later(&mut self, delay: Duration, incoming: Incoming);

    /// Does `work` on a thread that may block, and delivers its result to the engine.
    fn on_thread(&mut self, work: Box<dyn FnOnce() -> Incoming + Send>);

    /// Starts an attempt or finds it, on a thread if that may take long, and delivers the result to the engine.
    fn run(&mut self, task: AttemptTask);

    /// Waits until no launcher holds an attempt, and delivers its result.
    fn await_end(&mut self, key: AttemptKey, work: Arc<Work>, attempt: Attempt);

    /// Ends a claimed attempt; delivers [`Incoming::Canceled`] when nothing of it runs.
    fn stop(&mut self, stop: AttemptStop);

    fn has_launcher(&self) -> bool;

    /// Starts a launcher. Its own error output goes to the file `log`; `pending` is locked as long as requests may arrive or wait.
    ///
    /// # Errors
    ///
    /// The process cannot be started.
    fn start_launcher(&mut self, name: &str, log: &Path, pending: &Path) -> io::Result<()>;

    /// Releases a launcher that is gone.
    fn forget_launcher(&mut self);

    /// Queues a request, which [`Environment::flush`] sends; without a launcher it is dropped.
    fn request(&mut self, request: &LauncherRequest);

    fn flush(&mut self);

    /// Sends the notifications that are on disk.
    fn send_notices(&mut self);

    /// Has the owner of another job look at its queued commands, starting an owner if there is none.
    fn rouse(&mut self, job: &str);

    /// The engine has no further requests.
    fn finish(&mut self);
}
