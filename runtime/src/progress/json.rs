//! Events as JSON on standard output.

use std::io::{self, Write};

use crate::progress::{Progress, ProgressEvent};

/// A JSON object a line.
#[derive(Debug)]
pub struct JsonLines;

impl Progress for JsonLines {
    fn event(&mut self, event: &ProgressEvent) {
        // A reader that is gone does not stop the job.
        let _ = writeln!(io::stdout(), "{}", event.to_json());
    }
}
