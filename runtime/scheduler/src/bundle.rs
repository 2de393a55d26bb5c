//! Bundles as jobs: coordinators that are started and stopped together, driven in one process.
//!
//! [`new`] (properties become a bundle with the properties of each coordinator) -> [`driver`] (the state machine's events become rows:
//! those of new coordinators, and commands to existing ones).

mod driver;
mod new;
mod passed_commands;
mod stored;

pub use self::{
    driver::BundleDriver,
    new::{NewBundle, SubmittedBundle, SubmittedCoordinator},
    stored::{ROWS, check, describe},
};
