//! The `shell` action: one command, run without a shell.

use crate::action::{PrepareOperation, Settings};

body! {
    "shell": Shell {
        settings: Settings<F> = settings,
        prepare: F::List<PrepareOperation<F>> = prepare,
        exec: F::Text = text "exec",
        arguments: F::List<F::Text> = list "argument",
        /// `NAME=VALUE`, split at the first `=` after evaluation.
        env_vars: F::List<F::Text> = list "env-var",
        /// Possibly several paths in one text, separated by commas; `#name` gives the link's name.
        files: F::List<F::Text> = list "file",
        archives: F::List<F::Text> = list "archive",
        capture_output: bool = flag,
    }
}
