//! What one program is made of: a workflow, a coordinator or a bundle, with everything that runs in the same executable.

use std::{collections::BTreeMap, path::PathBuf, rc::Rc};

use hpdlc_core::el::functions::Dialect;

use super::{CheckedApp, CheckedBundle, CheckedCoordinator};
use crate::{driver::location::Location, model::Template, source::FileId};

/// An application and the children that run in the same executable.
#[derive(Debug)]
pub struct Application {
    pub entry: EntryDocument,
    /// The workflows: the application itself first, where it is one, each child once.
    pub apps: Vec<CheckedApp>,
    /// By which URI a workflow is asked for at compile time, and its place in `apps`.
    pub children: BTreeMap<String, usize>,
    /// By which URIs jobs find a workflow, whoever's they are.
    pub uris: BTreeMap<String, usize>,
    /// The coordinators: the application itself, where it is one, or those of the bundle, each once.
    pub coordinators: Vec<ScheduledCoordinator>,
    /// The documents of its folder that were left aside for it, where nobody has said which one is meant.
    pub left_aside: Vec<PathBuf>,
}

/// What a job of the program is made of.
#[derive(Debug)]
pub enum EntryDocument {
    Workflow,
    Coordinator,
    Bundle {
        bundle: Box<CheckedBundle>,
        /// By which URI a coordinator is asked for, and its place in [`Application::coordinators`].
        children: BTreeMap<String, usize>,
        /// The place of each coordinator of the bundle, where it was found.
        started: Vec<Option<usize>>,
    },
}

/// A coordinator, and where its workflow is.
#[derive(Debug)]
pub struct ScheduledCoordinator {
    pub checked: Rc<CheckedCoordinator>,
    /// By which URIs it asks for it, and the place in [`Application::apps`].
    pub workflows: Vec<(String, usize)>,
}

/// One document of an application.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    pub location: &'a Location,
    pub file: FileId,
    pub name: &'a Template,
    /// The file beside it with the defaults of properties.
    pub defaults: &'static str,
}

impl Application {
    /// Every document: the one that the program is of, the coordinators, the workflows.
    pub fn documents(&self) -> impl Iterator<Item = Document<'_>> {
        let bundle = match &self.entry {
            EntryDocument::Bundle { bundle, .. } => Some(Document {
                location: &bundle.location,
                file: bundle.app.file,
                name: &bundle.app.name,
                defaults: "bundle-config-default.xml",
            }),
            EntryDocument::Workflow | EntryDocument::Coordinator => None,
        };
        let coordinators = self.coordinators.iter().map(|scheduled| Document {
            location: &scheduled.checked.location,
            file: scheduled.checked.app.file,
            name: &scheduled.checked.app.name,
            defaults: "coord-config-default.xml",
        });
        let workflows = self.apps.iter().map(|checked| Document {
            location: &checked.location,
            file: checked.app.file,
            name: &checked.app.name,
            defaults: defaults_file(checked.app.dialect),
        });
        bundle.into_iter().chain(coordinators).chain(workflows)
    }

    /// The document that the program is of.
    pub fn own(&self) -> Document<'_> {
        self.documents()
            .next()
            .expect("an application has a document")
    }
}

/// The file beside a workflow that has the defaults of properties.
pub(super) fn defaults_file(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Oozie => "config-default.xml",
        Dialect::Proposal => "configuration.xml",
    }
}
