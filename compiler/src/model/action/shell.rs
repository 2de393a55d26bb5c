//! The `shell` action: one command, run without a shell.

use std::iter;

use hpdlc_core::action;

use crate::model::{
    Template,
    action::{ActionBody, NamedFile, Parsed, linked},
};

pub type Shell = action::Shell<Parsed>;

impl ActionBody for Shell {
    fn files(&self) -> Vec<NamedFile<'_>> {
        linked(&self.files, &self.archives).collect()
    }

    fn commands(&self) -> Vec<Vec<&Template>> {
        let script = self.arguments.first();
        vec![iter::once(&self.exec).chain(script).collect()]
    }

    fn script(&self) -> Option<&Template> {
        Some(&self.exec)
    }
}
