//! The `git` action: clones a repository to a file system.

use crate::action::{PrepareOperation, Settings};

body! {
    "git": Git {
        settings: Settings<F> = settings,
        prepare: F::List<PrepareOperation<F>> = prepare,
        git_uri: F::Text = text "git-uri",
        branch: Option<F::Text> = optional "branch",
        /// The private key for `ssh` URIs.
        key_path: Option<F::Text> = optional "key-path",
        destination_uri: F::Text = text "destination-uri",
    }
}
