//! Function pointers to the scheduler of coordinators and bundles: it is linked only into the executables whose `main` names it, since it
//! would be a tenth of the size of every workflow.
//!
//! The code that shows such jobs, and passes commands on to them, is in every program, since they share the store.

use std::{collections::BTreeMap, future::Future, pin::Pin, sync::OnceLock};

use hpdlc_host::exit::RunError;
use hpdlc_program::table::Program;
use hpdlc_store::JobRow;

use crate::{
    engine::{JobCompletion, Signals},
    job_command::JobOrder,
    new_job::{JobToDrive, NewJobOptions},
    progress::Progress,
    session::{Ownership, Session},
};

/// Creates a job from properties.
type Create =
    fn(&Session, BTreeMap<String, String>, NewJobOptions<'_>) -> Result<JobToDrive, RunError>;

/// The future that drives a job, inside a [`tokio::task::LocalSet`].
pub type Driving = Pin<Box<dyn Future<Output = Result<JobCompletion, RunError>>>>;

/// The hooks of the scheduler that the engine calls.
#[derive(Debug)]
pub struct Scheduling {
    /// Creates a job of the program's own application from properties.
    pub create: Create,
    pub drive: fn(Session, Ownership, Box<dyn Progress>, Signals) -> Driving,
    /// The refusal of a command by a coordinator or a bundle, as an error.
    pub check: fn(&Session, &JobRow, JobOrder<'_>) -> Result<(), RunError>,
}

static LINKED: OnceLock<&Scheduling> = OnceLock::new();

/// Links the scheduler into this executable; the first call counts.
pub fn link(scheduling: &'static Scheduling) {
    let _ = LINKED.set(scheduling);
}

/// The scheduler of a program, unless its jobs are workflows.
pub fn of(program: &Program) -> Option<&'static Scheduling> {
    let is_scheduled = program.is_scheduled();
    LINKED.get().copied().filter(|_| is_scheduled)
}

/// Whether the jobs of a program can be driven: unless they are workflows, `main` must have linked the scheduler.
pub fn is_linked(program: &Program) -> bool {
    !program.is_scheduled() || LINKED.get().is_some()
}
