//! How far a command has come that takes its time: a line at the bottom of a terminal that is gone when the command has ended. Nothing elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// One part of a command, of which it is known how much there is.
#[derive(Debug)]
pub(super) struct Steps(ProgressBar);

impl Steps {
    pub(super) fn new(what: &'static str, n_all: usize) -> Steps {
        // It draws nothing where standard error is no terminal.
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
