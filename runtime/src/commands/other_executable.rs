//! Forwards a command about a job to its own executable, by `exec`.

use std::{env, os::unix::process::CommandExt, process::Command};

use hpdlc_engine::{owner::Session, registry};
use hpdlc_host::{exit::RunError, job_id::JobKind};
use hpdlc_store::{JobRow, query};

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

/// Executes this very command by the executable that `job` belongs to. One of another version of hpdlc may lack the options: then this
/// returns, unless that executable is needed.
///
/// # Errors
///
/// Exit 2 or 5 if the executable is needed and cannot be executed.
pub(super) fn repeat(session: &Session, job: &JobRow, is_needed: bool) -> Result<(), RunError> {
    let connection = session.store()?;
    let definition =
        query::definition(&connection, &job.hash).map_err(|error| session.describe(error))?;
    let is_alike = definition
        .is_some_and(|definition| definition.hpdlc_version == session.program.hpdlc_version);
    let program = registry::program_of(session, job);
    match program {
        Ok(program) if is_alike => {
            let error = Command::new(&program)
                .arg0(&job.app)
                .args(env::args_os().skip(1))
                .exec();
            Err(RunError::machine(format!("{}: {error}", program.display())))
        }
        Err(error) if is_needed => Err(error),
        Ok(program) if is_needed => Err(RunError::usage(format!(
            "{} {} was created by another version of hpdlc, whose executable must be used",
            JobKind::of(&job.id).word(),
            job.id
        ))
        .with_help(format!("type the command with {}", program.display()))),
        Ok(_) | Err(_) => Ok(()),
    }
}
