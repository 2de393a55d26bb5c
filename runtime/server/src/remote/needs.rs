//! Which right a command needs on a server, and which ones no server runs.

use std::path::PathBuf;

use clap::ArgMatches;

/// What the caller of a command must be allowed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// To see jobs.
    Read,
    /// To command jobs; this one, if there is one.
    Operate(Option<String>),
    /// To change the server and everybody's jobs.
    Admin,
}

const ITS_FILE: &str =
    "--output is a file of the machine of the server: redirect what is printed instead";

/// The need of a command line of `hpdl`.
///
/// # Errors
///
/// Why no server runs it.
pub(crate) fn of(matches: &ArgMatches) -> Result<Need, String> {
    let Some((name, given)) = matches.subcommand() else {
        return Err("a command is missing".to_owned());
    };
    if given
        .try_get_one::<PathBuf>("output")
        .ok()
        .flatten()
        .is_some()
    {
        return Err(ITS_FILE.to_owned());
    }
    let job = || given.try_get_one::<String>("id").ok().flatten().cloned();
    let has = |flag: &str| {
        let found = given.try_get_one::<bool>(flag).ok().flatten();
        found.copied().unwrap_or(false)
    };
    Ok(match name {
        "jobs" | "info" | "log" | "watch" | "actions" | "graph" | "timeline" | "definition"
        | "settings" => Need::Read,
        "doctor" if !has("migrate") => Need::Read,
        "run" | "submit" => Need::Operate(None),
        "start" | "suspend" | "resume" | "kill" | "rerun" | "change" | "ignore" | "update" => {
            Need::Operate(job())
        }
        "recover" if has("watch") => {
            return Err("a server recovers jobs by itself: `hpdl serve`".to_owned());
        }
        "recover" => job().map_or(Need::Admin, |id| Need::Operate(Some(id))),
        "doctor" | "purge" | "audit" => Need::Admin,
        "token" if matches!(given.subcommand_name(), None | Some("list")) => Need::Admin,
        "apps" => match given.subcommand_name() {
            None | Some("list" | "show") => Need::Read,
            Some("activate" | "suspend" | "deactivate" | "undeploy") => Need::Admin,
            Some(other) => {
                return Err(format!(
                    "`apps {other}` reads a file of the machine of the server: type it there"
                ));
            }
        },
        other => {
            return Err(format!(
                "`{other}` works on the state folder itself: type it on the machine of the server"
            ));
        }
    })
}
