//! What the engine has others do: everything behind which there is a process, a thread, a timer or a clock.
//!
//! The engine decides, and [`RealEnvironment`](super::real_environment::RealEnvironment) performs. A simulator can be in its place: then the very
//! code that drives jobs is driven through whatever may happen to a machine.

use std::{io, path::Path, sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use hpdlc_core::definition::NodeId;
use hpdlc_executors::Work;
use hpdlc_host::home::Home;
use hpdlc_launcher::{Attempt, LauncherRequest};

use crate::{
    engine::{Incoming, Key, attempts::AttemptTask},
    session::Session,
};

/// What is done for jobs that other processes own.
#[derive(Clone, Copy, Debug)]
pub struct ForeignJobs {
    /// Has the owner of a job look at what it was told.
    pub rouse: fn(&Session, &str),
    /// Ends what an attempt has started elsewhere, be it a child. Blocks.
    pub end: fn(&Work, &Home, &str, &Attempt) -> Result<(), String>,
}

/// An attempt that is to be ended, politely at first.
pub(super) struct Stop {
    pub(super) job: String,
    pub(super) node: NodeId,
    pub(super) attempt: Attempt,
    /// How long its processes may take before they are ended by force.
    pub(super) grace: Duration,
    /// What goes on on other machines, which the end of our processes does not end.
    pub(super) elsewhere: Option<Arc<Work>>,
}

pub(super) trait Environment {
    /// The wall clock.
    fn now(&self) -> DateTime<Utc>;

    /// What tells one boot of the machine from another.
    fn boot_id(&self) -> &str;

    /// Hands `incoming` to the engine when what it does now is done.
    fn soon(&mut self, incoming: Incoming);

    /// Hands `incoming` to the engine after this time.
    fn later(&mut self, delay: Duration, incoming: Incoming);

    /// Does `work` on a thread that may block, and hands its result to the engine.
    fn on_thread(&mut self, work: Box<dyn FnOnce() -> Incoming + Send>);

    /// Starts an attempt or finds it, on a thread where that may take long, and hands what comes of it to the engine.
    fn run(&mut self, task: AttemptTask);

    /// Waits until no launcher holds an attempt, and says how it ended.
    fn await_end(&mut self, key: Key, work: Arc<Work>, attempt: Attempt);

    /// Ends a claimed attempt; hands over [`Incoming::Canceled`] when nothing of it runs.
    fn stop(&mut self, stop: Stop);

    fn has_launcher(&self) -> bool;

    /// Starts a launcher. What it has to complain about itself goes to the file `log`; `pending` is locked as long as
    /// requests may come or wait.
    ///
    /// # Errors
    ///
    /// The process cannot be started.
    fn start_launcher(&mut self, name: &str, log: &Path, pending: &Path) -> io::Result<()>;

    /// Lets go of a launcher that is gone.
    fn forget_launcher(&mut self);

    /// Adds a request to those that [`Environment::flush`] sends; without a launcher it is dropped.
    fn request(&mut self, request: &LauncherRequest);

    fn flush(&mut self);

    /// Sends the notifications that are on disk.
    fn send_notices(&mut self);

    /// Has the owner of another job look at what it was told, where there is none a new one.
    fn rouse(&mut self, job: &str);

    /// The engine has nothing more to ask for.
    fn finish(&mut self);
}
