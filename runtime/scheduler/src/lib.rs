//! Coordinators and bundles as jobs.

pub mod bundle;
pub mod clock;
pub mod coordinator;
mod event_loop;
pub mod scheduler;
