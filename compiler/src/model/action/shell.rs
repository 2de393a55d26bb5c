//! The `shell` action: one command, run without a shell.

use crate::model::{
    Template,
    action::{ActionBody, HadoopSettings, NamedFile, Prepare, linked},
};

#[derive(Clone, Debug)]
pub struct Shell {
    pub settings: HadoopSettings,
    pub prepare: Prepare,
    pub exec: Template,
    pub arguments: Vec<Template>,
    /// `NAME=VALUE`, split at the first `=` after evaluation.
    pub env_vars: Vec<Template>,
    /// Possibly several paths in one text, separated by commas; `#name` gives the link's name.
    pub files: Vec<Template>,
    pub archives: Vec<Template>,
    pub capture_output: bool,
}

impl ActionBody for Shell {
    fn name(&self) -> &'static str {
        "shell"
    }

    fn settings(&self) -> Option<&HadoopSettings> {
        Some(&self.settings)
    }

    fn prepare(&self) -> Option<&Prepare> {
        Some(&self.prepare)
    }

    fn files(&self) -> Vec<NamedFile<'_>> {
        linked(&self.files, &self.archives).collect()
    }
}
