//! Code shared by the hpdlc compiler and the programs that it generates: pure, without files, clock, environment or processes.

#[macro_use]
mod element_texts;

pub mod action;
pub mod app_uri;
pub mod bundle;
pub mod coded_message;
pub mod configuration;
pub mod coordinator;
pub mod cron;
pub mod definition;
pub mod el;
pub mod empty_parts;
pub mod extension;
pub mod file_systems;
pub mod frequency;
pub mod hcat_uri;
pub mod java;
pub mod java_options;
pub mod limits;
pub mod mark;
pub mod permissions;
pub mod properties;
pub mod sbom;
pub mod secrets;
pub mod sla;
pub mod slips;
pub mod spark_options;
pub mod status;
pub mod step;
pub mod substitute;
pub mod time;
pub mod tools;
pub mod visible;
