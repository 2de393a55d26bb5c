//! The `sqoop` action: one command of Sqoop.

use hpdlc_core::action;

use crate::model::action::{ActionBody, NamedFile, Parsed, linked};

pub type Sqoop = action::Sqoop<Parsed>;
pub type SqoopCommand = action::SqoopCommand<Parsed>;

impl ActionBody for Sqoop {
    fn files(&self) -> Vec<NamedFile<'_>> {
        linked(&self.files, &self.archives).collect()
    }
}
