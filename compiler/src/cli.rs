//! The command line. Each command is a file; this one defines the types that the arguments are parsed into.
//!
//! Exit codes: 0 success (warnings allowed), 1 the input has errors, 2 wrong usage or an unreadable file, 101 a bug in
//! hpdlc.

#![expect(
    clippy::disallowed_methods,
    reason = "a command line reads its environment and starts programs"
)]

use std::{path::PathBuf, process::ExitCode, sync::Arc};

use clap::{Args, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::{
    driver::{
        Failure, application::Arguments, glibc::GlibcVersion, mapping::Mapping,
        properties::PropertyArguments, site,
    },
    rules::RULES,
};

mod build;
mod check;
mod completions;
mod emit;
mod eval;
mod explain;
mod extension;
mod graph;
mod help;
mod ice;
mod lint_arguments;
mod man;
mod migrate;
mod output;
mod packaged;
mod paths;
mod references;
mod report;
mod run;
mod schedule;
mod setup;
mod usage;

use self::{lint_arguments::LintArguments, output::CommandOutput, usage::usage};

/// Success; warnings are allowed.
const EXIT_FINE: u8 = 0;
/// The input has errors.
const EXIT_ERRORS: u8 = 1;
/// Wrong usage, or a file that cannot be read or written.
const EXIT_USAGE: u8 = 2;
/// A bug in hpdlc.
const EXIT_BUG: u8 = 101;

/// Compiles Apache Oozie workflows to standalone native executables.
#[derive(Debug, Parser)]
#[command(name = "hpdlc", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Color the output; `auto` does so on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check applications and report mistakes
    Check(CheckArguments),
    /// Compile an application to an executable
    Build(BuildArguments),
    /// Write the generated Rust crate, with the sources of the runtime
    Emit(EmitArguments),
    /// Compile an application and run it in the foreground
    Run(RunArguments),
    /// Draw the graph of a workflow, coordinator or bundle
    Graph(GraphArguments),
    /// List the nominal times of a coordinator, with the data of each
    Schedule(ScheduleArguments),
    /// List where a workflow can go: a way to each of its ends, and when each decision takes which case
    Paths(PathsArguments),
    /// Write an HTML report about all applications below a folder
    Report(ReportArguments),
    /// Evaluate EL templates such as `${1 + 2}`
    Eval(EvalArguments),
    /// Explain an error code, a lint or a cron expression, or list all codes and lints
    Explain {
        /// Error code (H0301), name of a lint, error code of Oozie (E0708), or cron expression ("0 12 * * MON-FRI"); without it,
        /// list all codes and lints
        code: Option<String>,
    },
    /// Rewrite an application for the newest versions of the schemas
    Migrate(MigrateArguments),
    /// Begin an extension: a crate with further action types and functions
    New(NewArguments),
    /// Write the manifest of an extension, which `check` reads, from its code
    Extension {
        /// Folder of the extension's crate
        #[arg(value_name = "DIR")]
        path: PathBuf,
    },
    /// Compile the runtime in advance, so that the first build is fast
    Setup(SetupArguments),
    /// Print what the documents of an application start or include, for `hpdl serve`: a JSON object a line
    #[command(hide = true)]
    References(ReferencesArguments),
    /// Print the completion script of a shell
    Completions { shell: clap_complete::Shell },
    /// Print or write the manual pages
    Man {
        /// Folder for `hpdlc.1` and a page for each command; without it, print `hpdlc.1`
        #[arg(short, long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
}

/// When messages are colored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ColorChoice {
    Auto,
    Always,
    Never,
}

/// How diagnostics are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// With source lines, on stderr
    Human,
    /// One line per diagnostic, on stderr
    Short,
    /// One JSON object per line, on stdout
    Json,
    /// A SARIF 2.1.0 log, on stdout
    Sarif,
}

/// What every command that reads an application takes.
#[derive(Debug, Args)]
struct InputArguments {
    /// Properties file or Hadoop configuration XML; may be repeated, later files win
    #[arg(short = 'c', long = "config", value_name = "FILE")]
    config: Vec<PathBuf>,
    /// Set a property; overrides the files
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = parse_definition)]
    definitions: Vec<(String, String)>,
    /// Local folder that stands for a URI, to find sub-workflows and coordinators
    #[arg(long, value_name = "URI=DIR", value_parser = Mapping::parse)]
    map: Vec<Mapping>,
    /// Properties only find documents: those that are missing may come later
    #[arg(long, hide = true)]
    only_find: bool,
}

impl InputArguments {
    /// With the settings of the site, which apply to all commands.
    fn into_arguments(self) -> Result<Arguments, Failure> {
        Ok(Arguments {
            properties: PropertyArguments {
                files: self.config,
                definitions: self.definitions,
            },
            mappings: self.map,
            site: site::read()?,
            only_finds: self.only_find,
            ..Arguments::new(RULES)
        })
    }
}

#[derive(Debug, Args)]
struct CheckArguments {
    /// Folders (searched recursively), documents, or ZIPs of applications
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Only validate the documents against the published XML schemas
    #[arg(long)]
    schema_only: bool,
    /// Output format
    #[arg(long, default_value = "human")]
    format: Format,
    /// Properties file or Hadoop configuration XML; may be repeated, later files win
    #[arg(short = 'c', long = "config", value_name = "FILE")]
    config: Vec<PathBuf>,
    /// Local folder that stands for a URI, to find sub-workflows and coordinators
    #[arg(long, value_name = "URI=DIR", value_parser = Mapping::parse)]
    map: Vec<Mapping>,
    /// Properties only find documents: those that are missing may come later
    #[arg(long, hide = true)]
    only_find: bool,
    /// Apply suggestions that are certainly right to the files
    #[arg(long)]
    fix: bool,
    #[command(flatten)]
    lints: LintArguments,
}

#[derive(Debug, Args)]
struct BuildArguments {
    /// Folder of the application, its document, or a ZIP of the application
    path: PathBuf,
    /// Executable to write [default: name of the application, in the current folder]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    options: BuildOptions,
    #[command(flatten)]
    input: InputArguments,
}

#[derive(Debug, Clone, Copy, Args)]
struct BuildOptions {
    /// Keep debug symbols and line numbers
    #[arg(long)]
    debug: bool,
    /// Always link HDFS, object stores and Hadoop tools, not only where the application uses them
    #[arg(long)]
    full: bool,
    /// Oldest glibc that the executable has to run with, such as 2.17 [default: that of this machine]
    #[arg(long, value_name = "VERSION")]
    glibc: Option<GlibcVersion>,
    /// Whether the files of the application are embedded in the executable; `external` is not implemented yet
    #[arg(long, default_value = "embed", value_name = "WHERE", hide = true)]
    files: FilesChoice,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FilesChoice {
    Embed,
    External,
}

#[derive(Debug, Args)]
struct EmitArguments {
    /// Folder of the application, its document, or a ZIP of the application
    path: PathBuf,
    /// Folder for the crate
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Also write the executable, and the files to deploy it with, to `deploy` in that folder; several with commas
    #[arg(long, value_name = "TARGET", value_delimiter = ',')]
    deploy: Vec<DeployTarget>,
    /// Oldest glibc that the executable of `--deploy` has to run with, such as 2.36 [default: that of this machine]
    #[arg(long, value_name = "VERSION", requires = "deploy")]
    glibc: Option<GlibcVersion>,
    #[command(flatten)]
    input: InputArguments,
}

/// What an executable is deployed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DeployTarget {
    /// A Dockerfile
    Docker,
    /// Units of a service, and of a timer
    Systemd,
    /// A Dockerfile, and manifests of Kubernetes
    K8s,
}

#[derive(Debug, Args)]
struct RunArguments {
    /// Folder of the application, its document, or a ZIP of the application
    path: PathBuf,
    #[command(flatten)]
    options: BuildOptions,
    #[command(flatten)]
    input: InputArguments,
    /// More arguments for `run` of the executable
    #[arg(last = true, value_name = "ARGS")]
    arguments: Vec<std::ffi::OsString>,
}

#[derive(Debug, Args)]
struct GraphArguments {
    /// Folder of the application, its document, or a ZIP of the application
    path: PathBuf,
    /// File to write: `.svg`, `.dot`, `.mmd` (Mermaid) or `.txt`; without it, print text on a terminal and DOT elsewhere
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Draw a line for every error transition, in SVG
    #[arg(long)]
    error_edges: bool,
    #[command(flatten)]
    input: InputArguments,
}

#[derive(Debug, Args)]
struct ScheduleArguments {
    /// Folder of a coordinator or bundle, its document, or a ZIP of the application
    path: PathBuf,
    /// First time to list, such as 2026-11-20T09:30Z or 2026-11-20T10:30+0100
    #[arg(long, value_name = "TIME", value_parser = eval::parse_time)]
    from: Option<chrono::DateTime<chrono::Utc>>,
    /// End of the list; an action at this time is not listed
    #[arg(long, value_name = "TIME", value_parser = eval::parse_time)]
    to: Option<chrono::DateTime<chrono::Utc>>,
    /// Maximum number of actions per coordinator [default: 10, unlimited with `--to`]
    #[arg(short, value_name = "N")]
    n: Option<u64>,
    /// Output format
    #[arg(long, default_value = "human")]
    format: ScheduleFormat,
    #[command(flatten)]
    input: InputArguments,
}

/// How a schedule is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ScheduleFormat {
    /// A table
    Human,
    /// One JSON object per line
    Json,
}

#[derive(Debug, Args)]
struct PathsArguments {
    /// Folder of a workflow, its document, or a ZIP of the application
    path: PathBuf,
    /// Output format
    #[arg(long, default_value = "human")]
    format: PathsFormat,
    #[command(flatten)]
    input: InputArguments,
}

/// How paths are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PathsFormat {
    /// Lines of text
    Human,
    /// One JSON object
    Json,
}

#[derive(Debug, Args)]
struct ReportArguments {
    /// Folder to search for workflows, coordinators and bundles
    #[arg(value_name = "DIR")]
    path: PathBuf,
    /// HTML file to write; without it, print the page
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    input: InputArguments,
}

#[derive(Debug, Args)]
struct EvalArguments {
    /// Template; without it, read one per line from stdin and print a JSON object per line. Write `--` before one that begins with
    /// a hyphen
    template: Option<String>,
    /// Properties file or Hadoop configuration XML; may be repeated, later files win
    #[arg(short = 'c', long = "config", value_name = "FILE")]
    config: Vec<PathBuf>,
    /// Set a property; overrides the files
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = parse_definition)]
    definitions: Vec<(String, String)>,
    /// Phase of evaluation, which decides which functions and constants there are
    #[arg(long, value_name = "NAME", default_value = "workflow", value_parser = eval::phases())]
    phase: hpdlc_core::el::phase::Phase,
    /// Value of `timestamp()`, such as 2026-11-20T09:30Z [default: now]
    #[arg(long, value_name = "TIME", value_parser = eval::parse_time)]
    at: Option<chrono::DateTime<chrono::Utc>>,
}

/// What `migrate` writes a workflow in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MigrationLanguage {
    Xml,
    Rust,
}

/// The system that runs what `migrate` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MigrationTarget {
    Oozie,
}

#[derive(Debug, Args)]
struct MigrateArguments {
    /// Language of the workflow: XML of the newest schema, or Rust
    #[arg(long, value_enum, default_value_t = MigrationLanguage::Xml, value_name = "LANGUAGE")]
    to: MigrationLanguage,
    /// System that runs the result: for Oozie, functions of a Rust program become `shell` actions that run the program
    #[arg(long = "for", value_enum, value_name = "SYSTEM")]
    system: Option<MigrationTarget>,
    /// Folder of the application, a document, a Rust file with a workflow, or a ZIP of the application
    path: PathBuf,
    /// Folder for the result; it must be empty or not exist
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    #[command(flatten)]
    input: InputArguments,
}

/// What `new` begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum NewThing {
    /// A crate with further action types and functions
    Extension,
}

#[derive(Debug, Args)]
struct NewArguments {
    /// What to begin
    #[arg(value_name = "WHAT")]
    what: NewThing,
    /// Name of the extension and its crate
    name: String,
    /// Folder for the crate [default: the name, in the current folder]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct ReferencesArguments {
    /// Folder of the application, or its document
    path: PathBuf,
    #[command(flatten)]
    input: InputArguments,
}

#[derive(Debug, Args)]
struct SetupArguments {
    /// Also compile the runtime with HDFS, object stores and Hadoop tools
    #[arg(long)]
    full: bool,
    /// Write what this machine has compiled to an archive
    #[arg(long, value_name = "ARCHIVE", conflicts_with = "offline", hide = true)]
    pack: Option<PathBuf>,
    /// Take what another machine has compiled from an archive
    #[arg(long, value_name = "ARCHIVE", hide = true)]
    offline: Option<PathBuf>,
}

/// Parses `NAME=VALUE`; the value may be empty.
fn parse_definition(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.to_owned()))
        }
        Some(_) => Err("there is no name before `=`".to_owned()),
        None => Err("it has the form NAME=VALUE".to_owned()),
    }
}

/// Parses the arguments of this process and runs the command.
pub fn main() -> ExitCode {
    ice::install();
    if hpdlc_core::sbom::is_asked(std::env::args_os().skip(1)) {
        const COMPONENTS: &str = include_str!(concat!(env!("OUT_DIR"), "/components.txt"));
        let document = hpdlc_core::sbom::document("hpdlc", env!("CARGO_PKG_VERSION"), COMPONENTS);
        // A reader that closes the pipe is no failure.
        let _ = std::io::Write::write_all(&mut std::io::stdout(), document.as_bytes());
        return ExitCode::SUCCESS;
    }
    // If the parent process has set SIGCHLD to be ignored, the kernel discards the exit statuses of our children. Any
    // handler prevents that.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGCHLD, Arc::default());
    match std::panic::catch_unwind(dispatch) {
        Ok(code) => ExitCode::from(code),
        // The panic hook has printed the message.
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
    let mut output = CommandOutput::new(cli.color);
    match cli.command {
        Command::Check(arguments) => check::run(arguments, &mut output),
        Command::Build(arguments) => build::run(arguments, &mut output),
        Command::Emit(arguments) => emit::run(arguments, &mut output),
        Command::Run(arguments) => run::run(arguments, &mut output),
        Command::Graph(arguments) => graph::run(arguments, &mut output),
        Command::Paths(arguments) => paths::run(arguments, &mut output),
        Command::Schedule(arguments) => schedule::run(arguments, &mut output),
        Command::Report(arguments) => report::run(arguments, &mut output),
        Command::Eval(arguments) => eval::run(arguments, &mut output),
        Command::Explain { code } => explain::run(code.as_deref(), &mut output),
        Command::Man { output: folder } => man::run(folder.as_deref(), &mut output),
        Command::Migrate(arguments) => migrate::run(arguments, &mut output),
        Command::New(arguments) => extension::begin(arguments, &mut output),
        Command::Extension { path } => extension::write_manifest(&path, &mut output),
        Command::Setup(arguments) => setup::run(&arguments, &mut output),
        Command::References(arguments) => references::run(arguments, &mut output),
        Command::Completions { shell } => completions::run(shell, &mut output),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
