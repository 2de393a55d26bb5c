//! Events as JSON on standard output.

use std::{
    fmt::Write as _,
    io::{self, Write as _},
};

use hpdlc_host::shown;

use crate::progress::{Progress, ProgressEvent};

/// Prints a JSON object per line.
#[derive(Debug, Default)]
pub struct JsonLines {
    /// A buffer: every write wakes the reader of standard output.
    kept_back: String,
}

impl Progress for JsonLines {
    fn event(&mut self, event: &ProgressEvent) {
        // Writing to a string does not fail.
        let _ = writeln!(self.kept_back, "{}", shown::json(&event.to_json()));
    }

    fn flush(&mut self) {
        let mut stdout = io::stdout();
        // If standard output is closed, the job goes on.
        let _ = stdout.write_all(self.kept_back.as_bytes());
        let _ = stdout.flush();
        self.kept_back.clear();
    }
}
