//! `hpdl --url`: has a server run a command, and prints what that prints.
//!
//! The command is one of `hpdl` itself, which the server runs on its state folder (`serve/command.rs`): so the words are the same here and
//! there. [`needs`] who may give which command, [`given`] takes the files and properties out
//! of a command line, since they are on this machine, and [`request`] sends it.

mod given;
pub(crate) mod needs;
mod request;

use std::env;

use clap::ArgMatches;
use hpdlc_host::exit::RunError;

use self::needs::Need;
use crate::api::command::CommandRequest;

/// The address of a server, for all commands.
const URL: &str = "HPDL_URL";
/// The token for that server.
const TOKEN: &str = "HPDL_TOKEN";

/// The variables that a server does not pass on to the commands that it runs.
pub(crate) const ENVIRONMENT: [&str; 2] = [URL, TOKEN];

/// The address of the server that is to run a command, by the option or the environment.
pub(crate) fn url(option: Option<&str>) -> Option<String> {
    let of_environment = || env::var(URL).ok();
    let url = option.map(str::to_owned).or_else(of_environment);
    url.filter(|url| !url.trim().is_empty())
}

/// Has the server run the command of this process; the exit code is that of the command there.
///
/// # Errors
///
/// Exit 2 if the command is not for servers, a file cannot be read, or the server refuses; exit 5 if it cannot be reached or breaks off.
pub(crate) fn execute(url: &str, matches: &ArgMatches, color: bool) -> Result<u8, RunError> {
    let need = needs::of(matches).map_err(|why| {
        RunError::usage(why).with_help(format!(
            "without --url and {URL} it works on the state folder of this machine"
        ))
    })?;
    let words = env::args_os().skip(1).map(|word| {
        word.into_string()
            .map_err(|word| RunError::usage(format!("{} is not UTF-8", word.to_string_lossy())))
    });
    let given = given::of(matches, &words.collect::<Result<Vec<_>, _>>()?)?;
    let request = CommandRequest {
        arguments: given.arguments,
        files: given.files,
        properties: given.properties,
        color,
        time_zone: env::var("TZ").ok(),
    };
    request::run(url, env::var(TOKEN).ok(), &request, need == Need::Read)
}
