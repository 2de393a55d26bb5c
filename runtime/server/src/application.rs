//! Finds an application by its name, and the executable that runs its jobs.

use std::{ffi::OsString, os::unix::process::CommandExt, process::Command};

use hpdlc_engine::{owner::Session, registry};
use hpdlc_host::exit::RunError;
use hpdlc_store::applications::{self, ApplicationSummary};

/// The application of this name.
///
/// # Errors
///
/// Exit 2 if there is none.
pub(super) fn find(session: &Session, name: &str) -> Result<ApplicationSummary, RunError> {
    let connection = session.store()?;
    let found = applications::summaries(&connection, Some(name))
        .map_err(|error| session.describe(error))?;
    found.into_iter().next().ok_or_else(|| {
        RunError::usage(format!(
            "there is no application {name} in {}",
            session.home.root().display()
        ))
        .with_help(
            "`hpdl apps` lists them; an executable is added by its command `register`, or by `hpdl apps deploy FILE`",
        )
    })
}

/// Replaces this process by the application's executable with these arguments. Returns only if that fails.
pub(super) fn execute(
    session: &Session,
    application: &ApplicationSummary,
    arguments: &[OsString],
) -> RunError {
    let definition = &application.definition;
    let program = match registry::program_of_definition(session, definition) {
        Ok(program) => program,
        Err(error) => return error,
    };
    let error = Command::new(&program)
        .arg0(&definition.app)
        .args(arguments)
        .exec();
    RunError::machine(format!("{}: {error}", program.display()))
}
