//! The `sub-workflow` action: a child job of another application.

use crate::model::{
    Template,
    action::{ActionBody, HadoopSettings},
};

#[derive(Clone, Debug)]
pub struct SubWorkflow {
    pub settings: HadoopSettings,
    /// A folder or its `workflow.xml`.
    pub app_path: Template,
    pub propagate_configuration: bool,
}

impl ActionBody for SubWorkflow {
    fn name(&self) -> &'static str {
        "sub-workflow"
    }

    fn settings(&self) -> Option<&HadoopSettings> {
        Some(&self.settings)
    }
}
