//! The workflow of `bundle.xml`, compiled by hpdlc.

use std::process::ExitCode;

#[allow(clippy::all, dead_code)]
mod workflow;

fn main() -> ExitCode {
    let runtime = hpdlc_runtime::init_with(hpdlc_runtime::Parts::NONE.with_scheduler());
    workflow::command_line(&runtime)
}
