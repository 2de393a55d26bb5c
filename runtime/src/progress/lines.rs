//! Plain lines on standard error, where that is no terminal.

use std::io::{self, Write};

use crate::progress::{Progress, ProgressEvent, TimeOfDay, is_worth_a_line, push_line};

/// A line an event.
#[derive(Debug, Default)]
pub struct Lines {
    time: TimeOfDay,
    /// Whoever reads standard error is woken by every piece that it gets.
    kept_back: String,
}

impl Progress for Lines {
    fn event(&mut self, event: &ProgressEvent) {
        if is_worth_a_line(event) {
            push_line(&mut self.kept_back, self.time.format(event.time), event);
            self.kept_back.push('\n');
        }
    }

    fn flush(&mut self) {
        // A reader that is gone does not stop the job.
        let _ = io::stderr().write_all(self.kept_back.as_bytes());
        self.kept_back.clear();
    }
}
