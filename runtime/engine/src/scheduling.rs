//! What makes and drives coordinators and bundles, by pointers: it is linked only into the executables whose `main` names it, and
//! would be a tenth of that of every workflow.
//!
//! What shows such jobs, and passes orders on to them, is in every program: others leave them in the same store.

use std::{collections::BTreeMap, future::Future, pin::Pin, sync::OnceLock};

use hpdlc_host::exit::RunError;
use hpdlc_program::table::Program;
use hpdlc_store::JobRow;

use crate::{
    engine::{JobCompletion, Signals},
    job_command::Order,
    new_job::{Made, NewJobOptions},
    progress::Progress,
    session::{Ownership, Session},
};

/// From the properties.
type Create = fn(&Session, BTreeMap<String, String>, NewJobOptions<'_>) -> Result<Made, RunError>;

/// What drives a job, inside a [`tokio::task::LocalSet`].
pub type Driving = Pin<Box<dyn Future<Output = Result<JobCompletion, RunError>>>>;

/// The hooks of the scheduler that the engine calls.
#[derive(Debug)]
pub struct Scheduling {
    /// Makes a job of the program's own application from properties.
    pub create: Create,
    pub drive: fn(Session, Ownership, Box<dyn Progress>, Signals) -> Driving,
    /// Why a coordinator or a bundle would refuse an order.
    pub check: fn(&Session, &JobRow, Order<'_>) -> Result<(), RunError>,
}

static LINKED: OnceLock<&Scheduling> = OnceLock::new();

/// Makes it that of this executable; the first counts.
pub fn link(scheduling: &'static Scheduling) {
    let _ = LINKED.set(scheduling);
}

/// What makes and drives the jobs of a program, unless they are workflows.
pub fn of(program: &Program) -> Option<&'static Scheduling> {
    let is_scheduled = program.is_scheduled();
    LINKED.get().copied().filter(|_| is_scheduled)
}

/// Whether the jobs of a program can be driven: where they are no workflows, `main` must have linked the scheduler.
pub fn is_linked(program: &Program) -> bool {
    !program.is_scheduled() || LINKED.get().is_some()
}
