//! Has executables do what needs a definition: the copy of a job's own, or a registered application's.

use std::{
    ffi::{OsStr, OsString},
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

use hpdlc_engine::{owner::Session, registry};
use hpdlc_host::{
    exit::{Exit, RunError},
    job_id::JobKind,
    settings,
};
use hpdlc_store::{JobRow, definitions, query::DefinitionRow};
use tempfile::NamedTempFile;

use crate::{api::configuration, serve::failure::Failure};

/// What a command of the executable that a job belongs to prints.
pub(crate) fn of_job(
    session: &Session,
    job: &JobRow,
    arguments: &[OsString],
) -> Result<Vec<u8>, Failure> {
    let program = registry::program_of(session, job)?;
    run(session, &program, &job.app, arguments)
}

/// As [`of_job`], of a registered executable.
pub(crate) fn of_definition(
    session: &Session,
    definition: &DefinitionRow,
    arguments: &[OsString],
) -> Result<Vec<u8>, Failure> {
    let program = registry::program_of_definition(session, definition)?;
    run(session, &program, &definition.app, arguments)
}

/// As [`of_job`], of `hpdl` itself, which is at `program`.
pub(crate) fn own(
    session: &Session,
    program: &Path,
    arguments: &[OsString],
) -> Result<Vec<u8>, Failure> {
    run(session, program, "hpdl", arguments)
}

/// As [`of_job`], whether it succeeds or not, if it prints anything: a dry run that finds mistakes has values, too.
pub(crate) fn printed_of_job(
    session: &Session,
    job: &JobRow,
    arguments: &[OsString],
) -> Result<Vec<u8>, Failure> {
    let program = registry::program_of(session, job)?;
    let done = output(session, &program, &job.app, arguments)?;
    match done.stdout.is_empty() {
        true => finished(done, &job.app),
        false => Ok(done.stdout),
    }
}

/// What a command of a registered executable has printed, and what it says is wrong.
pub(crate) struct Tried {
    pub(crate) printed: String,
    /// Its errors, without `error: `.
    pub(crate) errors: Vec<String>,
    pub(crate) is_good: bool,
}

/// As [`of_definition`], whether it succeeds or not.
pub(crate) fn tried_of_definition(
    session: &Session,
    definition: &DefinitionRow,
    arguments: &[OsString],
) -> Result<Tried, Failure> {
    let program = registry::program_of_definition(session, definition)?;
    let done = output(session, &program, &definition.app, arguments)?;
    let errors = String::from_utf8_lossy(&done.stderr);
    Ok(Tried {
        printed: String::from_utf8_lossy(&done.stdout).into_owned(),
        errors: errors_in(&errors).map(str::to_owned).collect(),
        is_good: done.status.success(),
    })
}

fn errors_in(messages: &str) -> impl Iterator<Item = &str> {
    messages
        .lines()
        .filter_map(|line| line.strip_prefix("error: "))
}

fn run(
    session: &Session,
    program: &Path,
    name: &str,
    arguments: &[OsString],
) -> Result<Vec<u8>, Failure> {
    finished(output(session, program, name, arguments)?, name)
}

fn output(
    session: &Session,
    program: &Path,
    name: &str,
    arguments: &[OsString],
) -> Result<Output, Failure> {
    let mut command = Command::new(program);
    // It has another current folder.
    if let Some(site) = settings::site_path(&session.home)
        && let Ok(site) = std::path::absolute(site)
    {
        command.env("HPDL_SITE", site);
    }
    command
        .args(arguments)
        .env("HPDL_HOME", session.home.root())
        .current_dir(session.home.root())
        .stdin(Stdio::null())
        .output()
        .map_err(|error| {
            RunError::machine(format!("{name}: {}: {error}", program.display())).into()
        })
}

/// Its errors are those that it prints: `error: ... (E0805)`.
fn finished(done: Output, name: &str) -> Result<Vec<u8>, Failure> {
    if done.status.success() {
        return Ok(done.stdout);
    }
    let messages = String::from_utf8_lossy(&done.stderr);
    let errors: Vec<&str> = errors_in(&messages).collect();
    let message = match errors.is_empty() {
        true => format!("{name} ended with {}", done.status),
        false => errors.join("; "),
    };
    let is_refused = done.status.code() == Some(Exit::Usage as i32);
    Err(match is_refused {
        true => RunError::usage(message).into(),
        false => RunError::machine(message).into(),
    })
}

/// Properties in a private file, for the option `-c`: a list of processes does not show them.
pub(crate) fn properties_file(
    properties: &std::collections::BTreeMap<String, String>,
) -> Result<NamedTempFile, Failure> {
    let failed = |error: std::io::Error| Failure::server(format!("a temporary file: {error}"));
    let mut file = tempfile::Builder::new()
        .prefix("hpdl-")
        .suffix(".xml")
        .tempfile()
        .map_err(failed)?;
    file.write_all(configuration::text(properties).as_bytes())
        .map_err(failed)?;
    Ok(file)
}

/// The words of a command.
pub(crate) fn words<'a>(
    words: impl IntoIterator<Item = &'a (impl AsRef<OsStr> + ?Sized + 'a)>,
) -> Vec<OsString> {
    words
        .into_iter()
        .map(|word| word.as_ref().to_owned())
        .collect()
}

/// The newest executable of the name of a job's application.
pub(crate) fn newest(session: &Session, job: &JobRow) -> Result<DefinitionRow, Failure> {
    let connection = session.store()?;
    let found = definitions::registered_by_name(&connection, &job.app);
    found
        .map_err(|error| Failure::from(session.describe(error)))?
        .ok_or_else(|| {
            let kind = JobKind::of(&job.id).word();
            Failure::runtime(&format!(
                "no executable of the {kind} {} is registered",
                job.app
            ))
        })
}
