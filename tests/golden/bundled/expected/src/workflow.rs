// Compiled by hpdlc from `bundle.xml`.

use ::hpdlc_runtime::{Finished, RunError, Runtime};
use ::hpdlc_runtime::table::{Child, Entry, Program};

/// The bundle of `bundle.xml`.
mod sales;
/// The coordinator of `ingest/coordinator.xml`.
mod hourly_ingest;
/// The coordinator of `rollup/coordinator.xml`.
mod daily;
/// The application of `ingest/workflow.xml`.
mod ingest;
/// The application of `rollup/workflow/workflow.xml`.
mod roll_up;
/// The files of the application.
mod files;

/// The compiled program: graph, expressions and files.
pub static PROGRAM: Program = Program {
    hpdlc_version: "0.1.0",
    hash: "0123456789abcdef",
    entry: Entry::Bundle(&sales::BUNDLE),
    apps: &[&ingest::APP, &roll_up::APP],
    coordinators: &[&hourly_ingest::COORDINATOR, &daily::COORDINATOR],
    children: &[Child { uri: "../ingest", app: 0 }, Child { uri: "workflow", app: 1 }],
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

/// The properties of a job of `bundle.xml`.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    /// `mode`, required; used in `golden/bundled/ingest/../ingest/workflow.xml:8`.
    pub mode: String,
    /// `root`, required; used in `golden/bundled/bundle.xml:10` and `golden/bundled/ingest/coordinator.xml:11`.
    pub root: String,
    /// `until`, required; used in `golden/bundled/rollup/coordinator.xml:1`.
    pub until: String,
    /// `withRollup`, by default `true`; used in `golden/bundled/bundle.xml:13`.
    pub with_rollup: Option<String>,
}

impl Params {
    /// The properties that are set, by name.
    pub fn properties(&self) -> Vec<(&'static str, String)> {
        let mut properties = Vec::from([
            ("mode", self.mode.clone()),
            ("root", self.root.clone()),
            ("until", self.until.clone()),
        ]);
        if let Some(with_rollup) = &self.with_rollup {
            properties.push(("withRollup", with_rollup.clone()));
        }
        properties
    }
}
