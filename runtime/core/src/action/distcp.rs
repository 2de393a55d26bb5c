//! The `distcp` action: a copy between file systems as a Hadoop job.

use crate::action::{PrepareOperation, Settings};

body! {
    "distcp": Distcp {
        settings: Settings<F> = settings,
        prepare: F::List<PrepareOperation<F>> = prepare,
        java_opts: Option<F::Text> = optional "java-opts",
        /// The command line of `distcp`: options, sources, target.
        args: F::List<F::Text> = list "arg",
    }
}
