//! What the documents of an application name: the documents that they start, and the files that they include.

use std::path::Path;

use hpdlc_core::el::error::ElError;
use serde::Serialize;

use super::Session;
use crate::driver::locate::FoundLocation;

/// What a document names another one for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ReferenceKind {
    Workflow,
    Coordinator,
    Include,
}

/// A document that another one names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reference {
    pub kind: ReferenceKind,
    /// Normalized, with the given properties in it. It begins with [`APP_PATH`](hpdlc_core::app_uri::APP_PATH) where it does so in the
    /// application itself.
    pub uri: String,
    /// Whether a local file was found for it.
    pub found: bool,
}

impl Session {
    /// Remembers what a document names. A text that has no value yet names nothing.
    pub(super) fn refer(&mut self, uri: Result<String, ElError>, kind: ReferenceKind, found: bool) {
        let Ok(uri) = uri else { return };
        let reference = Reference { kind, uri, found };
        if !self.references.contains(&reference) {
            self.references.push(reference);
        }
    }
}

/// Everything that the application at `path` names, directly or by what it names, as far as its documents are found. Mistakes in them are
/// not reported.
pub fn references(path: &Path, session: &mut Session) -> Vec<Reference> {
    session.compile();
    if let Some(FoundLocation { location, .. }) = session.source(path) {
        session.application(location);
    }
    std::mem::take(&mut session.references)
}
