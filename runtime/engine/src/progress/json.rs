//! Events as JSON on standard output.

use std::{
    fmt::Write as _,
    io::{self, Write as _},
};

use hpdlc_host::shown;

use crate::progress::{Progress, ProgressEvent};

/// A JSON object a line.
#[derive(Debug, Default)]
pub struct JsonLines {
    /// Whoever reads standard output is woken by every piece that it gets.
    kept_back: String,
}

impl Progress for JsonLines {
    fn event(&mut self, event: &ProgressEvent) {
        // A string takes whatever is written.
        let _ = writeln!(self.kept_back, "{}", shown::json(&event.to_json()));
    }

    fn flush(&mut self) {
        let mut stdout = io::stdout();
        // A reader that is gone does not stop the job.
        let _ = stdout.write_all(self.kept_back.as_bytes());
        let _ = stdout.flush();
        self.kept_back.clear();
    }
}
