// Compiled by hpdlc from `hello/workflow.xml`.

use ::hpdlc_runtime::{Finished, RunError, Runtime};
use ::hpdlc_runtime::table::{Entry, Program};

/// The application of `hello/workflow.xml`.
mod golden_hello;
/// The files of the application.
mod files;

/// The compiled program: graph, expressions and files.
pub static PROGRAM: Program = Program {
    hpdlc_version: "0.1.0",
    hash: "0123456789abcdef",
    entry: Entry::Workflow,
    apps: &[&golden_hello::APP],
    coordinators: &[],
    children: &[],
    files: &files::FILES,
};

/// Runs a new job to its end.
///
/// # Errors
///
/// The job could not be run, or not be followed to its end. A job that was killed or has failed is a result.
pub fn run(runtime: &Runtime, params: Params) -> Result<Finished, RunError> {
    runtime.run(&PROGRAM, params.properties())
}

/// Recovers the jobs whose process has died, and drives them until none of them runs.
///
/// # Errors
///
/// The store or the machine fails.
pub fn recover(runtime: &Runtime) -> Result<Vec<Finished>, RunError> {
    runtime.recover(&PROGRAM)
}

/// Does what the arguments of this process ask for: `run`, `submit`, `info` and the others.
pub fn command_line(runtime: &Runtime) -> ::std::process::ExitCode {
    runtime.command_line(&PROGRAM)
}

/// The properties of a job of `hello/workflow.xml`.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    /// `name`, required; used in `hello/workflow.xml:6`.
    pub name: String,
}

impl Params {
    /// The properties that are set, by name.
    pub fn properties(&self) -> Vec<(&'static str, String)> {
        Vec::from([("name", self.name.clone())])
    }
}
