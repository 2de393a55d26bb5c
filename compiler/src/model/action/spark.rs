//! The `spark` action: one application for `spark-submit`.

use hpdlc_core::action;

use crate::model::action::{ActionBody, NamedFile, Parsed, linked};

pub type Spark = action::Spark<Parsed>;

impl ActionBody for Spark {
    fn files(&self) -> Vec<NamedFile<'_>> {
        linked(&self.files, &self.archives).collect()
    }
}
