//! `man`: manual pages, generated from `--help`. `hpdlc man` uses a library for it, which would be a hundredth of an executable.

use std::{fs, path::PathBuf};

use clap::{Arg, Args, Command};
use hpdlc_host::exit::{Exit, RunError};
use hpdlc_program::table::Program;

use crate::commands::{self, completions::file_name, graph::write_whole, help, write_out};

#[derive(Debug, Args)]
pub(super) struct Man {
    /// A folder: a page for the executable, and one for each command, such as NAME-run.1; without it, the first is printed
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

impl Man {
    pub(super) fn execute(&self, program: &'static Program) -> Result<Exit, RunError> {
        let mut pages = all(commands::command(program).name(file_name()));
        let Some(folder) = &self.output else {
            pages.truncate(1);
            let texts: String = pages.iter_mut().map(|(name, it)| page(name, it)).collect();
            write_out(&texts)?;
            return Ok(Exit::Success);
        };
        fs::create_dir_all(folder).map_err(|error| {
            RunError::usage(format!(
                "cannot make the folder {}: {error}",
                folder.display()
            ))
        })?;
        for (name, command) in &mut pages {
            let path = folder.join(format!("{name}.1"));
            write_whole(&path, page(name, command).as_bytes())?;
        }
        Ok(Exit::Success)
    }
}

/// The command and its visible subcommands, with the names of their pages.
fn all(mut command: Command) -> Vec<(String, Command)> {
    let name = command.get_name().to_owned();
    command.build();
    let below: Vec<(String, Command)> = shown(&command)
        .into_iter()
        .map(|one| (format!("{name}-{}", one.get_name()), one.clone()))
        .collect();
    [(name, command)].into_iter().chain(below).collect()
}

/// The commands that have a page, in the order of `--help`.
fn shown(command: &Command) -> Vec<&Command> {
    let is_shown = |one: &&Command| !one.is_hide_set() && one.get_name() != "help";
    let mut shown: Vec<&Command> = command.get_subcommands().filter(is_shown).collect();
    shown.sort_by_key(|one| help::position(one.get_name()));
    shown
}

/// A page in the format of man(7).
fn page(name: &str, command: &mut Command) -> String {
    let about = command.get_about().map(ToString::to_string);
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").to_owned();
    let mut page = format!(
        ".TH \"{}\" 1\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}\n",
        escaped(name),
        escaped(name),
        escaped(&about.unwrap_or_default()),
        escaped(&usage)
    );
    let mut commands = String::new();
    for one in shown(command) {
        let about = one.get_about().map(ToString::to_string);
        let title = format!("{name}-{}(1)", one.get_name());
        entry(&mut commands, &title, &about.unwrap_or_default());
    }
    let (mut arguments, mut options) = (String::new(), String::new());
    for argument in command.get_arguments().filter(|one| !one.is_hide_set()) {
        let text = if argument.is_positional() {
            &mut arguments
        } else {
            &mut options
        };
        entry(text, &title(argument), &description(argument));
    }
    for (title, text) in [
        ("COMMANDS", commands),
        ("ARGUMENTS", arguments),
        ("OPTIONS", options),
    ] {
        if !text.is_empty() {
            page.push_str(&format!(".SH {title}\n{text}"));
        }
    }
    if let Some(after) = command.get_after_help() {
        page.push_str(&format!(
            ".SH NOTES\n.nf\n{}\n.fi\n",
            escaped(&after.to_string())
        ));
    }
    page
}

fn entry(text: &mut String, title: &str, about: &str) {
    text.push_str(&format!(
        ".TP\n\\fB{}\\fR\n{}\n",
        escaped(title),
        escaped(about)
    ));
}

/// `-c, --config FILE`.
fn title(argument: &Arg) -> String {
    let short = argument.get_short().map(|short| format!("-{short}"));
    let long = argument.get_long().map(|long| format!("--{long}"));
    let names: Vec<String> = short.into_iter().chain(long).collect();
    let value = argument
        .get_action()
        .takes_values()
        .then(|| argument.get_value_names())
        .flatten()
        .into_iter()
        .flatten()
        .map(ToString::to_string);
    let words: Vec<String> = [names.join(", ")].into_iter().chain(value).collect();
    words.join(" ").trim().to_owned()
}

fn description(argument: &Arg) -> String {
    let mut text = argument
        .get_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    let values = argument.get_possible_values();
    if !values.is_empty() && !argument.is_hide_possible_values_set() {
        let names: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
        text.push_str(&format!(" [{}]", names.join(", ")));
    }
    text
}

/// Escapes text for man(7).
fn escaped(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        if line.starts_with(['.', '\'']) {
            format!("\\&{line}")
        } else {
            line
        }
    });
    lines.collect::<Vec<String>>().join("\n")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::commands::Arguments;

    #[test]
    fn each_command_that_is_shown_has_a_page() {
        let mut pages = all(Arguments::command().name("night"));
        let mut text = |wanted: &str| {
            let found = pages.iter_mut().find(|(name, _)| name == wanted);
            found.map(|(name, command)| page(name, command))
        };
        let night = text("night").unwrap();
        assert!(night.starts_with(".TH \"night\" 1\n.SH NAME\n"), "{night}");
        assert!(
            night.contains("\\fBnight\\-run(1)\\fR\nRun a new job"),
            "{night}"
        );
        let jobs = text("night-jobs").unwrap();
        assert!(jobs.contains("\\fB\\-n, \\-\\-limit N\\fR\n"), "{jobs}");
        assert!(jobs.contains("Only jobs in these states"), "{jobs}");
        let completions = text("night-completions").unwrap();
        assert!(
            completions.contains("fish, powershell, zsh]"),
            "{completions}"
        );
        assert_eq!(text("night-own"), None);
        assert_eq!(text("night-complete"), None);
    }

    #[test]
    fn what_begins_like_a_command_of_man_is_text() {
        assert_eq!(escaped(".a\n'b\\c -d"), "\\&.a\n\\&'b\\ec \\-d");
    }
}
