//! The `sub-workflow` action: a child job of another application.

use crate::action::Settings;

body! {
    "sub-workflow": SubWorkflow {
        settings: Settings<F> = settings,
        /// A folder or its `workflow.xml`.
        app_path: F::Text = text "app-path",
        propagate_configuration: bool = flag,
        /// The instance of Oozie, or of `hpdl serve`, that the child runs on. Only in the dialect of 2009.
        host_url: Option<F::Text> = optional "host-url",
    }
}
