//! The parts of `--help` besides the options: commands in groups, examples, exit codes, the environment.

use clap::{Command, CommandFactory};

use crate::cli::Cli;

/// The commands in the order in which help lists them.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Find mistakes", &["check", "explain", "report"]),
    (
        "Make and run executables",
        &["build", "run", "emit", "setup"],
    ),
    (
        "Look into applications",
        &["graph", "paths", "schedule", "eval", "migrate"],
    ),
    ("Write extensions", &["new", "extension"]),
    ("Shell", &["completions", "man"]),
];

const EXAMPLES: &str = "\
Examples:
  hpdlc check apps                         check all documents below apps
  hpdlc check app -c job.properties        check with the properties of a job
  hpdlc build app -o daily-logs            compile to the executable ./daily-logs
  hpdlc run app -c job.properties          compile and run
  hpdlc graph app                          draw the graph on the terminal
  hpdlc schedule app -c job.properties     list the first times of a coordinator
  hpdlc explain H0301                      explain the code of a message";

const EXIT_CODES: &str = "\
Exit codes:
  0    success; there may be warnings
  1    the input has errors
  2    wrong usage, or a file that cannot be read or written
  101  a bug in hpdlc
  `hpdlc run` exits with the code of the executable, or 2 if the input has errors.";

const ENVIRONMENT: &str = "\
Environment:
  HPDLC_CACHE      folder of the compiled runtime [default: hpdlc in the XDG cache folder]
  HPDL_HOME        folder of the jobs that `run` starts
  HPDL_SITE        settings of the site, such as an oozie-site.xml
  HADOOP_CONF_DIR  configuration of Hadoop
  NO_COLOR         if set and not empty, no colors";

/// Examples of single commands.
const OF_COMMANDS: [(&str, &str); 16] = [
    (
        "check",
        "Examples:\n  hpdlc check app\n  hpdlc check app -c job.properties -D inputDir=/data\n  hpdlc check --format sarif app > hpdlc.sarif\n  hpdlc check -D warnings -A unused_parameters app",
    ),
    (
        "build",
        "Examples:\n  hpdlc build app                              named after the application\n  hpdlc build app -c job.properties -o daily   properties only find sub-workflows\n  hpdlc build app --map hdfs://nn/apps=apps    sub-workflows in a local folder",
    ),
    (
        "run",
        "Examples:\n  hpdlc run app -c job.properties\n  hpdlc run app -- --json                      arguments of the executable behind --",
    ),
    (
        "emit",
        "Examples:\n  hpdlc emit app -o crate && cd crate && cargo build",
    ),
    (
        "graph",
        "Examples:\n  hpdlc graph app\n  hpdlc graph app -o app.svg\n  hpdlc graph app | dot -Tpdf > app.pdf",
    ),
    (
        "schedule",
        "Examples:\n  hpdlc schedule app -c job.properties\n  hpdlc schedule app --from 2026-11-20T00:00Z --to 2026-11-21T00:00Z\n  hpdlc schedule app -n 100 --format json",
    ),
    (
        "paths",
        "Examples:\n  hpdlc paths app\n  hpdlc paths app -c job.properties --format json",
    ),
    (
        "report",
        "Examples:\n  hpdlc report apps -o report.html\n  hpdlc report apps -c job.properties -o report.html",
    ),
    (
        "eval",
        "Examples:\n  hpdlc eval '${concat(\"a\", 1 + 2)}'\n  hpdlc eval -D n=3 '${n * GB}'\n  hpdlc eval --at 2026-11-20T09:30Z '${timestamp()}'",
    ),
    (
        "explain",
        "Examples:\n  hpdlc explain\n  hpdlc explain H0301\n  hpdlc explain unreachable_nodes\n  hpdlc explain E0708",
    ),
    ("migrate", "Examples:\n  hpdlc migrate app -o app-migrated"),
    ("new", "Examples:\n  hpdlc new extension acme"),
    ("extension", "Examples:\n  hpdlc extension acme"),
    ("setup", "Examples:\n  hpdlc setup\n  hpdlc setup --full"),
    (
        "completions",
        "Examples:\n  hpdlc completions bash > ~/.local/share/bash-completion/completions/hpdlc",
    ),
    (
        "man",
        "Examples:\n  hpdlc man | man -l -\n  hpdlc man -o ~/.local/share/man/man1",
    ),
];

/// The command line with its help.
pub(super) fn command() -> Command {
    let mut command = Cli::command();
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}Options:\n{{options}}{{after-help}}",
        groups(&command)
    );
    command = command
        .after_help(format!("{EXAMPLES}\n\n{EXIT_CODES}\n\n{ENVIRONMENT}"))
        .help_template(template);
    for (name, examples) in OF_COMMANDS {
        command = command.mut_subcommand(name, |command| command.after_help(examples));
    }
    command
}

/// The commands of each group with their summaries.
fn groups(command: &Command) -> String {
    let mut text = String::new();
    for (title, names) in GROUPS {
        text.push_str(&format!("{title}:\n"));
        for name in names {
            let about = command
                .find_subcommand(name)
                .and_then(Command::get_about)
                .map_or(String::new(), ToString::to_string);
            text.push_str(&format!("  {name:<12} {about}\n"));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The commands for users: others are those of `hpdl` and of shells.
    fn shown(command: &Command) -> impl Iterator<Item = &str> {
        let shown = command.get_subcommands().filter(|it| !it.is_hide_set());
        shown.map(Command::get_name)
    }

    #[test]
    fn every_command_is_in_one_group() {
        let grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| names.iter().copied())
            .collect();
        let unique: BTreeSet<&str> = grouped.iter().copied().collect();
        assert_eq!(unique.len(), grouped.len());
        let command = Cli::command();
        let all: BTreeSet<&str> = shown(&command).collect();
        assert_eq!(unique, all);
        assert!(OF_COMMANDS.iter().all(|(name, _)| all.contains(name)));
    }

    #[test]
    fn help_has_groups_examples_codes_and_environment() {
        let text = command().render_help().to_string();
        for title in [
            "Find mistakes:\n  check ",
            "Options:\n",
            "Examples:\n",
            "Exit codes:\n  0 ",
            "Environment:\n  HPDLC_CACHE ",
        ] {
            assert!(text.contains(title), "{title}: {text}");
        }
        assert!(!text.contains("{about"), "{text}");
        let mut check = command();
        let check = check.find_subcommand_mut("check").expect("it is there");
        let text = check.render_help().to_string();
        assert!(text.contains("Examples:\n  hpdlc check app\n"), "{text}");
    }

    /// Pages of clap may be wide; the text written here is not wrapped by it.
    #[test]
    fn every_command_has_examples_that_fit_and_that_it_takes() {
        for (name, examples) in OF_COMMANDS {
            let lines = examples.lines().skip(1);
            for line in lines {
                assert!(line.len() <= 100, "{line}");
                let example = line.trim().split(" > ").next().unwrap_or_default();
                let example = example.split(" | ").next().unwrap_or_default();
                let example = example.split(" && ").next().unwrap_or_default();
                let words: Vec<&str> = example
                    .split("   ")
                    .next()
                    .unwrap_or_default()
                    .split(' ')
                    .collect();
                assert_eq!(words.first(), Some(&"hpdlc"), "{line}");
                assert_eq!(words.get(1), Some(&name), "{line}");
                // A quoted template is one word for a shell.
                if name != "eval" {
                    let taken = command().try_get_matches_from(&words);
                    assert!(taken.is_ok(), "{line}: {taken:?}");
                }
            }
        }
        assert_eq!(OF_COMMANDS.len(), shown(&Cli::command()).count());
    }
}
