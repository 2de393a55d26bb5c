//! What makes, drives and foresees coordinators and bundles, by pointers that their programs alone name: what no pointer names
//! is not linked, and this would be a tenth of the executable of every workflow.
//!
//! What shows such jobs, and passes orders on to them, is in every program: others leave them in the same store.

mod create;

use std::{collections::BTreeMap, future::Future, pin::Pin};

use crate::{
    bundle,
    commands::{dryrun, simulate::Simulate},
    control::{Order, bundle_request::BundleRequest, coordinator_request::CoordinatorRequest},
    coordinator::{
        self,
        submission::{self, Revision, Surroundings},
    },
    engine::{Ended, Signals},
    exit::{Exit, RunError},
    ids::Kind,
    owner::{Made, Ownership, Session, Wanted},
    progress::{Progress, Shared},
    store::JobRow,
    table::{self, Program},
};

/// From the properties.
type Create = fn(&Session, BTreeMap<String, String>, Wanted<'_>) -> Result<Made, RunError>;

type Evaluate = fn(
    &'static table::Coordinator,
    BTreeMap<String, String>,
    Surroundings<'_>,
) -> Result<Revision, RunError>;

/// What drives a job, inside a [`tokio::task::LocalSet`].
type Driving = Pin<Box<dyn Future<Output = Result<Ended, RunError>>>>;

/// What the programs of coordinators and bundles have and those of workflows have not.
#[derive(Debug)]
pub struct Scheduler {
    /// Makes a job of the program's own application from properties.
    pub(crate) create: Create,
    pub(crate) drive: fn(Session, Ownership, Box<dyn Progress>, Signals) -> Driving,
    /// What a coordinator is by its table and properties.
    pub(crate) revision: Evaluate,
    pub(crate) dryrun: fn(&dryrun::Given<'_>, Surroundings<'_>) -> Result<dryrun::Seen, RunError>,
    /// Why a coordinator or a bundle would refuse an order.
    pub(crate) check: fn(&Session, &JobRow, Order<'_>) -> Result<(), RunError>,
    /// What a rerun of a coordinator or a bundle would do.
    pub(crate) plan: fn(&Session, &JobRow, Order<'_>) -> Result<String, RunError>,
    pub(crate) simulate: fn(&Simulate, &'static Program) -> Result<Exit, RunError>,
}

/// The one that there is.
pub static SCHEDULER: Scheduler = Scheduler {
    create: create::create,
    drive,
    revision: submission::complete,
    dryrun: dryrun::scheduled::see,
    check,
    plan,
    simulate: Simulate::run,
};

fn check(session: &Session, job: &JobRow, order: Order<'_>) -> Result<(), RunError> {
    match order {
        Order::Coordinator(request) => coordinator::check(session, job, request),
        Order::Bundle(request) => bundle::check(session, job, request),
        Order::Workflow(_) => Ok(()),
    }
}

fn plan(session: &Session, job: &JobRow, order: Order<'_>) -> Result<String, RunError> {
    match order {
        Order::Coordinator(CoordinatorRequest::Rerun(request)) => {
            coordinator::plan::describe(session, job, request)
        }
        Order::Bundle(request @ BundleRequest::Rerun(_)) => bundle::describe(session, job, request),
        Order::Coordinator(_) | Order::Bundle(_) | Order::Workflow(_) => Ok(String::new()),
    }
}

fn drive(
    session: Session,
    ownership: Ownership,
    progress: Box<dyn Progress>,
    signals: Signals,
) -> Driving {
    let progress = Shared::new(progress);
    match Kind::of(ownership.root()) {
        Kind::Bundle => Box::pin(bundle::drive(session, ownership, progress, signals)),
        Kind::Coordinator | Kind::Workflow => {
            Box::pin(coordinator::drive(session, ownership, progress, signals))
        }
    }
}
