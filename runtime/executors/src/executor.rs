//! The interface of every action type after its templates are evaluated.
//!
//! A type whose work a [`worker_process`] does implements little more than that: everything else has a default.

use std::{io, sync::atomic::AtomicBool};

use hpdlc_launcher::{Attempt, ExitRecord, StartRequest, TimeLimit};

use crate::{
    AttemptPlace, Completion, ProcessOutcome, StartError, Work, attempt_folder,
    worker_process::{self, WorkContext, WorkError, WorkResult},
};

/// Where the work of an attempt runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunsIn {
    /// On a thread of the engine's own process, and ends with it.
    Engine,
    /// In a program that the launcher starts and supervises.
    Program,
    /// In a process of this executable that the launcher starts and supervises: a [`worker_process`].
    Worker,
    /// In a child job of its own.
    Child,
}

impl RunsIn {
    /// Whether the launcher starts a local process for it.
    pub fn is_process(self) -> bool {
        match self {
            RunsIn::Program | RunsIn::Worker => true,
            RunsIn::Engine | RunsIn::Child => false,
        }
    }
}

/// An evaluated action: starts, judges and ends its attempts.
pub trait Executor {
    fn runs_in(&self) -> RunsIn;

    /// Whether starting it may take long: it works on any number of files, or searches for them.
    fn is_slow_to_start(&self) -> bool {
        false
    }

    /// Whether the work runs elsewhere: the end of the local process does not end it, and another process does not begin it anew.
    fn goes_on_elsewhere(&self) -> bool {
        false
    }

    /// Whether work may exist elsewhere that the end of the local process does not end.
    fn may_go_on_elsewhere(&self) -> bool {
        self.goes_on_elsewhere()
    }

    /// Its external id if it ends without another one; `None` means the id of its process.
    fn external_id(&self) -> Option<&'static str> {
        None
    }

    /// Does the work in this process, where that is [`RunsIn::Engine`]. Blocks.
    ///
    /// # Errors
    ///
    /// A host error: the same attempt can be run again once that is fixed.
    fn run(&self, _: &Attempt, _: &AtomicBool) -> Option<Result<Completion, String>> {
        None
    }

    /// What a launcher can prepare before the intent to start is on disk.
    fn hold(&self, _: &AttemptPlace<'_>) -> Option<StartRequest> {
        None
    }

    /// Sets up the folder and returns what the launcher is to start. `work` is this action.
    ///
    /// # Errors
    ///
    /// The action cannot be started, or a host error.
    fn start(&self, place: &AttemptPlace<'_>, work: &Work) -> Result<StartRequest, StartError> {
        attempt_folder::make_empty_folder(place.attempt.folder())?;
        worker_process::request(place, work, self.worker_limit())
    }

    /// The time limit that the launcher enforces on the worker process. An action whose work runs elsewhere enforces its limit
    /// itself, since that work has to be ended too.
    fn worker_limit(&self) -> Option<TimeLimit> {
        None
    }

    /// Does the work of the worker process, if every program can: what only some can do is a [`worker_process::WorkCarrier`]. Blocks.
    fn carry(&self, _: &WorkContext<'_>) -> Option<Result<WorkResult, WorkError>> {
        None
    }

    /// What the action itself says of an attempt whose end is not known, as the setting [`LOST`](hpdlc_host::settings::LOST) would.
    fn when_lost(&self) -> Option<&str> {
        None
    }

    /// Removes temporary data that the work created elsewhere, after its end is recorded.
    fn tidy_up(&self, _: &WorkContext<'_>) {}

    /// Judges a local process that has exited.
    ///
    /// # Errors
    ///
    /// Its output files cannot be read.
    fn finish(
        &self,
        _job: &str,
        attempt: &Attempt,
        record: &ExitRecord,
    ) -> io::Result<ProcessOutcome> {
        worker_process::ending(attempt, record)
    }

    /// Ends work that runs elsewhere, unless it is a job of another executable. Blocks.
    ///
    /// # Errors
    ///
    /// Why it may still run, as a message for the user.
    fn kill_elsewhere(&self, _job: &str, _: &Attempt) -> Result<(), String> {
        Ok(())
    }

    /// Ends work of earlier attempts whose outcome is unknown. Blocks.
    ///
    /// # Errors
    ///
    /// Why some of it may still run, as a message for the user.
    fn end_lost(&self, _job: &str, _: &Attempt) -> Result<(), String> {
        Ok(())
    }

    /// This executor as a trait object.
    fn as_executor(&self) -> &dyn Executor
    where
        Self: Sized,
    {
        self
    }
}
