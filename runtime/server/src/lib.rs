//! The program `hpdl`: every job of a state folder, whichever executable it belongs to.
//!
//! It has no workflow of its own, and compiles nothing. Commands for jobs are those of executables ([`hpdlc_runtime::fleet`]); what needs the
//! job's own definition is done by the copy of its executable in the state folder.

mod api;
mod application;
mod apps;
mod audit;
pub mod client;
mod commands;
mod emit;
mod encrypt_store;
#[cfg(any(test, feature = "testing"))]
pub mod in_process;
mod migrate_store;
mod remote;
mod serve;
mod submit;
mod token;
mod top;
mod update;

use std::process::ExitCode;

use hpdlc_program::table::Program;

/// The program without a document that the commands of executables are given.
static PROGRAM: Program = Program {
    hpdlc_version: env!("CARGO_PKG_VERSION"),
    ..Program::EMPTY
};

/// Runs the command line; the first statement of `main`.
pub fn main() -> ExitCode {
    // Processes that send notifications are this executable.
    let _runtime = hpdlc_runtime::init();
    commands::main()
}
