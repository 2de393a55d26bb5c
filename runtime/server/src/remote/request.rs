//! Sends a command to a server, and prints its answer as it arrives.

use std::io::{self, Write};

use hpdlc_host::{exit::RunError, user};

use crate::{
    api::command::{CommandOutput, CommandRequest},
    client::{Client, ClientError},
};

/// Has the server at `url` run a command, and prints what that prints; its exit code.
///
/// # Errors
///
/// Exit 2 if `url` is no URL of a server, or the server refuses it; exit 5 if it cannot be reached, fails, or its answer breaks off.
pub(crate) fn run(
    url: &str,
    token: Option<String>,
    request: &CommandRequest,
    reads: bool,
) -> Result<u8, RunError> {
    let client = Client::new(url).map_err(|error| failed(url, error))?;
    let client = match token {
        Some(token) => client.with_token(token),
        None => client.with_user(user::name()),
    };
    let url = client.url();
    let outputs = client.command(request, reads);
    for output in outputs.map_err(|error| failed(url, error))? {
        let output = output.map_err(|error| {
            RunError::machine(format!("{url}: {error}"))
                .with_help("whether the command was carried out, `hpdl info` and `hpdl audit` say")
        })?;
        let printed = match output {
            CommandOutput::Out(text) => write(&mut io::stdout().lock(), &text),
            CommandOutput::Err(text) => write(&mut io::stderr().lock(), &text),
            CommandOutput::Exit(code) => return Ok(code),
        };
        // Nobody reads any more.
        if printed.is_err() {
            return Ok(0);
        }
    }
    Ok(0)
}

fn failed(url: &str, error: ClientError) -> RunError {
    let (status, message) = match error {
        ClientError::Url(_) => {
            return RunError::usage(error.to_string())
                .with_help("such as http://localhost:11000/oozie, which `hpdl serve` prints");
        }
        ClientError::Unreachable(message) | ClientError::Unreadable(message) => {
            return RunError::machine(message)
                .with_help("`hpdl serve` starts a server, and prints its URL");
        }
        ClientError::Refused {
            status, message, ..
        } => (status, format!("{url}: {message}")),
    };
    match status {
        401 | 403 => {
            RunError::usage(message).with_help("a token is given in the variable HPDL_TOKEN")
        }
        404 => RunError::usage(message)
            .with_help("the URL ends with the base of the server, such as /oozie"),
        400..500 => RunError::usage(message),
        _ => RunError::machine(message),
    }
}

fn write(to: &mut dyn Write, text: &str) -> io::Result<()> {
    to.write_all(text.as_bytes())?;
    to.flush()
}
