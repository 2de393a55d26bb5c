//! What hpdlc says about its own work, on stderr, in cargo's manner: a verb and what it is about.

use std::io::{IsTerminal, Write};

use super::shown;

/// Where such lines go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    is_silent: bool,
    /// Whether stderr shows colors.
    has_color: bool,
    is_terminal: bool,
}

impl Progress {
    pub fn to_stderr(has_color: bool) -> Progress {
        Progress {
            is_silent: false,
            has_color,
            is_terminal: std::io::stderr().is_terminal(),
        }
    }

    pub fn silent() -> Progress {
        Progress {
            is_silent: true,
            has_color: false,
            is_terminal: false,
        }
    }

    /// Whether a program that we call may draw its own progress on stderr.
    pub fn is_terminal(&self) -> bool {
        self.is_terminal && !self.is_silent
    }

    /// Says that something begins or has been done.
    pub fn say(&self, verb: &str, what: &str) {
        if self.is_silent {
            return;
        }
        let line = if self.has_color {
            format!("\x1b[1m\x1b[32m{verb:>12}\x1b[0m {what}\n")
        } else {
            format!("{verb:>12} {what}\n")
        };
        // Nobody may be left to read it; the work goes on.
        drop(std::io::stderr().write_all(shown::text(&line).as_bytes()));
    }
}
