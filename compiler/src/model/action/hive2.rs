//! The `hive2` action: one script or query, run by HiveServer2.

use hpdlc_core::action;

use crate::model::{
    Template,
    action::{ActionBody, NamedFile, Parsed, linked},
};

pub type Hive2 = action::Hive2<Parsed>;

impl ActionBody for Hive2 {
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
