//! The hpdlc compiler.

pub mod analysis;
pub mod build;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg_attr(
    not(feature = "cli"),
    expect(dead_code, reason = "only the command line makes crates")
)]
mod codegen;
pub mod diagnostics;
pub mod driver;
pub mod lints;
mod lookup;
pub mod lower;
mod migrate;
mod model;
mod parallel;
pub mod rules;
pub mod rust;
pub mod source;
pub mod syntax;

pub use self::{build::embed, migrate::migrated};
