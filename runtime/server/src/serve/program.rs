//! Has executables do what needs a definition: the copy of a job's own, or a registered application's. One that hangs is ended: a question,
//! which changes nothing, after the seconds of a setting, a command after [`MOST_OF_COMMAND`].

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    process::Command,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use hpdlc_engine::{owner::Session, registry};
use hpdlc_host::{
    exit::{Exit, RunError},
    job_id::JobKind,
    settings,
};
use hpdlc_store::{JobRow, definitions, query::DefinitionRow};

use crate::serve::{
    failure::Failure,
    process::{self, Bounds, Ended, Stopped},
};

/// The setting with the seconds that a question may take.
const TIMEOUT: (&str, u64) = ("hpdl.server.program.timeout", 10);
/// A command may wait for the owner of its job.
const MOST_OF_COMMAND: Duration = Duration::from_secs(600);
/// What is kept of each output.
const MOST_OUTPUT: u64 = 64 << 20;
/// So long a program that has not answered a question is not asked again: a page asks several.
const REST: Duration = Duration::from_secs(30);
/// The commands that change nothing.
const QUESTIONS: [&str; 5] = ["graph", "definition", "dryrun", "params", "simulate"];

/// Programs that have not answered in time, and until when they are not asked again.
static LATE: Mutex<BTreeMap<PathBuf, Instant>> = Mutex::new(BTreeMap::new());

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

/// As [`of_definition`], with its warnings, without `warning: `.
pub(crate) fn told_by_definition(
    session: &Session,
    definition: &DefinitionRow,
    arguments: &[OsString],
) -> Result<(Vec<u8>, Vec<String>), Failure> {
    let program = registry::program_of_definition(session, definition)?;
    let done = output(session, &program, &definition.app, arguments)?;
    let messages = String::from_utf8_lossy(&done.stderr);
    let warnings = messages
        .lines()
        .filter_map(|line| line.strip_prefix("warning: ").map(str::to_owned))
        .collect();
    Ok((finished(done, &definition.app)?, warnings))
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
) -> Result<Ended, Failure> {
    let word = arguments.first().and_then(|word| word.to_str());
    let word = word.unwrap_or_default();
    let is_question =
        QUESTIONS.contains(&word) || arguments.iter().any(|argument| argument == "--dry-run");
    let limit = match is_question {
        true => limit(session),
        false => MOST_OF_COMMAND,
    };
    let late = || {
        RunError::machine(format!(
            "{name} did not answer `{word}` within {} s, and was ended",
            limit.as_secs()
        ))
    };
    // `hpdl` itself asks programs of many jobs.
    let rests = is_question && program.starts_with(session.home.bin());
    if rests && is_resting(program) {
        return Err(late().into());
    }
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
        .current_dir(session.home.root());
    let bounds = Bounds {
        memory: None,
        file: None,
        output: MOST_OUTPUT,
        deadline: Instant::now() + limit,
        leaves_nothing: is_question,
    };
    process::run_within(&mut command, bounds).map_err(|stopped| match stopped {
        Stopped::Late => {
            if rests {
                let mut all = LATE.lock().unwrap_or_else(PoisonError::into_inner);
                all.insert(program.to_owned(), Instant::now() + REST);
            }
            late().into()
        }
        Stopped::NotStarted(error) => {
            RunError::machine(format!("{name}: {}: {error}", program.display())).into()
        }
    })
}

/// What is no number, or 0, is the default.
fn limit(session: &Session) -> Duration {
    let given = session.site.get(TIMEOUT.0);
    let given = given.and_then(|text| text.trim().parse().ok());
    Duration::from_secs(given.filter(|it| *it > 0).unwrap_or(TIMEOUT.1))
}

fn is_resting(program: &Path) -> bool {
    let mut all = LATE.lock().unwrap_or_else(PoisonError::into_inner);
    let now = Instant::now();
    all.retain(|_, until| *until > now);
    all.contains_key(program)
}

/// Its errors are those that it prints: `error: ... (E0805)`.
fn finished(done: Ended, name: &str) -> Result<Vec<u8>, Failure> {
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
