//! The command line of a generated executable: one file per command.

use std::{
    io::{self, IsTerminal, Write},
    path::Path,
    process::ExitCode,
};

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use hpdlc_engine::{
    control::{
        JobOrder, Verb, bundle_request::BundleRequest, coordinator_request::CoordinatorRequest,
    },
    owner::Session,
    progress::{
        EventLines, JsonLines, Progress, Terminal,
        style::{self, ColorChoice},
    },
    registry,
};
use hpdlc_host::{
    exit::{Exit, RunError},
    job_id::{self, JobKind},
    locale, panic_hook,
    shown::{self, say},
};
use hpdlc_program::table::Program;
use hpdlc_store::{JobRow, coordinators, sql::Connection};
use serde_json::Value;

use self::given_properties::GivenProperties;
pub use self::{
    actions::missing_data,
    doctor::report as doctor_report,
    find::find_job,
    given_properties::{GivenPlace, PropertySources},
    help::{ENVIRONMENT, grouped},
    info::{actions as reached_nodes, columns, format_local, to_json as info_json, why},
    purge::parse_age,
    scheduled::find_job_of,
    settings::to_json as settings_json,
    supervise::beside::Watcher,
    timeline::timeline_element,
};

mod action;
mod actions;
mod background;
mod backup;
mod change;
mod complete;
mod completions;
mod conclude;
mod definition;
mod doctor;
mod drive;
pub mod dryrun;
mod failure;
#[cfg(feature = "full")]
mod fetch;
mod find;
mod given_properties;
mod graph;
mod help;
mod ignore;
mod info;
mod jobs;
mod kill;
mod linked;
mod log;
mod man;
mod other_executable;
mod outlook;
mod params;
mod purge;
mod recover;
mod register;
pub mod rerun;
mod resume;
mod run;
pub mod sbom;
mod scheduled;
mod settings;
pub mod simulate;
mod start;
mod steps;
mod submit;
mod supervise;
mod suspend;
mod timeline;
pub mod update;
mod warnings;
mod watch;

#[derive(Debug, Parser)]
#[command(max_term_width = 100)]
struct Arguments {
    #[command(flatten)]
    color: ColorOption,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(flatten)]
    OfJob(JobCommand),
    /// Run a new job in the foreground
    Run(run::Run),
    /// Create a job in state PREP, and print its id
    Submit(submit::Submit),
    /// Give a coordinator this executable's definition, or other properties
    Update(update::Update),
    /// Register this executable, to be found by its URIs
    Register(register::Register),
    #[command(hide = true)]
    Own(drive::Drive),
    /// Simulate a coordinator on virtual time; nothing runs
    Simulate(simulate::Simulate),
    /// Show every value that every node would get; nothing runs
    Dryrun(dryrun::Dryrun),
    /// List the properties that the workflow reads
    Params(params::Params),
    /// Call an own action outside of any job, and print its data as properties
    Action(action::Action),
    /// Print a shell completion script
    Completions(completions::Completions),
    /// Print manual pages
    Man(man::Man),
    #[command(hide = true)]
    Complete(complete::Complete),
    #[cfg(feature = "full")]
    #[command(hide = true)]
    Fetch(fetch::Fetch),
}

/// The commands for jobs that exist, whichever executable they belong to.
#[derive(Debug, Subcommand)]
#[non_exhaustive]
pub enum JobCommand {
    /// Start a submitted job in the background
    Start(start::Start),
    /// Show a job: its state, and what each node did
    Info(info::Info),
    /// List the actions of a coordinator
    Actions(actions::Actions),
    /// List the newest jobs of this state folder
    Jobs(jobs::Jobs),
    /// Show the events of a job, or the output of an action
    Log(log::Log),
    /// Follow a running job live
    Watch(watch::Watch),
    /// Kill a job and its processes
    Kill(kill::Kill),
    /// Suspend a job: running actions continue, nothing new starts
    Suspend(suspend::Suspend),
    /// Resume a suspended job in the background
    Resume(resume::Resume),
    /// Run an ended job again, or actions of a coordinator
    Rerun(rerun::Rerun),
    /// Change the end, pause time, concurrency or state of a coordinator
    Change(change::Change),
    /// Mark failed actions as ignored, or the whole coordinator
    Ignore(ignore::Ignore),
    /// Take over jobs whose process has died
    Recover(recover::Recover),
    /// List every setting with its value and origin
    Settings(settings::SettingsReport),
    /// Print the document of this executable, or of a job
    Definition(definition::Definition),
    /// Draw the workflow, or a job with the state of each node
    Graph(graph::Graph),
    /// Draw when each node of a job ran
    Timeline(timeline::Timeline),
    /// Check the state folder for problems
    Doctor(doctor::Doctor),
    /// Copy the job store to a file while jobs run
    Backup(backup::Backup),
    /// Remove jobs that ended long ago, with their files
    Purge(purge::Purge),
}

/// Parses the command line and runs the command.
pub fn main(program: &'static Program) -> ExitCode {
    let name = format!(
        "the {} `{}`, definition {}",
        program.word(),
        program.name(),
        program.hash
    );
    panic_hook::install(name, hpdlc_graph::abandon_layout);
    if sbom::is_asked() {
        sbom::answer(&program.name(), &registry::build::hash(program), "");
        return ExitCode::SUCCESS;
    }
    let arguments: Arguments = match parsed(command(program)) {
        Ok(arguments) => arguments,
        Err(exit) => return exit.into(),
    };
    arguments.color.choose();
    exit_code(execute(program, arguments.command))
}

/// The option of every command for colors.
#[derive(Debug, clap::Args)]
pub struct ColorOption {
    /// Color the states: auto, always or never
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "WHEN",
        hide_possible_values = true,
        hide_default_value = true
    )]
    color: ColorChoice,
}

impl ColorOption {
    /// Lets everything that is printed from now on have colors as the option says.
    pub fn choose(&self) {
        style::choose(self.color);
    }
}

/// The arguments of this process.
///
/// # Errors
///
/// The exit code of what clap has printed instead: help, version, or why the arguments are wrong.
pub fn parsed<A: FromArgMatches>(command: clap::Command) -> Result<A, Exit> {
    let matches = command.try_get_matches();
    let arguments = matches.and_then(|matches| A::from_arg_matches(&matches));
    arguments.map_err(|error| {
        // A reader that closes the pipe on the help is no failure.
        let _ = error.print();
        match error.use_stderr() {
            true => Exit::Usage,
            false => Exit::Success,
        }
    })
}

/// The exit code of a command, whose error is printed.
pub fn exit_code(result: Result<Exit, RunError>) -> ExitCode {
    match result {
        Ok(exit) => exit.into(),
        Err(error) => {
            report(&error);
            error.exit.into()
        }
    }
}

/// The clap definition of the command line.
fn command(program: &'static Program) -> clap::Command {
    let version = format!(
        "hpdlc {} definition {}",
        program.hpdlc_version,
        shown_hash(program)
    );
    let (name, kind) = (program.name(), program.word());
    let command = Arguments::command()
        .about(format!("The {kind} {name}, compiled by hpdlc"))
        .name(name.into_owned())
        .version(version);
    help::arrange(command, &program.entry)
}

/// The hash of the program's jobs, if it is asked for: the executable may have to be read for it.
fn shown_hash(program: &Program) -> String {
    let is_asked = std::env::args_os()
        .nth(1)
        .is_some_and(|argument| argument == "--version" || argument == "-V");
    match is_asked {
        true => registry::build::hash(program),
        false => program.hash.to_owned(),
    }
}

fn execute(program: &'static Program, command: Command) -> Result<Exit, RunError> {
    match command {
        Command::OfJob(command) => command.execute(program),
        Command::Run(run) => run.execute(&Session::open(program)?),
        Command::Submit(submit) => submit.execute(&Session::open(program)?),
        Command::Update(update) => update.execute(&Session::open(program)?),
        Command::Register(register) => register.execute(&Session::open(program)?),
        Command::Own(own) => own.execute(&Session::open(program)?),
        Command::Simulate(simulate) => simulate.execute(program),
        Command::Dryrun(dryrun) => dryrun.execute(program),
        Command::Params(params) => params.execute(program),
        Command::Action(action) => action.execute(),
        Command::Completions(completions) => completions.execute(program),
        Command::Man(man) => man.execute(program),
        Command::Complete(complete) => complete.execute(program),
        #[cfg(feature = "full")]
        Command::Fetch(fetch) => fetch.execute(&Session::open(program)?),
    }
}

impl JobCommand {
    /// Runs the command; `program` is the executable that was called.
    ///
    /// # Errors
    ///
    /// As the command's documentation says; wrong usage is exit 2, a host error exit 5.
    pub fn execute(self, program: &'static Program) -> Result<Exit, RunError> {
        match self {
            JobCommand::Start(start) => start.execute(&Session::open(program)?),
            JobCommand::Info(info) => info.execute(&Session::open(program)?),
            JobCommand::Actions(actions) => actions.execute(&Session::open(program)?),
            JobCommand::Jobs(jobs) => jobs.execute(&Session::open(program)?),
            JobCommand::Watch(watch) => watch.execute(&Session::open(program)?),
            JobCommand::Log(log) => log.execute(&Session::open(program)?),
            JobCommand::Kill(kill) => kill.execute(&Session::open(program)?),
            JobCommand::Suspend(suspend) => suspend.execute(&Session::open(program)?),
            JobCommand::Resume(resume) => resume.execute(&Session::open(program)?),
            JobCommand::Rerun(rerun) => rerun.execute(&Session::open(program)?),
            JobCommand::Change(change) => change.execute(&Session::open(program)?),
            JobCommand::Ignore(ignore) => ignore.execute(&Session::open(program)?),
            JobCommand::Recover(recover) => recover.execute(&Session::open(program)?),
            JobCommand::Settings(settings) => settings.execute(program),
            JobCommand::Definition(definition) => definition.execute(program),
            JobCommand::Graph(graph) => graph.execute(program),
            JobCommand::Timeline(timeline) => timeline.execute(&Session::open(program)?),
            JobCommand::Doctor(doctor) => doctor.execute(&Session::open(program)?),
            JobCommand::Backup(backup) => backup.execute(&Session::open(program)?),
            JobCommand::Purge(purge) => purge.execute(&Session::open(program)?),
        }
    }
}

fn report(error: &RunError) {
    say(&format!(
        "error: {}",
        error.message.replace('\n', "\nerror: ")
    ));
    if let Some(help) = &error.help {
        say(&format!("help: {help}"));
    }
}

/// Writes text for the user to standard output.
pub fn print(text: &str) -> Result<(), RunError> {
    let text = shown::text(text);
    if io::stdout().is_terminal() {
        write_out(&locale::drawn(&text))
    } else {
        write_out(&text)
    }
}

/// Writes a JSON value as one line to standard output.
pub fn print_json(value: &Value) -> Result<(), RunError> {
    write_out(&format!("{}\n", shown::json(value)))
}

/// Writes to standard output verbatim; if the reader has closed the pipe, the command succeeds.
fn write_out(text: &str) -> Result<(), RunError> {
    write_bytes(text.as_bytes())
}

/// As [`write_out`].
fn write_bytes(bytes: &[u8]) -> Result<(), RunError> {
    match io::stdout().write_all(bytes) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(RunError::machine(format!("standard output: {error}"))),
    }
}

/// The program's name as typed, for commands in messages.
fn typed_name() -> String {
    let typed = std::env::args().next().unwrap_or_default();
    // A name that another program has set as `argv[0]` may not be found by the shell.
    let is_found = typed.contains('/')
        || std::env::var_os("PATH").is_some_and(|path| {
            std::env::split_paths(&path).any(|folder| folder.join(&typed).is_file())
        });
    if is_found {
        return quoted(&typed);
    }
    match std::env::current_exe() {
        // `hpdl` has called it: the copy of a state folder has a name that nobody types.
        Ok(path) if is_registered(&path) => "hpdl".to_owned(),
        Ok(path) => quoted(&path.display().to_string()),
        Err(_) => typed,
    }
}

/// Whether this is an executable in `bin` of a state folder, named by its hash.
fn is_registered(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let folder = path.parent().and_then(Path::file_name);
    name.is_some_and(|name| name.len() == 16 && name.bytes().all(|it| it.is_ascii_hexdigit()))
        && folder.is_some_and(|folder| folder == "bin")
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain =
        |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | ',' | '@' | ':');
    match word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// The shortest text that identifies a job: its number, without leading zeros.
pub fn short_id(id: &str) -> &str {
    match id.split_once('-') {
        Some((number, _)) if job_id::number(number).is_some_and(|number| number > 0) => {
            number.trim_start_matches('0')
        }
        Some(_) | None => id,
    }
}

/// The progress display for a job in the foreground.
fn progress_of(session: &Session, job: &JobRow, json: bool) -> Box<dyn Progress> {
    if json {
        Box::new(JsonLines::default())
    } else if io::stderr().is_terminal() {
        Box::new(Terminal::new(outlook::of(session, job)))
    } else {
        Box::new(EventLines::default())
    }
}

/// The order for a verb that jobs of all kinds support.
fn order(job: &JobRow, verb: Verb) -> JobOrder<'static> {
    match JobKind::of(&job.id) {
        JobKind::Workflow => JobOrder::Workflow(verb),
        JobKind::Coordinator => JobOrder::Coordinator(match verb {
            Verb::Start => &CoordinatorRequest::Start,
            Verb::Suspend => &CoordinatorRequest::Suspend,
            Verb::Resume => &CoordinatorRequest::Resume,
            Verb::Kill => &CoordinatorRequest::Kill,
        }),
        JobKind::Bundle => JobOrder::Bundle(match verb {
            Verb::Start => &BundleRequest::Start,
            Verb::Suspend => &BundleRequest::Suspend,
            Verb::Resume => &BundleRequest::Resume,
            Verb::Kill => &BundleRequest::Kill,
        }),
    }
}

/// `job 0000001-...-W SUSPENDED`: the state after a command.
fn shown_status(session: &Session, id: &str) -> Result<String, RunError> {
    let job = find_job(session, id)?;
    let status = status_of(session, &job)?;
    Ok(format!("{} {id} {status}", JobKind::of(id).word()))
}

/// The state of a job, in the terms of its kind.
fn status_of(session: &Session, job: &JobRow) -> Result<String, RunError> {
    let connection = session.store()?;
    let own =
        coordinators::status(&connection, &job.id).map_err(|error| session.describe(error))?;
    Ok(own.unwrap_or_else(|| job.status.name().to_owned()))
}

/// Registers the job's secrets, so that messages about it are masked.
fn keep_secrets(session: &Session, connection: &Connection, job: &JobRow) {
    let _ = crate::masks::ListMasks::of(session.program, connection).mask(job);
}
