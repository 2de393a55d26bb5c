//! Colors of output for the user: on a terminal, unless the environment or `--color` says otherwise.

use std::{
    env,
    io::{self, IsTerminal},
    sync::OnceLock,
};

use clap::ValueEnum;

/// What `--color` may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    // On a terminal, as NO_COLOR, CLICOLOR and CLICOLOR_FORCE say.
    #[default]
    Auto,
    Always,
    Never,
}

static CHOICE: OnceLock<ColorChoice> = OnceLock::new();

/// Sets the choice of the command line; the first call counts.
pub fn choose(choice: ColorChoice) {
    let _ = CHOICE.set(choice);
}

/// Whether standard output is colored.
pub fn stdout() -> bool {
    is_colored(io::stdout().is_terminal())
}

/// Whether standard error is colored.
pub fn stderr() -> bool {
    is_colored(io::stderr().is_terminal())
}

fn is_colored(is_terminal: bool) -> bool {
    let choice = CHOICE.get().copied().unwrap_or_default();
    decide(choice, is_terminal, |name| env::var(name).ok())
}

/// The conventions of no-color.org and bixense.com/clicolors.
fn decide(
    choice: ColorChoice,
    is_terminal: bool,
    variable: impl Fn(&str) -> Option<String>,
) -> bool {
    match choice {
        ColorChoice::Always => return true,
        ColorChoice::Never => return false,
        ColorChoice::Auto => {}
    }
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    if set("NO_COLOR").is_some() {
        return false;
    }
    if set("CLICOLOR_FORCE").is_some_and(|value| value != "0") {
        return true;
    }
    is_terminal
        && set("CLICOLOR").is_none_or(|value| value != "0")
        && set("TERM").is_none_or(|value| value != "dumb")
}

/// The color of a state of a job, a node, or an action of a coordinator. None for a normal state that is not final.
pub fn of_status(status: &str) -> Option<&'static str> {
    Some(match status {
        "OK" | "SUCCEEDED" | "MET" => "32",
        "ERROR" | "FAILED" | "KILLED" | "TIMEDOUT" | "DONEWITHERROR" | "MISS" => "31",
        "RUNNINGWITHERROR" | "SUSPENDEDWITHERROR" | "PAUSEDWITHERROR" => "31",
        "START_RETRY" | "USER_RETRY" | "START_MANUAL" | "SUSPENDED" | "PAUSED"
        | "PREPSUSPENDED" | "PREPPAUSED" => "33",
        "RUNNING" | "SUBMITTED" => "36",
        "PREP" | "WAITING" | "READY" | "SKIPPED" | "IGNORED" => "2",
        _ => return None,
    })
}

/// A line for standard error in the color of its state.
pub fn colored(line: &str, status: Option<&str>) -> String {
    let code = match status {
        // Normal states come by the hundred.
        Some("OK" | "RUNNING" | "PREP") | None => None,
        Some(status) => of_status(status),
    };
    match code {
        Some(code) if stderr() => paint(line, code),
        Some(_) | None => line.to_owned(),
    }
}

/// Text in a color, or bold (`1`) or dim (`2`).
pub fn paint(text: &str, code: &str) -> String {
    format!("\u{1b}[{code}m{text}\u{1b}[0m")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_counts_before_the_environment_and_that_before_the_terminal() {
        use ColorChoice::{Always, Auto, Never};
        for (choice, is_terminal, environment, expected) in [
            (Auto, true, &[][..], true),
            (Auto, false, &[], false),
            (Auto, true, &[("NO_COLOR", "1")], false),
            (Auto, true, &[("NO_COLOR", "")], true),
            (Auto, false, &[("CLICOLOR_FORCE", "1")], true),
            (Auto, false, &[("CLICOLOR_FORCE", "0")], false),
            (
                Auto,
                false,
                &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")],
                false,
            ),
            (Auto, true, &[("CLICOLOR", "0")], false),
            (Auto, true, &[("TERM", "dumb")], false),
            (Always, false, &[("NO_COLOR", "1")], true),
            (Never, true, &[("CLICOLOR_FORCE", "1")], false),
        ] {
            let variable = |name: &str| {
                let found = environment.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            let found = decide(choice, is_terminal, variable);
            assert_eq!(found, expected, "{choice:?} {is_terminal} {environment:?}");
        }
    }
}
