//! Wrong usage, as clap reports it.

use clap::error::{ContextKind, ContextValue};

use super::{EXIT_FINE, EXIT_USAGE};

/// The commands of executables that `hpdlc` does not have; `oozie job` has options with many of these names.
const EXECUTABLE_COMMANDS: [&str; 25] = [
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

/// Help and version are a success; anything else is wrong usage. A closed pipe does not change that.
pub(super) fn usage(error: clap::Error) -> u8 {
    let error = with_tip(error);
    drop(error.print());
    if error.use_stderr() {
        EXIT_USAGE
    } else {
        EXIT_FINE
    }
}

/// Adds a tip where a command of executables was given to `hpdlc`.
pub(super) fn with_tip(mut error: clap::Error) -> clap::Error {
    if let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand)
        && EXECUTABLE_COMMANDS.contains(&name.as_str())
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
    use clap::Parser;

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn a_command_of_executables_is_told_as_such() {
        for (name, has_tip) in [("dryrun", true), ("kill", true), ("bake", false)] {
            let error = Cli::try_parse_from(["hpdlc", name]).expect_err("no command of hpdlc");
            let text = with_tip(error).to_string();
            let tip = format!("then `./NAME {name}`");
            assert_eq!(text.contains(&tip), has_tip, "{text}");
        }
    }
}
