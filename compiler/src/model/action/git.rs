//! The `git` action: clones a repository to a file system.

use crate::model::{
    Template,
    action::{ActionBody, HadoopSettings, Prepare},
};

#[derive(Clone, Debug)]
pub struct Git {
    pub settings: HadoopSettings,
    pub prepare: Prepare,
    pub git_uri: Template,
    pub branch: Option<Template>,
    /// The private key for `ssh` URIs.
    pub key_path: Option<Template>,
    pub destination_uri: Template,
}

impl ActionBody for Git {
    fn name(&self) -> &'static str {
        "git"
    }

    fn settings(&self) -> Option<&HadoopSettings> {
        Some(&self.settings)
    }

    fn prepare(&self) -> Option<&Prepare> {
        Some(&self.prepare)
    }
}
