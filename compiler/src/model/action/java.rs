//! The `java` action: a main class with the application's `lib/*.jar`.

use hpdlc_core::action;

use crate::model::action::{ActionBody, NamedFile, Parsed, linked};

pub type Java = action::Java<Parsed>;
pub type JavaOpts = action::JavaOpts<Parsed>;

impl ActionBody for Java {
    fn files(&self) -> Vec<NamedFile<'_>> {
        linked(&self.files, &self.archives).collect()
    }
}
