//! The help of an executable: its commands in groups, without those for other kinds of jobs, with examples, exit codes and the
//! environment variables.

use std::fmt::Write as _;

use clap::Command;
use hpdlc_executors::rust;
use hpdlc_program::table::Entry;

/// Groups of commands by purpose, in the order in which they are shown.
const GROUPS: [(&str, &[&str]); 6] = [
    (
        "Run and control jobs",
        &[
            "run", "submit", "start", "suspend", "resume", "kill", "rerun", "recover",
        ],
    ),
    (
        "Look at jobs",
        &[
            "jobs", "info", "watch", "log", "actions", "graph", "timeline",
        ],
    ),
    (
        "Coordinators and bundles",
        &["change", "update", "ignore", "simulate"],
    ),
    (
        "Look at this executable",
        &[
            "dryrun",
            "params",
            "settings",
            "definition",
            "register",
            "action",
        ],
    ),
    ("The state folder", &["doctor", "backup", "purge"]),
    ("Shell", &["completions", "man"]),
];

/// Commands for coordinators and bundles. A workflow's executable has them too, for jobs of other executables.
const SCHEDULED: [&str; 5] = ["actions", "change", "update", "ignore", "simulate"];

/// Their options, by command.
const SCHEDULED_OPTIONS: [(&str, &[&str]); 3] = [
    ("run", &["speed"]),
    ("kill", &["action", "date"]),
    (
        "rerun",
        &["action", "date", "coordinator", "refresh", "nocleanup"],
    ),
];

const EXIT_CODES: &str = "\
Exit codes of `run`, and of what waits like it:
  0  SUCCEEDED
  1  KILLED
  2  wrong usage, an unknown job, or refused (every command)
  3  FAILED
  4  suspended, paused or not started
  5  the machine failed (disk, store, lock); the job can be recovered
  6  DONEWITHERROR";

/// The environment variables, for the end of the help.
pub const ENVIRONMENT: &str = "\
Environment:
  HPDL_HOME        state folder (default: hpdl in the XDG state directory)
  HPDL_SITE        settings file (default: hpdl-site.xml in the state folder)
  HPDL_STORE_URL   database of the jobs (default: hpdl.store.url, else a file)
  HPDL_STORE_KEY   key of the job store (default: hpdl.store.key, else none)
  HADOOP_CONF_DIR  Hadoop's configuration files
  NO_COLOR, CLICOLOR, CLICOLOR_FORCE  whether states have colors";

/// The root command with its help, for an executable of this kind.
pub(super) fn arrange(mut command: Command, entry: &Entry) -> Command {
    if rust::names().is_empty() {
        command = command.mut_subcommand("action", |it| it.hide(true));
    }
    let is_workflow = matches!(entry, Entry::Workflow);
    if is_workflow {
        for name in SCHEDULED {
            command = command.mut_subcommand(name, |it| it.hide(true));
        }
        for (name, options) in SCHEDULED_OPTIONS {
            command = command.mut_subcommand(name, |mut it| {
                for option in options {
                    it = it.mut_arg(*option, |argument| argument.hide(true));
                }
                it
            });
        }
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}Options:\n{{options}}{{after-help}}",
        grouped(&command, &GROUPS)
    );
    let examples = examples(command.get_name(), is_workflow);
    command
        .help_template(template)
        .after_help(format!("{examples}\n\n{EXIT_CODES}\n\n{ENVIRONMENT}"))
        .mut_subcommand("run", |it| it.after_help(EXIT_CODES))
}

/// The index of a command in the order of all groups.
pub(super) fn position(name: &str) -> usize {
    let mut names = GROUPS.iter().flat_map(|(_, names)| names.iter());
    names.position(|known| *known == name).unwrap_or(usize::MAX)
}

/// The visible commands, by group; those without a group at the end.
pub fn grouped(command: &Command, groups: &[(&str, &[&str])]) -> String {
    let about = |it: &Command| it.get_about().map(ToString::to_string).unwrap_or_default();
    let shown: Vec<(&str, String)> = command
        .get_subcommands()
        .filter(|it| !it.is_hide_set())
        .map(|it| (it.get_name(), about(it)))
        .collect();
    let width = shown.iter().map(|(name, _)| name.len()).max();
    let width = width.unwrap_or_default() + 2;
    let mut text = String::new();
    let mut write = |title: &str, commands: &[&(&str, String)]| {
        if commands.is_empty() {
            return;
        }
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{title}:");
        for (name, about) in commands {
            let _ = writeln!(text, "  {name:<width$}{about}");
        }
        text.push('\n');
    };
    for &(title, names) in groups {
        let commands: Vec<&(&str, String)> = names
            .iter()
            .filter_map(|name| shown.iter().find(|(known, _)| known == name))
            .collect();
        write(title, &commands);
    }
    let others: Vec<&(&str, String)> = shown
        .iter()
        .filter(|(name, _)| !groups.iter().any(|(_, names)| names.contains(name)))
        .collect();
    write("Others", &others);
    text
}

fn examples(name: &str, is_workflow: bool) -> String {
    let mut text = format!(
        "Examples:
  ./{name} run -c job.properties -D day=2026-11-25
  ./{name} watch             the newest job, live
  ./{name} info last         what happened in it, and why
  ./{name} log last NODE -f  what an action prints
  ./{name} jobs --status KILLED,FAILED --since 2d"
    );
    let more = if is_workflow {
        format!("\n  ./{name} rerun last --failed")
    } else {
        format!(
            "\n  ./{name} actions last
  ./{name} log 8@3           of the workflow of action 3 of coordinator 8
  ./{name} rerun 8 --action 3-5"
        )
    };
    text.push_str(&more);
    text
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::commands::Arguments;

    fn help(entry: &Entry) -> String {
        let command = Arguments::command().name("night");
        arrange(command, entry).render_help().to_string()
    }

    #[test]
    fn every_command_has_a_group() {
        let help = help(&Entry::Workflow);
        assert!(!help.contains("Others:"), "{help}");
        for (title, _) in GROUPS
            .into_iter()
            .filter(|(title, _)| !title.contains("bundles"))
        {
            assert!(help.contains(&format!("\n{title}:\n")), "{help}");
        }
        for part in [
            "\nExamples:\n  ./night run ",
            "\n  5  the machine failed",
            "\n  HPDL_HOME ",
        ] {
            assert!(help.contains(part), "{part}: {help}");
        }
        assert!(!help.contains("\n  own"), "{help}");
    }

    #[test]
    fn a_workflow_does_not_show_the_commands_of_coordinators() {
        let help = help(&Entry::Workflow);
        for name in SCHEDULED {
            assert!(!help.contains(&format!("\n  {name} ")), "{help}");
        }
        let mut command = arrange(Arguments::command().name("night"), &Entry::Workflow);
        let rerun = command
            .find_subcommand_mut("rerun")
            .map(Command::render_help);
        let rerun = rerun.map(|it| it.to_string()).unwrap_or_default();
        assert!(
            rerun.contains("--failed") && !rerun.contains("--nocleanup"),
            "{rerun}"
        );
    }

    #[test]
    fn help_is_a_command_too() {
        let command = || arrange(Arguments::command().name("night"), &Entry::Workflow);
        for words in [&["night", "help"][..], &["night", "help", "run"]] {
            let shown = command().try_get_matches_from(words);
            let kind = shown.map_err(|error| error.kind()).err();
            assert_eq!(kind, Some(clap::error::ErrorKind::DisplayHelp), "{words:?}");
        }
    }

    #[test]
    fn lines_fit_a_terminal() {
        let help = help(&Entry::Workflow);
        let long = help.lines().find(|line| line.chars().count() > 80);
        assert_eq!(long, None);
    }
}
