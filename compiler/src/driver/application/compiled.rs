//! The contents of one program: a workflow, a coordinator or a bundle, with everything that runs in the same executable.

use std::{collections::BTreeMap, path::PathBuf, rc::Rc};

use hpdlc_core::el::functions::Dialect;

use super::{CheckedApp, CheckedBundle, CheckedCoordinator};
use crate::{driver::location::Location, model::Template, source::FileId};

/// An application and the children that run in the same executable.
#[derive(Debug)]
pub struct CompiledApplication {
    pub entry: EntryDocument,
    /// The workflows: the application itself first, if it is one, and each child once.
    pub apps: Vec<CheckedApp>,
    /// The URI by which a workflow is requested at compile time, and its index in `apps`.
    pub children: BTreeMap<String, usize>,
    /// The URIs by which jobs find a workflow, for jobs of any user.
    pub uris: BTreeMap<String, usize>,
    /// The coordinators: the application itself, if it is one, or those of the bundle, each once.
    pub coordinators: Vec<ScheduledCoordinator>,
    /// The other documents of its folder, if the user did not specify which one is meant.
    pub left_aside: Vec<PathBuf>,
}

/// The document that the program runs.
#[derive(Debug)]
pub enum EntryDocument {
    Workflow,
    Coordinator,
    Bundle {
        bundle: Box<CheckedBundle>,
        /// The URI by which a coordinator is requested, and its index in [`CompiledApplication::coordinators`].
        children: BTreeMap<String, usize>,
        /// The index of each coordinator of the bundle, if it was found.
        started: Vec<Option<usize>>,
    },
}

/// A coordinator, and where its workflow is.
#[derive(Debug)]
pub struct ScheduledCoordinator {
    pub checked: Rc<CheckedCoordinator>,
    /// The URIs by which it requests its workflow, and the index in [`CompiledApplication::apps`].
    pub workflows: Vec<(String, usize)>,
}

/// One document of an application.
#[derive(Clone, Copy, Debug)]
pub struct ApplicationDocument<'a> {
    pub location: &'a Location,
    pub file: FileId,
    pub name: &'a Template,
    /// The file beside it with the defaults of properties.
    pub defaults: &'static str,
}

impl CompiledApplication {
    /// All documents: the one that the program runs, the coordinators, the workflows.
    pub fn documents(&self) -> impl Iterator<Item = ApplicationDocument<'_>> {
        let bundle = match &self.entry {
            EntryDocument::Bundle { bundle, .. } => Some(ApplicationDocument {
                location: &bundle.location,
                file: bundle.app.file,
                name: &bundle.app.name,
                defaults: "bundle-config-default.xml",
            }),
            EntryDocument::Workflow | EntryDocument::Coordinator => None,
        };
        let coordinators = self
            .coordinators
            .iter()
            .map(|scheduled| ApplicationDocument {
                location: &scheduled.checked.location,
                file: scheduled.checked.app.file,
                name: &scheduled.checked.app.name,
                defaults: "coord-config-default.xml",
            });
        let workflows = self.apps.iter().map(|checked| ApplicationDocument {
            location: &checked.location,
            file: checked.app.file,
            name: &checked.app.name,
            defaults: defaults_file(checked.app.dialect),
        });
        bundle.into_iter().chain(coordinators).chain(workflows)
    }

    /// The document that the program runs.
    pub fn own(&self) -> ApplicationDocument<'_> {
        self.documents()
            .next()
            .expect("an application has a document")
    }
}

/// The file beside a workflow with the defaults of properties.
pub(super) fn defaults_file(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Oozie => "config-default.xml",
        Dialect::Proposal => "configuration.xml",
    }
}
