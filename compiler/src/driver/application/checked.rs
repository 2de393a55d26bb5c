//! Coordinators and bundles after all checks.

use std::{
    cell::{OnceCell, RefCell},
    path::PathBuf,
    rc::Rc,
};

use crate::{
    analysis::{BundleFacts, CoordinatorFacts, Included, Values},
    driver::{location::Location, mapping::Mapping},
    model::{BundleApp, CoordinatorApp},
};

/// A coordinator after all checks of its own.
#[derive(Debug)]
pub struct CheckedCoordinator {
    pub app: CoordinatorApp,
    pub facts: CoordinatorFacts,
    pub included: Included,
    /// The properties that are known.
    pub values: Values,
    pub location: Location,
    /// The name of the workflow that it starts, if that was found.
    pub workflow: OnceCell<String>,
    /// The URIs by which its jobs find that workflow, and its document.
    pub(super) started: RefCell<Vec<(String, PathBuf)>>,
    /// The mappings of the folders of the bundle that starts it.
    pub(super) inherited: Vec<Mapping>,
}

/// A coordinator of a bundle, and the values that it receives.
pub(super) type StartedCoordinator = (Rc<CheckedCoordinator>, Values);

/// A bundle after all checks.
#[derive(Debug)]
pub struct CheckedBundle {
    pub app: BundleApp,
    pub facts: BundleFacts,
    pub location: Location,
    /// By coordinator: what was found, and the values that it receives.
    pub started: Vec<Option<StartedCoordinator>>,
    /// By coordinator: the URIs by which the jobs of the bundle find it.
    pub uris: Vec<Vec<String>>,
}

impl CheckedCoordinator {
    /// The path that identifies the workflow that it starts, if that was found.
    pub fn workflow_document(&self) -> Option<PathBuf> {
        let started = self.started.borrow();
        started.first().map(|(_, document)| document.clone())
    }

    /// Whether the coordinator itself requires a property.
    pub(super) fn needs(&self, name: &str) -> bool {
        let properties = &self.facts.properties;
        let found = properties.binary_search_by(|property| property.name.as_str().cmp(name));
        found.is_ok_and(|index| properties[index].is_required())
    }
}
