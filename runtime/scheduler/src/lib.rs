//! Coordinators and bundles as jobs.

pub mod bundle;
pub mod coordinator;
pub mod scheduler;
