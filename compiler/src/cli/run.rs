//! `hpdlc run`: builds the executable and replaces itself with it, with the same properties.

use std::{ffi::OsString, process::Command};

use crate::{
    cli::{RunArguments, build, output::CommandOutput},
    driver::{Failure, application::Arguments},
};

pub(super) fn run(arguments: RunArguments, output: &mut CommandOutput) -> u8 {
    let input = match arguments.input.into_arguments() {
        Ok(input) => input,
        Err(failure) => return output.failure(&failure),
    };
    let built = match build::program(&arguments.path, arguments.options, &input, None, output) {
        Ok(built) => built,
        // The exit code 1 of `run` means that a job was killed.
        Err(code) => {
            return if code == super::EXIT_ERRORS {
                super::EXIT_USAGE
            } else {
                code
            };
        }
    };
    let mut command = Command::new(&built.path);
    command
        .arg("run")
        .args(properties(&input))
        .args(&arguments.arguments);
    output.failure(&replaced_by(&mut command))
}

/// `-c` and `-D` in the form that the executable accepts too.
fn properties(arguments: &Arguments) -> Vec<OsString> {
    let files = arguments
        .properties
        .files
        .iter()
        .flat_map(|path| [OsString::from("-c"), path.into()]);
    let definitions = arguments
        .properties
        .definitions
        .iter()
        .flat_map(|(name, value)| {
            [
                OsString::from("-D"),
                OsString::from(format!("{name}={value}")),
            ]
        });
    files.chain(definitions).collect()
}

/// Replaces this process with the program (`exec`), so that its signals, its terminal and its exit code are the program's
/// own. Returns only on failure.
#[cfg(unix)]
fn replaced_by(command: &mut Command) -> Failure {
    use std::os::unix::process::CommandExt;
    let error = command.exec();
    Failure::io("start", command.get_program().as_ref(), &error)
}

/// Starts the program and exits with its exit code. Returns only on failure.
#[cfg(not(unix))]
fn replaced_by(command: &mut Command) -> Failure {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(i32::from(super::EXIT_BUG))),
        Err(error) => Failure::io("start", command.get_program().as_ref(), &error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{driver::properties::PropertyArguments, rules::RULES};

    #[test]
    fn properties_are_passed_on_in_their_order() {
        let arguments = Arguments {
            properties: PropertyArguments {
                files: vec!["a.properties".into(), "b.xml".into()],
                definitions: vec![("x".to_owned(), "1=2".to_owned())],
            },
            ..Arguments::new(RULES)
        };
        assert_eq!(
            properties(&arguments),
            ["-c", "a.properties", "-c", "b.xml", "-D", "x=1=2"]
        );
    }
}
