//! The hpdlc compiler.

pub mod analysis;
pub mod build;
#[cfg(feature = "cli")]
pub mod cli;
pub mod codegen;
pub mod diagnostics;
pub mod driver;
pub mod lints;
mod lookup;
pub mod lower;
pub mod migrate;
pub mod model;
mod parallel;
pub mod rules;
pub mod source;
pub mod syntax;

pub use self::build::embed;
