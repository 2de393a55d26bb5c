//! Coordinators with the values of their texts, alone or as started by a bundle, for `schedule`.

use std::fmt;

use hpdlc_core::{
    coordinator::{Coordinator, CoordinatorDefinition, EventText, JobValues, SubmissionError},
    el::error::ElError,
};

use super::{CheckedCoordinator, Session, found, others};
use crate::{
    analysis::{self, JobProperties, PassedProperties},
    driver::{
        children::CompileTimeScope,
        locate::COORDINATOR_XML,
        location::Location,
        mapping::{Mapping, Mappings},
        properties::USER_NAME,
    },
    lower::{self, Language},
    model::{BundleApp, bundle::BundleCoordinator},
};

/// A coordinator whose actions can be determined.
#[derive(Debug)]
pub struct Scheduled {
    /// Its name in the bundle, if there is one.
    pub bundled_as: Option<String>,
    pub coordinator: Coordinator,
    /// The events whose datasets are defined in files that were not found; they are omitted from the coordinator.
    pub unknown_inputs: Vec<String>,
    pub unknown_outputs: Vec<String>,
    /// The included files that were not found.
    pub missing: Vec<String>,
}

/// Why the actions of a coordinator cannot be determined, although the documents have no errors.
#[derive(Debug)]
pub enum Unscheduled {
    /// The document is a workflow.
    Workflow,
    /// A text has no value, or one that Oozie rejects.
    Submission {
        coordinator: String,
        error: SubmissionError,
    },
    /// A text of the bundle has no value.
    Bundle { what: &'static str, error: ElError },
    /// A coordinator of the bundle was not found.
    NotFound { name: String, path: String },
}

impl fmt::Display for Unscheduled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unscheduled::Workflow => f.write_str("a workflow has no schedule"),
            Unscheduled::Submission { coordinator, error } => {
                write!(f, "{coordinator}: {error}")
            }
            Unscheduled::Bundle { what, error } => write!(f, "{what}: {error}"),
            Unscheduled::NotFound { name, path } => {
                write!(f, "coordinator `{name}` of the bundle is not at `{path}`")
            }
        }
    }
}

impl Session {
    /// The coordinators of the document at `location`: one, or those that a bundle starts, in its order. Errors in the
    /// documents are in the sink.
    pub fn schedules(&mut self, location: &Location) -> Vec<Result<Scheduled, Unscheduled>> {
        match self.language(location) {
            Language::Workflow => vec![Err(Unscheduled::Workflow)],
            Language::Coordinator => {
                let given = self.given.clone();
                let mut checked = others::CheckedDocuments::default();
                let found = self.coordinator(location, &given, &[], &mut checked);
                found
                    .map(|coordinator| self.scheduled(&coordinator, &given, None))
                    .into_iter()
                    .collect()
            }
            Language::Bundle => self.schedules_of_bundle(location),
        }
    }

    fn schedules_of_bundle(&mut self, location: &Location) -> Vec<Result<Scheduled, Unscheduled>> {
        let Some(app) = self.read(location, "bundle-config-default.xml", lower::bundle) else {
            return Vec::new();
        };
        let given = self.given.clone();
        analysis::bundle(&app, &given, &mut self.sink);
        let own = found::with_defaults(&app.parameters, &app.config_default, &given);
        let inherited = found::own_mappings(&own, "oozie.bundle.application.path", location);
        let mappings = self.mappings_with(&inherited, location);
        let base = LookupBase {
            app: &app,
            location,
            own: &own,
            inherited: &inherited,
            mappings: &mappings,
            given: &given,
        };
        let coordinators = app.coordinators.iter();
        coordinators
            .filter_map(|coordinator| self.schedule_in_bundle(&base, coordinator))
            .collect()
    }

    /// `None` for a coordinator that the bundle does not start, and for one whose errors have been reported.
    fn schedule_in_bundle(
        &mut self,
        base: &LookupBase<'_>,
        coordinator: &BundleCoordinator,
    ) -> Option<Result<Scheduled, Unscheduled>> {
        let text = |what, template| {
            let value = base.own.text(template);
            value.map_err(|error| Unscheduled::Bundle { what, error })
        };
        if let Some(enabled) = &coordinator.enabled {
            match text("whether a coordinator is enabled", enabled) {
                Ok(value) if value.eq_ignore_ascii_case("true") => {}
                Ok(_) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
        let name = match text("the name of a coordinator", &coordinator.name) {
            Ok(name) => name,
            Err(error) => return Some(Err(error)),
        };
        let path = match text("the path of a coordinator", &coordinator.app_path) {
            Ok(path) => path,
            Err(error) => return Some(Err(error)),
        };
        let location = found::resolve(
            &coordinator.app_path,
            base.own,
            base.location,
            base.mappings,
            COORDINATOR_XML,
        );
        let Some(location) = location else {
            return Some(Err(Unscheduled::NotFound { name, path }));
        };
        let passed = PassedProperties::new(
            &base.app.parameters,
            &base.app.config_default,
            &coordinator.configuration.properties,
            base.given,
        );
        // One document may be started several times, with different properties each time.
        let mut checked = others::CheckedDocuments::default();
        let child = self.coordinator(&location, &passed.given, base.inherited, &mut checked)?;
        Some(self.scheduled(&child, &passed.given, Some(name)))
    }

    fn scheduled(
        &self,
        checked: &CheckedCoordinator,
        given: &JobProperties,
        bundled_as: Option<String>,
    ) -> Result<Scheduled, Unscheduled> {
        let app = &checked.app;
        let own = found::with_defaults(&app.parameters, &app.config_default, given);
        let properties = own.into_properties();
        let user = properties.get(USER_NAME).cloned();
        let job = JobValues::new(properties, user, given.zone.unwrap_or_default());
        let mut definition = analysis::coordinator_definition(app, &checked.included);
        let missing = checked.included.missing.clone();
        let CoordinatorDefinition {
            datasets,
            inputs,
            outputs,
            ..
        } = &mut definition;
        let without_unknown = |events: &mut Vec<EventText>| -> Vec<String> {
            let is_unknown = |event: &mut EventText| {
                let name = job.evaluate_at_submission(&event.dataset);
                !missing.is_empty() && name.is_ok_and(|name| !datasets.contains_key(&name))
            };
            let unknown = events.extract_if(.., is_unknown);
            unknown.map(|event| event.name).collect()
        };
        let (unknown_inputs, unknown_outputs) = (without_unknown(inputs), without_unknown(outputs));
        if !unknown_inputs.is_empty() {
            // The logic may refer to the omitted events, and does not affect when actions are due.
            definition.input_logic = None;
        }
        match definition.resolve(job) {
            Ok(mut coordinator) => {
                if let Some(name) = &bundled_as {
                    coordinator.name.clone_from(name);
                }
                Ok(Scheduled {
                    bundled_as,
                    coordinator,
                    unknown_inputs,
                    unknown_outputs,
                    missing,
                })
            }
            Err(error) => Err(Unscheduled::Submission {
                coordinator: self.files.sources.path(app.file).to_owned(),
                error,
            }),
        }
    }
}

/// Where and with which properties the coordinators of a bundle are looked up.
struct LookupBase<'a> {
    app: &'a BundleApp,
    location: &'a Location,
    own: &'a CompileTimeScope,
    inherited: &'a [Mapping],
    mappings: &'a Mappings,
    given: &'a JobProperties,
}
