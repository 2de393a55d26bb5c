//! The `pig` action: one script of Pig Latin.

use std::iter;

use hpdlc_core::action;

use crate::model::{
    Template,
    action::{ActionBody, NamedFile, Parsed, linked},
};

pub type Pig = action::Pig<Parsed>;
pub type PigScript = action::PigScript<Parsed>;

impl ActionBody for Pig {
    fn files(&self) -> Vec<NamedFile<'_>> {
        iter::once(("script", self.script.template()))
            .chain(linked(&self.files, &self.archives))
            .collect()
    }

    fn script(&self) -> Option<&Template> {
        Some(self.script.template())
    }
}
