//! The `spark` action: one application for `spark-submit`.

use crate::action::{PrepareOperation, Settings};

body! {
    "spark": Spark {
        settings: Settings<F> = settings,
        prepare: F::List<PrepareOperation<F>> = prepare,
        master: F::Text = text "master",
        /// `client` or `cluster`.
        mode: Option<F::Text> = optional "mode",
        name: F::Text = text "name",
        /// The main class; absent for Python and R.
        class: Option<F::Text> = optional "class",
        /// A JAR, or a file of Python or R.
        jar: F::Text = text "jar",
        /// Options of `spark-submit`, in one text.
        spark_opts: Option<F::Text> = optional "spark-opts",
        args: F::List<F::Text> = list "arg",
        /// Possibly several paths in one text, separated by commas; `#name` gives the link's name.
        files: F::List<F::Text> = list "file",
        archives: F::List<F::Text> = list "archive",
    }
}
