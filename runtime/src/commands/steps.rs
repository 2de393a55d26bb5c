//! A progress line for long commands: shown at the bottom of a terminal and removed when the command ends. Without a terminal, nothing.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// One step of a command, of known length.
#[derive(Debug)]
pub(super) struct Steps(ProgressBar);

impl Steps {
    pub(super) fn new(what: &'static str, n_all: usize) -> Steps {
        // It draws nothing if standard error is not a terminal.
        let bar = ProgressBar::with_draw_target(Some(n_all as u64), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{msg} {pos} of {len}") {
            bar.set_style(style);
        }
        bar.set_message(what);
        Steps(bar)
    }

    pub(super) fn at(&self, n: usize) {
        let n_all = self.0.length().unwrap_or_default();
        self.0.set_position((n as u64).min(n_all));
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
