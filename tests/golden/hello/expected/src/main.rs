//! The workflow of `hello/workflow.xml`, compiled by hpdlc.

use std::process::ExitCode;

#[allow(clippy::all, dead_code)]
mod workflow;

fn main() -> ExitCode {
    let runtime = hpdlc_runtime::init_with(hpdlc_runtime::Parts::NONE);
    workflow::command_line(&runtime)
}
