//! The interface of coordinators and bundles to the engine and to commands.

mod create;

use hpdlc_engine::{
    control::{JobOrder, bundle_request::BundleRequest, coordinator_request::CoordinatorRequest},
    engine::Signals,
    owner::{Ownership, Session},
    progress::{Progress, Shared},
    scheduling::{Driving, Scheduling},
};
use hpdlc_host::{exit::RunError, job_id::JobKind};
use hpdlc_store::JobRow;

use crate::{bundle, coordinator, event_loop::run};

/// The only scheduler.
pub static SCHEDULING: Scheduling = Scheduling {
    create: create::create,
    drive,
    check,
};

fn check(session: &Session, job: &JobRow, order: JobOrder<'_>) -> Result<(), RunError> {
    match order {
        JobOrder::Coordinator(request) => coordinator::check(session, job, request),
        JobOrder::Bundle(request) => bundle::check(session, job, request),
        JobOrder::Workflow(_) => Ok(()),
    }
}

/// Describes what a rerun of a coordinator or a bundle would do.
pub fn plan(session: &Session, job: &JobRow, order: JobOrder<'_>) -> Result<String, RunError> {
    match order {
        JobOrder::Coordinator(CoordinatorRequest::Rerun(request)) => {
            coordinator::plan::describe(session, job, request)
        }
        JobOrder::Bundle(request @ BundleRequest::Rerun(_)) => {
            bundle::describe(session, job, request)
        }
        JobOrder::Coordinator(_) | JobOrder::Bundle(_) | JobOrder::Workflow(_) => Ok(String::new()),
    }
}

fn drive(
    session: Session,
    ownership: Ownership,
    progress: Box<dyn Progress>,
    signals: Signals,
) -> Driving {
    let progress = Shared::new(progress);
    match JobKind::of(ownership.root()) {
        JobKind::Bundle => Box::pin(run::<bundle::BundleDriver>(
            session, ownership, progress, signals,
        )),
        JobKind::Coordinator | JobKind::Workflow => Box::pin(
            run::<coordinator::CoordinatorDriver>(session, ownership, progress, signals),
        ),
    }
}
