//! Drives one job: owner, engine, control, registry, notifications, service levels.

pub mod control;
pub mod detached_owner;
pub mod doctor;
pub mod engine;
pub mod foreign_child;
pub mod host_keeper;
pub mod job;
mod job_command;
mod new_job;
mod notice;
pub mod notify;
pub mod owner;
pub mod progress;
pub mod registry;
pub mod scheduling;
mod session;
pub mod sla;
