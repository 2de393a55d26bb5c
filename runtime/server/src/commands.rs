//! The command line of `hpdl`.

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use hpdlc_engine::{owner::Session, progress::style};
use hpdlc_host::{
    exit::{Exit, RunError},
    panic_hook,
};
use hpdlc_runtime::fleet::{self, ColorOption, JobCommand};

use crate::{
    PROGRAM,
    apps::Apps,
    audit::Audit,
    emit::Emit,
    encrypt_store::EncryptStore,
    migrate_store::MigrateStore,
    remote,
    serve::Serve,
    submit::{Run, Submit},
    token::Tokens,
    top::Top,
    update::Update,
};

/// Groups of commands by purpose, in the order in which they are shown.
const GROUPS: [(&str, &[&str]); 5] = [
    (
        "Look at jobs",
        &[
            "jobs",
            "top",
            "info",
            "watch",
            "log",
            "actions",
            "graph",
            "timeline",
            "definition",
        ],
    ),
    (
        "Run and control jobs",
        &[
            "run", "submit", "start", "suspend", "resume", "kill", "rerun", "recover",
        ],
    ),
    ("Coordinators", &["change", "update", "ignore"]),
    ("Applications", &["apps"]),
    (
        "The state folder",
        &[
            "serve",
            "token",
            "audit",
            "settings",
            "doctor",
            "backup",
            "purge",
            "migrate-store",
            "encrypt-store",
            "emit",
        ],
    ),
];

const EXAMPLES: &str = "\
Examples:
  hpdl jobs --status RUNNING,SUSPENDED
  hpdl top                   the same, live
  hpdl info last             what happened in the newest job, and why
  hpdl log 17 load -f        what an action of job 17 prints
  hpdl apps                  the applications of this state folder
  hpdl submit load -D day=2026-11-25
  hpdl serve                 for OOZIE_URL=http://localhost:11000/oozie";

const EXIT_CODES: &str = "\
Exit codes:
  0  done; of `run` and `--wait`: SUCCEEDED
  2  wrong usage, an unknown job, or refused
  5  the machine failed (disk, store, lock); jobs can be recovered
  1, 3, 4, 6  of `run` and `--wait`: KILLED, FAILED, suspended, DONEWITHERROR";

/// Every job of a state folder, whichever executable it belongs to
#[derive(Debug, Parser)]
#[command(name = "hpdl", version, max_term_width = 100)]
struct Arguments {
    #[command(flatten)]
    color: ColorOption,
    /// Have the server at this URL do it, on its state folder [default: the variable HPDL_URL]
    #[arg(long, global = true, value_name = "URL")]
    url: Option<String>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(flatten)]
    OfJob(JobCommand),
    /// Run a new job of an application in the foreground
    Run(Run),
    /// Create a job of an application in state PREP, and print its id
    Submit(Submit),
    /// Give a coordinator the newest definition of its application, or other properties
    Update(Update),
    /// List the applications of the state folder, and change whether they accept jobs
    Apps(Apps),
    /// Serve Oozie's Web Services API on the jobs of the state folder
    Serve(Serve),
    /// Tokens for the server: who may do what
    Token(Tokens),
    /// List the commands that servers were given, by whom, and what became of them
    Audit(Audit),
    /// Copy the job store to PostgreSQL, or back to the file of the state folder
    MigrateStore(MigrateStore),
    /// Encrypt the values in the job store, or encrypt them with another key
    EncryptStore(EncryptStore),
    /// Write the files to deploy the server with: for Docker, systemd or Kubernetes
    Emit(Emit),
    /// Show what runs, waits and failed, live; open, watch and kill jobs
    Top(Top),
}

/// Parses the command line and runs the command.
pub(super) fn main() -> ExitCode {
    // The console draws graphs.
    panic_hook::install("hpdl".to_owned(), hpdlc_graph::abandon_layout);
    if fleet::sbom::is_asked() {
        const COMPONENTS: &str = include_str!(concat!(env!("OUT_DIR"), "/components.txt"));
        fleet::sbom::answer("hpdl", env!("CARGO_PKG_VERSION"), COMPONENTS);
        return ExitCode::SUCCESS;
    }
    let arguments: Arguments = match fleet::parsed(command()) {
        Ok(arguments) => arguments,
        Err(exit) => return exit.into(),
    };
    arguments.color.choose();
    match remote::url(arguments.url.as_deref()) {
        None => fleet::exit_code(execute(arguments.command)),
        Some(url) => match remote::execute(&url, &command().get_matches(), style::stdout()) {
            Ok(code) => code.into(),
            Err(error) => fleet::exit_code(Err(error)),
        },
    }
}

/// The clap definition of the command line.
pub(super) fn command() -> clap::Command {
    let mut command = Arguments::command();
    // An executable has a document of its own for these.
    for name in ["definition", "graph"] {
        command = command.mut_subcommand(name, |it| {
            it.mut_arg("id", |argument| argument.required(true))
        });
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}Options:\n{{options}}{{after-help}}",
        fleet::grouped(&command, &GROUPS)
    );
    command.help_template(template).after_help(format!(
        "{EXAMPLES}\n\n{EXIT_CODES}\n\n{}",
        fleet::ENVIRONMENT
    ))
}

fn execute(command: Command) -> Result<Exit, RunError> {
    match command {
        Command::OfJob(command) => command.execute(&PROGRAM),
        Command::Run(run) => run.execute(&Session::open(&PROGRAM)?),
        Command::Submit(submit) => submit.execute(&Session::open(&PROGRAM)?),
        Command::Update(update) => update.execute(&Session::open(&PROGRAM)?),
        Command::Apps(apps) => apps.execute(&Session::open(&PROGRAM)?),
        Command::Serve(serve) => serve.execute(&Session::open(&PROGRAM)?, self::command),
        Command::Token(tokens) => tokens.execute(&Session::open(&PROGRAM)?),
        Command::Audit(audit) => audit.execute(&Session::open(&PROGRAM)?),
        Command::MigrateStore(migrate) => migrate.execute(&Session::open(&PROGRAM)?),
        Command::EncryptStore(encrypt) => encrypt.execute(&Session::open(&PROGRAM)?),
        Command::Emit(emit) => emit.execute(),
        Command::Top(top) => top.execute(&Session::open(&PROGRAM)?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent_and_every_command_has_a_group() {
        command().debug_assert();
        let help = command().render_help().to_string();
        assert!(!help.contains("Others:"), "{help}");
        for part in ["\nExamples:\n", "\nExit codes:\n", "\n  HPDL_HOME "] {
            assert!(help.contains(part), "{part}: {help}");
        }
    }

    #[test]
    fn what_an_executable_does_without_a_job_needs_one_here() {
        for name in ["definition", "graph"] {
            let matches = command().try_get_matches_from(["hpdl", name]);
            assert!(matches.is_err(), "{name}");
        }
    }

    /// Each command says which right it needs on a server, or why no server runs it.
    #[test]
    fn every_command_is_for_servers_or_says_why_not() {
        use crate::remote::needs::{self, Need};
        let of = |line: &str| {
            let words = ["hpdl"].into_iter().chain(line.split(' '));
            let matches = command().try_get_matches_from(words);
            needs::of(&matches.unwrap_or_else(|error| panic!("{line}: {error}")))
        };
        let operate = |id: &str| Some(Need::Operate(Some(id.to_owned())));
        for (line, need) in [
            ("jobs", Some(Need::Read)),
            ("info 17", Some(Need::Read)),
            ("watch", Some(Need::Read)),
            ("log 17 load -f", Some(Need::Read)),
            ("actions 17", Some(Need::Read)),
            ("graph 17", Some(Need::Read)),
            ("graph 17 -o x.svg", None),
            ("timeline 17", Some(Need::Read)),
            ("timeline 17 --output x.svg", None),
            ("definition 17", Some(Need::Read)),
            ("settings", Some(Need::Read)),
            ("doctor", Some(Need::Read)),
            ("doctor --migrate", Some(Need::Admin)),
            ("run load", Some(Need::Operate(None))),
            ("submit load", Some(Need::Operate(None))),
            ("start 17", operate("17")),
            ("suspend 17", operate("17")),
            ("resume 17", operate("17")),
            ("kill 17@3", operate("17@3")),
            ("rerun 17", operate("17")),
            ("change 17 concurrency=2", operate("17")),
            ("ignore 17", operate("17")),
            ("update 17", operate("17")),
            ("recover 17", operate("17")),
            ("recover", Some(Need::Admin)),
            ("recover --watch", None),
            ("purge --older-than 1d", Some(Need::Admin)),
            ("audit", Some(Need::Admin)),
            ("apps", Some(Need::Read)),
            ("apps show load", Some(Need::Read)),
            ("apps activate load", Some(Need::Admin)),
            ("apps deploy load", None),
            ("backup x", None),
            ("migrate-store --from sqlite --to postgres", None),
            ("encrypt-store", None),
            ("token", Some(Need::Admin)),
            ("token list", Some(Need::Admin)),
            ("token new x", None),
            ("token revoke x", None),
            ("serve", None),
            ("emit --deploy docker -o x", None),
            ("top", None),
        ] {
            assert_eq!(of(line).ok(), need, "{line}");
        }
        let unnamed = command();
        let unnamed = unnamed.get_subcommands().map(clap::Command::get_name);
        let tried = include_str!("commands.rs");
        for name in unnamed {
            assert!(tried.contains(&format!("(\"{name}")), "{name} is not tried");
        }
    }
}
