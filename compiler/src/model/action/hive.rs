//! The `hive` action: one script or query, run by the Hive client.

use hpdlc_core::action;

use crate::model::{
    Template,
    action::{ActionBody, NamedFile, Parsed, linked},
};

pub type Hive = action::Hive<Parsed>;
pub type HiveSource = action::HiveSource<Parsed>;

impl ActionBody for Hive {
    fn files(&self) -> Vec<NamedFile<'_>> {
        let script = self.source.script().map(|script| ("script", script));
        script
            .into_iter()
            .chain(linked(&self.files, &self.archives))
            .collect()
    }

    fn script(&self) -> Option<&Template> {
        self.source.script()
    }
}
