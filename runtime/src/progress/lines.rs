//! Plain lines on standard error, where that is no terminal.

use std::io::{self, Write};

use crate::progress::{Progress, ProgressEvent, format_line, is_worth_a_line};

/// A line an event.
#[derive(Debug)]
pub struct Lines;

impl Progress for Lines {
    fn event(&mut self, event: &ProgressEvent) {
        if is_worth_a_line(event) {
            // In one piece, as standard error keeps nothing back.
            let mut line = format_line(event);
            line.push('\n');
            // A reader that is gone does not stop the job.
            let _ = io::stderr().write_all(line.as_bytes());
        }
    }
}
