//! What `hpdl --url` and a server say to each other.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The path below the base of a server: GET for commands that only read, POST for all.
pub(crate) const PATH: &str = "/hpdl/v1/command";

/// The content type of the answer: a [`CommandOutput`] a line.
pub(crate) const LINES: &str = "application/x-ndjson";

/// The body of a POST. A GET has `arg` for each argument, `color` and `tz`.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CommandRequest {
    /// The command and its arguments, without properties.
    pub(crate) arguments: Vec<String>,
    /// The files of `-c`, in their order.
    #[serde(default)]
    pub(crate) files: Vec<GivenFile>,
    /// Those of `-D`.
    #[serde(default)]
    pub(crate) properties: BTreeMap<String, String>,
    /// Whether what is printed has colors.
    #[serde(default)]
    pub(crate) color: bool,
    /// The zone of the times that are printed, as in the variable `TZ`.
    #[serde(default)]
    pub(crate) time_zone: Option<String>,
}

/// A file with properties.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GivenFile {
    /// As it was given on the command line: messages say it.
    pub(crate) name: String,
    pub(crate) text: String,
}

/// A line of the answer. The last one is [`CommandOutput::Exit`]: without it the answer has broken off.
#[derive(Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CommandOutput {
    /// To standard output.
    Out(String),
    /// To standard error.
    Err(String),
    Exit(u8),
}

impl CommandOutput {
    /// The line, with its end.
    pub(crate) fn line(&self) -> String {
        // Texts and numbers always are JSON.
        let mut line = serde_json::to_string(self).unwrap_or_default();
        line.push('\n');
        line
    }
}
