//! The `pig` action: one script of Pig Latin.

use std::iter;

use crate::model::{
    Template,
    action::{ActionBody, HadoopSettings, NamedFile, Prepare, linked},
};

#[derive(Clone, Debug)]
pub struct Pig {
    pub settings: HadoopSettings,
    pub prepare: Prepare,
    /// `user@host` if it runs over ssh: only in the dialect of 2009.
    pub host: Option<Template>,
    pub script: Template,
    /// `NAME=VALUE`, for the script.
    pub params: Vec<Template>,
    /// For the command line of Pig.
    pub arguments: Vec<Template>,
    pub files: Vec<Template>,
    pub archives: Vec<Template>,
}

impl ActionBody for Pig {
    fn name(&self) -> &'static str {
        "pig"
    }

    fn settings(&self) -> Option<&HadoopSettings> {
        Some(&self.settings)
    }

    fn prepare(&self) -> Option<&Prepare> {
        Some(&self.prepare)
    }

    fn files(&self) -> Vec<NamedFile<'_>> {
        iter::once(("script", &self.script))
            .chain(linked(&self.files, &self.archives))
            .collect()
    }
}
