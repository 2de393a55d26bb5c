//! Forwards a command about a job to its own executable, by `exec`.

use std::{os::unix::process::CommandExt, process::Command};

use hpdlc_engine::{owner::Session, registry};
use hpdlc_host::exit::RunError;
use hpdlc_store::JobRow;

/// Executes the executable that `job` belongs to, with these arguments and the job's id. Returns only if that fails.
pub(super) fn ask(session: &Session, job: &JobRow, arguments: &[&str]) -> RunError {
    let program = match registry::program_of(session, job) {
        Ok(program) => program,
        Err(error) => return error,
    };
    let error = Command::new(&program)
        .arg0(&job.app)
        .args(arguments)
        .arg(&job.id)
        .exec();
    RunError::machine(format!("{}: {error}", program.display()))
}
