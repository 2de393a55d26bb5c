//! What `--help` says besides the options: commands in groups, examples, exit codes, the environment.

use clap::{Command, CommandFactory};

use crate::cli::Cli;

/// The commands in the order in which help lists them.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Find mistakes", &["check", "explain", "report"]),
    (
        "Make and run executables",
        &["build", "run", "emit", "setup"],
    ),
    (
        "Look into applications",
        &["graph", "schedule", "eval", "migrate"],
    ),
    ("Shell", &["completions", "man"]),
];

const EXAMPLES: &str = "\
Examples:
  hpdlc check app                          report mistakes in all documents below app
  hpdlc check app -c job.properties        the same, with the properties of a job
  hpdlc build app -o daily-logs            make the executable ./daily-logs
  hpdlc run app -c job.properties          make the executable and run it here
  hpdlc graph app                          draw the graph on the terminal
  hpdlc schedule app -c job.properties     list the next times of a coordinator
  hpdlc explain H0301                      explain the code of a message";

const EXIT_CODES: &str = "\
Exit codes:
  0    success; there may be warnings
  1    the input has errors
  2    wrong usage, or a file that cannot be read or written
  101  a bug in hpdlc
  `hpdlc run` exits with the code of the program; 2 if there is none because of errors.";

const ENVIRONMENT: &str = "\
Environment:
  HPDLC_CACHE      folder of the compiled runtime; default: hpdlc in the XDG cache folder
  HPDL_HOME        state folder of the jobs that `run` starts
  HPDL_SITE        settings of the site, as in oozie-site.xml
  HADOOP_CONF_DIR  configuration of Hadoop
  NO_COLOR         if set and not empty, no colors";

/// Examples of single commands.
const OF_COMMANDS: [(&str, &str); 10] = [
    (
        "check",
        "Examples:\n  hpdlc check app\n  hpdlc check app -c job.properties -D inputDir=/data\n  hpdlc check --format sarif app > hpdlc.sarif\n  hpdlc check -D warnings -A unused_parameters app",
    ),
    (
        "build",
        "Examples:\n  hpdlc build app                          ./NAME, after the application\n  hpdlc build app -c job.properties -o daily   properties only find sub-workflows\n  hpdlc build app --map hdfs://nn/apps=apps    sub-workflows in a local folder",
    ),
    (
        "run",
        "Examples:\n  hpdlc run app -c job.properties\n  hpdlc run app -- --json -D person=Ada        arguments of the program behind --",
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
        "Examples:\n  hpdlc schedule app -c job.properties\n  hpdlc schedule app --from 2026-11-20T00:00Z --to 2026-11-21T00:00Z",
    ),
    (
        "eval",
        "Examples:\n  hpdlc eval '${concat(\"a\", 1 + 2)}'\n  hpdlc eval -D n=3 '${n * GB}'",
    ),
    (
        "explain",
        "Examples:\n  hpdlc explain\n  hpdlc explain H0301\n  hpdlc explain unreachable_nodes\n  hpdlc explain E0708",
    ),
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
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}Options:\n{{options}}\n\n{{after-help}}\n",
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

/// The commands of each group with their first lines.
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

    #[test]
    fn every_command_is_in_one_group() {
        let grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| names.iter().copied())
            .collect();
        let unique: BTreeSet<&str> = grouped.iter().copied().collect();
        assert_eq!(unique.len(), grouped.len());
        let command = Cli::command();
        let all: BTreeSet<&str> = command.get_subcommands().map(Command::get_name).collect();
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
}
