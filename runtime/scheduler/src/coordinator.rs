//! Coordinators as jobs: submitted from the table, driven by the pure state machine, with workflows that run in the same process.
//!
//! [`submission`] (properties and texts become a revision) -> [`driver`] (events become rows and effects) -> workflows, which the engine
//! drives. [`hpdlc_engine::control::coordinator_request`] has the commands from other terminals.

mod command_check;
mod configuration;
mod data;
mod driver;
mod includes;
mod limits;
mod new;
pub mod plan;
mod service_levels;
mod stored;
pub mod submission;
mod watch;

pub use self::{
    command_check::{KnownCoordinator, check},
    driver::CoordinatorDriver,
    new::NewCoordinator,
    stored::{StoredCoordinator, of_row},
    submission::unknown_workflow,
};
