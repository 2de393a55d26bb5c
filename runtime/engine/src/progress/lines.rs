//! Plain lines on standard error, if that is not a terminal.

use std::io::{self, Write};

use hpdlc_host::home::Home;
use hpdlc_host::shown;

use crate::progress::{
    Labels, Progress, ProgressEvent, TimeOfDay, is_worth_a_line, push_line, style::colored,
};

/// Prints a line per event.
pub struct EventLines {
    time: TimeOfDay,
    labels: Labels,
    /// A buffer: every write wakes the reader of standard error.
    kept_back: String,
}

impl EventLines {
    pub fn new() -> EventLines {
        EventLines {
            time: TimeOfDay::default(),
            labels: Labels::new(Home::open().ok()),
            kept_back: String::new(),
        }
    }
}

impl Default for EventLines {
    fn default() -> EventLines {
        EventLines::new()
    }
}

impl Progress for EventLines {
    fn event(&mut self, event: &ProgressEvent) {
        if is_worth_a_line(event) {
            let mut line = String::new();
            let time = self.time.format(event.time);
            push_line(&mut line, time, event, &mut self.labels);
            self.kept_back
                .push_str(&colored(&line, event.status.as_deref()));
            self.kept_back.push('\n');
        }
    }

    fn flush(&mut self) {
        // If standard error is closed, the job goes on.
        let _ = io::stderr().write_all(shown::text(&self.kept_back).as_bytes());
        self.kept_back.clear();
    }
}
