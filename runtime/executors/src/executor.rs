//! What every action type answers once its templates are evaluated.
//!
//! A type whose work a [`worker_process`] does says little more than that: all else has a default.

use std::{io, sync::atomic::AtomicBool};

use hpdlc_launcher::{Attempt, ExitRecord, StartRequest, TimeLimit};

use crate::{
    AttemptPlace, Completion, ProcessOutcome, StartError, Work, attempt_folder,
    worker_process::{self, WorkContext, WorkError, WorkResult},
};

/// Where the work of an attempt is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunsIn {
    /// On a thread of the engine's own process, with which it dies.
    Engine,
    /// In a program that the launcher starts and keeps.
    Program,
    /// In a process of this executable that the launcher starts and keeps: a [`worker_process`].
    Worker,
    /// In a job of its own, in the tree of the job.
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

/// An evaluated action: what an attempt is started, judged and ended with.
pub trait Executor {
    fn runs_in(&self) -> RunsIn;

    /// Whether starting it may take long: it works on files of any number, or looks for them.
    fn is_slow_to_start(&self) -> bool {
        false
    }

    /// Whether something runs elsewhere, which neither the end of the local process ends nor another process begins anew.
    fn goes_on_elsewhere(&self) -> bool {
        false
    }

    /// Whether there may be something elsewhere that the end of the local process does not end.
    fn may_go_on_elsewhere(&self) -> bool {
        self.goes_on_elsewhere()
    }

    /// What its external id is where it has ended without another one; the number of its process where it is `None`.
    fn external_id(&self) -> Option<&'static str> {
        None
    }

    /// Does the work in this process, where that is [`RunsIn::Engine`]. Blocks.
    ///
    /// # Errors
    ///
    /// The machine failed us: the same attempt can be run again once that is mended.
    fn run(&self, _: &Attempt, _: &AtomicBool) -> Option<Result<Completion, String>> {
        None
    }

    /// What a launcher can make ready before the intent to start is on disk.
    fn hold(&self, _: &AttemptPlace<'_>) -> Option<StartRequest> {
        None
    }

    /// Sets up the folder and says what the launcher is to start. `work` is this action.
    ///
    /// # Errors
    ///
    /// The action cannot be started, or the machine failed us.
    fn start(&self, place: &AttemptPlace<'_>, work: &Work) -> Result<StartRequest, StartError> {
        attempt_folder::make_empty_folder(place.attempt.folder())?;
        worker_process::request(place, work, self.worker_limit())
    }

    /// How long the launcher lets the worker process run. One whose work goes on elsewhere sees to its limit itself: that has to be
    /// ended too.
    fn worker_limit(&self) -> Option<TimeLimit> {
        None
    }

    /// Does the work of the worker process, if every program can do it: what only some do is a [`worker_process::Carrier`]. Blocks.
    fn carry(&self, _: &WorkContext<'_>) -> Option<Result<WorkResult, WorkError>> {
        None
    }

    /// Removes what the work needed elsewhere, after its end is on record.
    fn tidy_up(&self, _: &WorkContext<'_>) {}

    /// Judges a local process that has ended.
    ///
    /// # Errors
    ///
    /// What it has left cannot be read.
    fn finish(
        &self,
        _job: &str,
        attempt: &Attempt,
        record: &ExitRecord,
    ) -> io::Result<ProcessOutcome> {
        worker_process::ending(attempt, record)
    }

    /// Ends what runs elsewhere, where that is no job of another executable. Blocks.
    ///
    /// # Errors
    ///
    /// Why it may go on, for a person.
    fn kill_elsewhere(&self, _job: &str, _: &Attempt) -> Result<(), String> {
        Ok(())
    }

    /// Ends what earlier attempts have started of which nobody knows how they ended. Blocks.
    ///
    /// # Errors
    ///
    /// Why some of it may go on, for a person.
    fn end_lost(&self, _job: &str, _: &Attempt) -> Result<(), String> {
        Ok(())
    }

    /// This, whatever holds it.
    fn as_executor(&self) -> &dyn Executor
    where
        Self: Sized,
    {
        self
    }
}
