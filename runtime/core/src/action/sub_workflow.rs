//! The `sub-workflow` action: a child job of another application.

use crate::action::Settings;

body! {
    "sub-workflow": SubWorkflow {
        settings: Settings<F> = settings,
        /// A folder or its `workflow.xml`.
        app_path: F::Text = text "app-path",
        propagate_configuration: bool = flag,
    }
}
