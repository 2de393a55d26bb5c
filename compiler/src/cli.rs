//! The command line. Each command is a file; this one has the types that the arguments are read into.
//!
//! Exit codes: 0 fine (warnings allowed), 1 the input has errors, 2 wrong usage or an unreadable file, 101 a bug of ours.

#![expect(
    clippy::disallowed_methods,
    reason = "a command line reads its environment and starts programs"
)]

use std::{path::PathBuf, process::ExitCode, sync::Arc};

use clap::{
    Args, FromArgMatches, Parser, Subcommand, ValueEnum,
    error::{ContextKind, ContextValue},
};

use crate::driver::{
    Failure, application::Arguments, glibc::GlibcVersion, mapping::Mapping,
    properties::PropertyArguments, site,
};

mod build;
mod check;
mod completions;
mod emit;
mod eval;
mod explain;
mod graph;
mod help;
mod ice;
mod lint_arguments;
mod man;
mod migrate;
mod output;
mod packaged;
mod report;
mod run;
mod schedule;
mod setup;

use self::{lint_arguments::LintArguments, output::Output};

/// Fine; warnings are allowed.
const EXIT_FINE: u8 = 0;
/// The input has errors.
const EXIT_ERRORS: u8 = 1;
/// Wrong usage, or a file that cannot be read or written.
const EXIT_USAGE: u8 = 2;
/// A bug of ours.
const EXIT_BUG: u8 = 101;

/// Compiles Apache Oozie workflows to standalone native executables.
#[derive(Debug, Parser)]
#[command(name = "hpdlc", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// When to use colors
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Say what is wrong with applications
    Check(CheckArguments),
    /// Make the executable of an application
    Build(BuildArguments),
    /// Write the Rust crate of an application, with the runtime's sources
    Emit(EmitArguments),
    /// Make the executable of an application and run it here
    Run(RunArguments),
    /// Draw a workflow, a coordinator or a bundle, as SVG, DOT or Mermaid
    Graph(GraphArguments),
    /// List when a coordinator runs, and on which data
    Schedule(ScheduleArguments),
    /// Write a page about all documents below a folder
    Report(ReportArguments),
    /// Evaluate templates such as `${1 + 2}`
    Eval(EvalArguments),
    /// Explain a code or a lint of a message, or list all of them
    Explain {
        /// A code (H0301), a lint, or one of Oozie's codes (E0708); without it, all codes and lints are listed
        code: Option<String>,
    },
    /// Write an application anew for the newest schemas
    Migrate(MigrateArguments),
    /// Compile the runtime ahead of the first build
    Setup(SetupArguments),
    /// Print the completions for a shell
    Completions { shell: clap_complete::Shell },
    /// Write the manual pages
    Man {
        /// The folder for `hpdlc.1` and a page for each command; without it, `hpdlc.1` is printed
        #[arg(short, long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
}

/// When messages are colored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    Always,
    Never,
}

/// How diagnostics are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// With the lines that they are about, on stderr
    Human,
    /// One line each, on stderr
    Short,
    /// One JSON object a line, on stdout
    Json,
    /// One SARIF 2.1.0 log, on stdout
    Sarif,
}

/// What every command that reads an application takes.
#[derive(Debug, Args)]
struct InputArguments {
    /// A properties file or a Hadoop configuration XML; later ones win
    #[arg(short = 'c', long = "config", value_name = "FILE")]
    config: Vec<PathBuf>,
    /// A property; wins over files
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = parse_definition)]
    definitions: Vec<(String, String)>,
    /// The local folder that stands for a URI, to find sub-workflows
    #[arg(long, value_name = "URI=DIR", value_parser = Mapping::parse)]
    map: Vec<Mapping>,
}

impl InputArguments {
    /// With the settings of the site, which count for all of them.
    fn into_arguments(self) -> Result<Arguments, Failure> {
        Ok(Arguments {
            properties: PropertyArguments {
                files: self.config,
                definitions: self.definitions,
            },
            mappings: self.map,
            site: site::read()?,
            ..Arguments::default()
        })
    }
}

#[derive(Debug, Args)]
struct CheckArguments {
    /// Folders, which are searched for applications, workflow documents, or ZIPs of applications
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Judge the documents, of any kind, by the published XML schemas, and by nothing else
    #[arg(long)]
    schema_only: bool,
    #[arg(long, default_value = "human")]
    format: Format,
    /// A properties file or a Hadoop configuration XML; later ones win
    #[arg(short = 'c', long = "config", value_name = "FILE")]
    config: Vec<PathBuf>,
    /// The local folder that stands for a URI, to find sub-workflows
    #[arg(long, value_name = "URI=DIR", value_parser = Mapping::parse)]
    map: Vec<Mapping>,
    /// Apply the suggestions that are certain, and write the files
    #[arg(long)]
    fix: bool,
    #[command(flatten)]
    lints: LintArguments,
}

#[derive(Debug, Args)]
struct BuildArguments {
    /// The application's folder, its workflow document, or a ZIP of both
    path: PathBuf,
    /// The executable; by default named after the application, in the current folder
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    options: BuildOptions,
    #[command(flatten)]
    input: InputArguments,
}

#[derive(Debug, Clone, Copy, Args)]
struct BuildOptions {
    /// Keep symbols and lines for a debugger
    #[arg(long)]
    debug: bool,
    /// With HDFS, object stores and Hadoop tools
    #[arg(long)]
    full: bool,
    /// The oldest C library that the executable must start with, such as 2.17; by default this machine's
    #[arg(long, value_name = "VERSION")]
    glibc: Option<GlibcVersion>,
    /// Whether the application's files go into the executable
    #[arg(long, default_value = "embed", value_name = "WHERE")]
    files: FilesChoice,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FilesChoice {
    Embed,
    External,
}

#[derive(Debug, Args)]
struct EmitArguments {
    /// The application's folder, its workflow document, or a ZIP of both
    path: PathBuf,
    /// The folder for the crate
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    #[command(flatten)]
    input: InputArguments,
}

#[derive(Debug, Args)]
struct RunArguments {
    /// The application's folder, its workflow document, or a ZIP of both
    path: PathBuf,
    #[command(flatten)]
    options: BuildOptions,
    #[command(flatten)]
    input: InputArguments,
    /// Further arguments for the program's `run`
    #[arg(last = true, value_name = "ARGS")]
    arguments: Vec<std::ffi::OsString>,
}

#[derive(Debug, Args)]
struct GraphArguments {
    /// The application's folder, its workflow document, or a ZIP of both
    path: PathBuf,
    /// A `.svg`, `.dot`, `.mmd` or `.txt` file; without it, text is printed to a terminal, and DOT elsewhere
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// In SVG, draw every error transition as a line
    #[arg(long)]
    error_edges: bool,
    #[command(flatten)]
    input: InputArguments,
}

#[derive(Debug, Args)]
struct ScheduleArguments {
    /// The folder of a coordinator or a bundle, its document, or a ZIP of it
    path: PathBuf,
    /// Leave out what is before, such as 2026-11-20T09:30Z
    #[arg(long, value_name = "T", value_parser = eval::parse_time)]
    from: Option<chrono::DateTime<chrono::Utc>>,
    /// Leave out what is then or later
    #[arg(long, value_name = "T", value_parser = eval::parse_time)]
    to: Option<chrono::DateTime<chrono::Utc>>,
    /// List no more than N of each coordinator; 10 unless there is `--to`
    #[arg(short, value_name = "N")]
    n: Option<u64>,
    #[arg(long, default_value = "human")]
    format: ScheduleFormat,
    #[command(flatten)]
    input: InputArguments,
}

/// How a schedule is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ScheduleFormat {
    /// A table for people
    Human,
    /// One JSON object a line
    Json,
}

#[derive(Debug, Args)]
struct ReportArguments {
    /// The folder, which is searched for workflows, coordinators and bundles
    #[arg(value_name = "DIR")]
    path: PathBuf,
    /// The page; by default it is printed
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    input: InputArguments,
}

#[derive(Debug, Args)]
struct EvalArguments {
    /// The template; without one, a template a line is read from stdin and a JSON object a line is printed. One that begins with a
    /// hyphen stands behind `--`
    template: Option<String>,
    /// A properties file or a Hadoop configuration XML; later ones win
    #[arg(short = 'c', long = "config", value_name = "FILE")]
    config: Vec<PathBuf>,
    /// A property; wins over files
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = parse_definition)]
    definitions: Vec<(String, String)>,
    /// When the template is evaluated, which decides its functions and constants
    #[arg(long, value_name = "NAME", default_value = "workflow", value_parser = eval::phases())]
    phase: hpdlc_core::el::phase::Phase,
    /// The time that `timestamp()` gives, such as 2026-11-20T09:30Z
    #[arg(long, value_name = "T", value_parser = eval::parse_time)]
    at: Option<chrono::DateTime<chrono::Utc>>,
}

#[derive(Debug, Args)]
struct MigrateArguments {
    /// The application's folder, a document, or a ZIP of an application
    path: PathBuf,
    /// The folder for what is written; it must not exist, or be empty
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    #[command(flatten)]
    input: InputArguments,
}

#[derive(Debug, Args)]
struct SetupArguments {
    /// Also the runtime with HDFS, object stores and Hadoop tools
    #[arg(long)]
    full: bool,
    /// Write what this machine has compiled to an archive
    #[arg(long, value_name = "ARCHIVE", conflicts_with = "offline")]
    pack: Option<PathBuf>,
    /// Take what another machine has compiled from an archive
    #[arg(long, value_name = "ARCHIVE")]
    offline: Option<PathBuf>,
}

/// Reads `NAME=VALUE`; the value may be empty.
fn parse_definition(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.to_owned()))
        }
        Some(_) => Err("there is no name before `=`".to_owned()),
        None => Err("it has the form NAME=VALUE".to_owned()),
    }
}

/// Reads the arguments of this process and does what they say.
pub fn main() -> ExitCode {
    ice::install();
    // Whoever started this process may not want to hear of the end of his children; then the kernel would forget how ours end.
    // Any handler keeps it from that.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGCHLD, Arc::default());
    match std::panic::catch_unwind(dispatch) {
        Ok(code) => ExitCode::from(code),
        // The hook has said what there is to say.
        Err(_) => ExitCode::from(EXIT_BUG),
    }
}

fn dispatch() -> u8 {
    let matches = match help::command().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => return usage(error),
    };
    let mut cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => return usage(error),
    };
    if let (Command::Check(arguments), Some(matches)) =
        (&mut cli.command, matches.subcommand_matches("check"))
    {
        arguments.lints.take_order(matches);
    }
    let mut output = Output::new(cli.color);
    match cli.command {
        Command::Check(arguments) => check::run(arguments, &mut output),
        Command::Build(arguments) => build::run(arguments, &mut output),
        Command::Emit(arguments) => emit::run(arguments, &mut output),
        Command::Run(arguments) => run::run(arguments, &mut output),
        Command::Graph(arguments) => graph::run(arguments, &mut output),
        Command::Schedule(arguments) => schedule::run(arguments, &mut output),
        Command::Report(arguments) => report::run(arguments, &mut output),
        Command::Eval(arguments) => eval::run(arguments, &mut output),
        Command::Explain { code } => explain::run(code.as_deref(), &mut output),
        Command::Man { output: folder } => man::run(folder.as_deref(), &mut output),
        Command::Migrate(arguments) => migrate::run(arguments, &mut output),
        Command::Setup(arguments) => setup::run(&arguments, &mut output),
        Command::Completions { shell } => completions::run(shell, &mut output),
    }
}

/// The commands of executables that `hpdlc` does not have; `oozie job` has options of many of these names.
const OF_EXECUTABLES: [&str; 25] = [
    "actions",
    "backup",
    "change",
    "definition",
    "doctor",
    "dryrun",
    "ignore",
    "info",
    "jobs",
    "kill",
    "log",
    "params",
    "purge",
    "recover",
    "register",
    "rerun",
    "resume",
    "settings",
    "simulate",
    "start",
    "submit",
    "suspend",
    "timeline",
    "update",
    "watch",
];

/// Help and version are fine; anything else is wrong usage. A reader that has gone away changes neither.
fn usage(error: clap::Error) -> u8 {
    let error = with_tip(error);
    drop(error.print());
    if error.use_stderr() {
        EXIT_USAGE
    } else {
        EXIT_FINE
    }
}

/// Tells whoever looks for a command of executables where it is.
fn with_tip(mut error: clap::Error) -> clap::Error {
    if let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand)
        && OF_EXECUTABLES.contains(&name.as_str())
    {
        let tip = format!(
            "executables have this command: `hpdlc build FOLDER -o NAME`, then `./NAME {name}`"
        );
        error.remove(ContextKind::SuggestedSubcommand);
        error.insert(
            ContextKind::Suggested,
            ContextValue::StyledStrs(vec![tip.into()]),
        );
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_of_executables_is_told_as_such() {
        for (name, has_tip) in [("dryrun", true), ("kill", true), ("bake", false)] {
            let error = Cli::try_parse_from(["hpdlc", name]).expect_err("no command of hpdlc");
            let text = with_tip(error).to_string();
            let tip = format!("then `./NAME {name}`");
            assert_eq!(text.contains(&tip), has_tip, "{text}");
        }
    }

    #[test]
    fn definition_of_the_command_line_is_sound() {
        help::command().debug_assert();
    }

    #[test]
    fn definitions_have_a_name() {
        assert_eq!(
            parse_definition("a=b=c"),
            Ok(("a".to_owned(), "b=c".to_owned()))
        );
        assert_eq!(parse_definition("a="), Ok(("a".to_owned(), String::new())));
        assert!(parse_definition("=b").is_err());
        assert!(parse_definition("a").is_err());
    }

    #[test]
    fn arguments_after_two_dashes_belong_to_the_program() {
        let cli = Cli::try_parse_from([
            "hpdlc", "run", "app", "-D", "a=b", "--", "--json", "-D", "c=d",
        ])
        .expect("is well-formed");
        let Command::Run(run) = cli.command else {
            panic!("it is `run`")
        };
        assert_eq!(run.arguments, ["--json", "-D", "c=d"]);
        assert_eq!(run.input.definitions, [("a".to_owned(), "b".to_owned())]);
    }
}
