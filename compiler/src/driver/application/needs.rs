//! What an application requires of the machine that it runs on, and of other services.

use super::{CheckedApp, CheckedCoordinator, CompiledApplication, Session};
use crate::analysis::{self, FeatureSet, Needs};

impl Session {
    /// The runtime that `application` needs, as far as its properties are known.
    pub fn feature_set(&self, application: &CompiledApplication) -> FeatureSet {
        let workflows = application
            .apps
            .iter()
            .map(|checked| analysis::feature_set(&checked.app, &checked.facts, &self.given));
        let coordinators = application.coordinators.iter().map(|scheduled| {
            let CheckedCoordinator {
                app,
                facts,
                included,
                ..
            } = &*scheduled.checked;
            analysis::feature_set_of_coordinator(app, &facts.properties, included, &self.given)
        });
        workflows
            .chain(coordinators)
            .max()
            .unwrap_or(FeatureSet::Local)
    }

    /// What a job of `checked` requires besides its machine, without its children.
    pub fn needs(&self, checked: &CheckedApp) -> Needs {
        analysis::needs(&checked.app, &checked.facts, &self.given)
    }

    /// What a coordinator requires to access its data.
    pub fn needs_of_coordinator(&self, checked: &CheckedCoordinator) -> Needs {
        let CheckedCoordinator {
            app,
            facts,
            included,
            ..
        } = checked;
        analysis::needs_of_coordinator(app, &facts.properties, included, &self.given)
    }
}
