//! What `hpdl --url` and a server say to each other.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The path below the base of a server: GET for commands that only read, POST for all.
pub(crate) const PATH: &str = "/hpdl/v1/command";

/// The content type of the answer: a [`CommandOutput`] a line.
pub(crate) const LINES: &str = "application/x-ndjson";

/// The body of a POST. A GET has `arg` for each argument, `color` and `tz`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandRequest {
    /// The command and its arguments, without properties.
    pub arguments: Vec<String>,
    /// The files of `-c`, in their order.
    #[serde(default)]
    pub files: Vec<GivenFile>,
    /// Those of `-D`.
    #[serde(default)]
    pub properties: BTreeMap<String, String>,
    /// Whether what is printed has colors.
    #[serde(default)]
    pub color: bool,
    /// The zone of the times that are printed, as in the variable `TZ`.
    #[serde(default)]
    pub time_zone: Option<String>,
}

/// A file with properties.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GivenFile {
    /// As it was given on the command line: messages say it.
    pub name: String,
    /// Its whole text.
    pub text: String,
}

/// A line of the answer. The last one is [`CommandOutput::Exit`]: without it the answer has broken off.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CommandOutput {
    /// To standard output.
    Out(String),
    /// To standard error.
    Err(String),
    /// The exit code of the command.
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
