//! `action`: one call of an own action outside of any job. Workflows that were written for Oozie run it in a `shell` action.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs::File,
    io::{self, Write as _},
};

use clap::Args;
use hpdlc_executors::rust;
use hpdlc_host::exit::{Exit, RunError};
use nix::unistd;

use crate::commands::say;

#[derive(Debug, Args)]
pub(super) struct Action {
    /// Name of the action
    name: String,
    /// Its arguments, in order
    #[arg(allow_hyphen_values = true, trailing_var_arg = true)]
    arguments: Vec<String>,
}

impl Action {
    pub(super) fn execute(&self) -> Result<Exit, RunError> {
        let known = rust::names();
        if !known.contains(&self.name.as_str()) {
            return Err(RunError {
                help: (!known.is_empty()).then(|| format!("its actions: {}", known.join(", "))),
                ..RunError::usage(format!("this program has no action `{}`", self.name))
            });
        }
        // Oozie takes all of standard output for data. What the function prints is its log.
        let failed =
            |error: io::Error| RunError::machine(format!("cannot use standard output: {error}"));
        let data_output = unistd::dup(io::stdout()).map_err(|error| failed(error.into()))?;
        unistd::dup2_stdout(io::stderr()).map_err(|error| failed(error.into()))?;
        match rust::call_once(&self.name, &self.arguments) {
            Ok(data) => {
                let text = as_properties(&data);
                let mut out = File::from(data_output);
                out.write_all(text.as_bytes()).map_err(failed)?;
                Ok(Exit::Success)
            }
            Err(error) => {
                say(&format!("error: {}: {}", error.code, error.message));
                Ok(Exit::Killed)
            }
        }
    }
}

/// A properties file of Java with these entries.
fn as_properties(data: &BTreeMap<String, String>) -> String {
    let mut text = String::new();
    for (name, value) in data {
        let _ = writeln!(text, "{}={}", escaped(name, true), escaped(value, false));
    }
    text
}

fn escaped(text: &str, is_name: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{c}' => out.push_str("\\f"),
            // A value keeps its blanks, except those before it.
            ' ' if is_name || at == 0 => out.push_str("\\ "),
            '=' | ':' if is_name => {
                out.push('\\');
                out.push(character);
            }
            '#' | '!' if is_name && at == 0 => {
                out.push('\\');
                out.push(character);
            }
            _ => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_written_as_java_reads_it() {
        let data = BTreeMap::from(
            [
                ("lines", "4"),
                ("#a b:c=d", " two  words"),
                ("path", "C:\\x\ny=1"),
            ]
            .map(|(name, value)| (name.to_owned(), value.to_owned())),
        );
        let text = as_properties(&data);
        assert_eq!(
            text,
            "\\#a\\ b\\:c\\=d=\\ two  words\nlines=4\npath=C:\\\\x\\ny=1\n"
        );
        let read = hpdlc_core::properties::parse(text.as_bytes()).expect("it is well-formed");
        assert_eq!(read.to_map(), data);
    }
}
