//! Why a text is not a template.

use std::{error::Error, fmt};

use crate::el::ast::TextRange;

/// A syntax error in a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// One phrase: what was expected, then what was found.
    pub message: String,
    pub range: TextRange,
    /// What the user can write instead.
    pub help: Option<String>,
}

impl ParseError {
    pub(super) fn new(message: impl Into<String>, range: TextRange) -> ParseError {
        ParseError {
            message: message.into(),
            range,
            help: None,
        }
    }

    pub(super) fn with_help(mut self, help: impl Into<String>) -> ParseError {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

impl Error for ParseError {}
