//! Coordinators as jobs: submitted from the table, driven by the pure machine, with workflows that run in the same process.
//!
//! [`submission`] (properties and texts become a revision) -> [`driver`] (events become rows and effects) -> workflows, which the
//! engine drives. [`request`] is what other terminals ask.

mod clock;
mod data;
mod driver;
mod includes;
mod new;
pub mod request;
pub mod submission;
pub mod texts;
mod watch;

pub use self::{
    clock::Clock,
    driver::{common_status, drive, of_row},
    new::NewCoordinator,
    submission::workflow_of,
};
