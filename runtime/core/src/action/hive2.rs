//! The `hive2` action: one script or query, run by HiveServer2.

use crate::action::{HiveSource, PrepareOperation, Settings};

body! {
    "hive2": Hive2 {
        settings: Settings<F> = settings,
        prepare: F::List<PrepareOperation<F>> = prepare,
        jdbc_url: F::Text = text "jdbc-url",
        password: Option<F::Text> = optional "password",
        source: HiveSource<F> = choice,
        /// `NAME=VALUE`, for the script.
        params: F::List<F::Text> = list "param",
        /// For the command line of `beeline`.
        arguments: F::List<F::Text> = list "argument",
        /// Possibly several paths in one text, separated by commas; `#name` gives the link's name.
        files: F::List<F::Text> = list "file",
        archives: F::List<F::Text> = list "archive",
    }
}
