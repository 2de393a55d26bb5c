//! What commands do with coordinators and bundles, by pointers: linked where the scheduler is.

use std::{collections::BTreeMap, sync::OnceLock};

use hpdlc_engine::{control::Order, owner::Session};
use hpdlc_host::exit::{Exit, RunError};
use hpdlc_program::table::{self, Program};
use hpdlc_scheduler::{
    coordinator::submission::{self, Revision, Surroundings},
    scheduler,
};
use hpdlc_store::JobRow;

use crate::commands::{
    dryrun::{self, Given, Seen},
    simulate::Simulate,
};

type Evaluate = fn(
    &'static table::Coordinator,
    BTreeMap<String, String>,
    Surroundings<'_>,
) -> Result<Revision, RunError>;

/// What the commands of programs of coordinators and bundles call.
#[derive(Debug)]
pub struct Scheduled {
    /// What a coordinator is by its table and properties.
    pub revision: Evaluate,
    pub dryrun: fn(&Given<'_>, Surroundings<'_>) -> Result<Seen, RunError>,
    /// What a rerun of a coordinator or a bundle would do.
    pub plan: fn(&Session, &JobRow, Order<'_>) -> Result<String, RunError>,
    pub simulate: fn(&Simulate, &'static Program) -> Result<Exit, RunError>,
}

/// The one that there is.
pub static SCHEDULED: Scheduled = Scheduled {
    revision: submission::complete,
    dryrun: dryrun::scheduled::see,
    plan: scheduler::plan,
    simulate: Simulate::run,
};

static LINKED: OnceLock<&Scheduled> = OnceLock::new();

/// Makes it that of this executable; the first counts.
pub fn link(scheduled: &'static Scheduled) {
    let _ = LINKED.set(scheduled);
}

/// What the commands of a program call, unless its jobs are workflows.
pub fn of(program: &Program) -> Option<&'static Scheduled> {
    let is_scheduled = program.is_scheduled();
    LINKED.get().copied().filter(|_| is_scheduled)
}
