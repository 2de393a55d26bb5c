//! Which documents the sub-workflows of a document run, so that `check` of a tree checks each application once.

use std::path::PathBuf;

use hpdlc_core::app_uri::APP_PATH;

use super::{Session, child_location::child_location, compiled::defaults_file, identity};
use crate::{
    driver::{
        children::{self, CompileTimeScope},
        location::Location,
    },
    lower::Language,
};

/// The element without which a document runs no other document.
const SUB_WORKFLOW: &str = "sub-workflow";

impl Session {
    /// The documents of the children that an application refers to directly, without reporting its mistakes.
    pub fn documents_of_children(&mut self, location: &Location) -> Vec<PathBuf> {
        if self.language(location) != Language::Workflow {
            return self.documents_of_others(location);
        }
        let settings = self.enter(location);
        // A file is read only once, so read errors have to be reported now.
        let shown = location.shown(&location.document);
        let file = self.files.text(&location.document, &shown, &mut self.sink);
        if let Some(file) = file {
            let path = self.files.defaults(
                &location.document,
                location.below(defaults_file(self.dialect(file))),
            );
            let shown = location.shown(&path);
            self.files.text_if_present(&path, &shown, &mut self.sink);
        }
        let has_children =
            file.is_some_and(|file| self.files.sources.text(file).contains(SUB_WORKFLOW));
        if !has_children {
            return Vec::new();
        }
        let mut sink = std::mem::take(&mut self.sink);
        let app = self.lowered(location);
        let documents = app.map_or_else(Vec::new, |app| {
            let mappings = self.mappings(&app, location, &settings, &[]);
            let scope = CompileTimeScope::new(&app, &self.properties, APP_PATH);
            let own = (location, APP_PATH);
            children::app_paths(&app)
                .filter_map(|app_path| scope.uri(app_path).ok())
                .filter_map(|uri| child_location(&uri, [own, own], &mappings).ok())
                .map(|child| identity(&child.document))
                .filter(|document| *document != identity(&location.document))
                .collect()
        });
        std::mem::swap(&mut self.sink, &mut sink);
        documents
    }
}
