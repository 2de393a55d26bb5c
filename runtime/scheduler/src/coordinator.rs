//! Coordinators as jobs: submitted from the table, driven by the pure machine, with workflows that run in the same process.
//!
//! [`submission`] (properties and texts become a revision) -> [`driver`] (events become rows and effects) -> workflows, which the
//! engine drives. [`hpdlc_engine::control::coordinator_request`] is what other terminals ask.

mod data;
mod driver;
mod includes;
mod known;
mod limits;
mod new;
pub mod plan;
mod stored;
pub mod submission;
mod watch;

pub use self::{
    driver::Driver,
    known::{Known, check},
    new::NewCoordinator,
    stored::{Stored, of_row},
    submission::unknown_workflow,
};
