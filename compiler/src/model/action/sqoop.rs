//! The `sqoop` action: one command of Sqoop.

use crate::model::{
    Template,
    action::{ActionBody, HadoopSettings, NamedFile, Prepare, linked},
};

#[derive(Clone, Debug)]
pub struct Sqoop {
    pub settings: HadoopSettings,
    pub prepare: Prepare,
    pub command: SqoopCommand,
    pub files: Vec<Template>,
    pub archives: Vec<Template>,
}

impl ActionBody for Sqoop {
    fn name(&self) -> &'static str {
        "sqoop"
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

#[derive(Clone, Debug)]
pub enum SqoopCommand {
    /// `command`: one text, split at blanks.
    Text(Template),
    /// `arg`, repeated: one argument each.
    Args(Vec<Template>),
}
