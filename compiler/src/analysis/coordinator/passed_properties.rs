//! What a document passes to the documents that it starts: a bundle to its coordinators, a coordinator to its workflow, a
//! workflow to its sub-workflows.

use std::collections::BTreeMap;

use hpdlc_core::slips::is_slip;

use crate::{
    analysis::{
        GivenProperty, JobProperties, PropertyUse, known::KnownJob, similar_names::SimilarNames,
    },
    diagnostics::Sink,
    lints::similar_properties::{SimilarEvidence, SimilarProperty},
    model::{
        CoordinatorApp, CoordinatorVersion, Parameter, Property, Template, WorkflowApp,
        action::SubWorkflow,
    },
    source::Span,
};

pub(super) mod coordinator_version_in_bundle;
pub(super) mod property_not_passed;

use self::{
    coordinator_version_in_bundle::CoordinatorVersionInBundle,
    property_not_passed::PropertyNotPassed,
};

/// The property that names the group which may access a job.
const GROUP_NAME: &str = "group.name";

/// What is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Started {
    Workflow,
    Coordinator,
    SubWorkflow,
}

impl Started {
    fn word(self) -> &'static str {
        match self {
            Started::Workflow => "workflow",
            Started::Coordinator => "coordinator",
            Started::SubWorkflow => "sub-workflow",
        }
    }
}

/// The properties that the started document receives.
#[derive(Clone, Debug)]
pub struct PassedProperties {
    /// Their values as far as they are known; complete if those of the parent are, or if none of those are passed on.
    pub given: JobProperties,
}

impl PassedProperties {
    /// The properties of the job, its defaults, and those of the `configuration` beside the `app-path`.
    pub fn new(
        parameters: &[Parameter],
        config_default: &[Property],
        configuration: &[Property],
        given: &JobProperties,
    ) -> PassedProperties {
        let known = KnownJob::new(parameters, config_default, given);
        let mut properties: BTreeMap<String, GivenProperty> = BTreeMap::new();
        // Unless all properties are known, others may override the defaults.
        let defaults = given.is_complete.then_some((parameters, config_default));
        let (parameters, config_default) = defaults.unwrap_or_default();
        for parameter in parameters {
            if let Some(default) = &parameter.default {
                properties.insert(
                    parameter.name.value.clone(),
                    GivenProperty {
                        value: default.value.clone(),
                        span: Some(parameter.name.span),
                    },
                );
            }
        }
        let literal = |property: &Property| {
            let name = property.name.literal()?.to_owned();
            let value = GivenProperty {
                value: property.value.text.as_str().to_owned(),
                span: Some(property.name.span),
            };
            Some((name, value))
        };
        properties.extend(config_default.iter().filter_map(literal));
        let own = given.properties.iter();
        properties.extend(own.map(|(name, property)| (name.clone(), property.clone())));
        let mut passed = PassedProperties {
            given: JobProperties {
                is_complete: given.is_complete,
                properties: properties.into(),
                zone: given.zone,
                controls: given.controls,
            },
        };
        passed.add(configuration, &known);
        passed
    }

    /// What a workflow, whose job has the properties `given`, passes to a sub-workflow (`SubWorkflowActionExecutor`): the
    /// configuration of the action, which overrides that of `global`, and with `propagate-configuration` all of its own
    /// properties.
    pub fn to_sub_workflow(
        parent: &WorkflowApp,
        child: &SubWorkflow,
        given: &JobProperties,
    ) -> PassedProperties {
        let known = KnownJob::new(&parent.parameters, &parent.config_default, given);
        let mut passed = if child.propagate_configuration {
            PassedProperties::new(&parent.parameters, &parent.config_default, &[], given)
        } else {
            // Oozie's own properties are passed to every child, and a job may be given no others: so this set is complete,
            // whatever else is unknown of the job. `check_passed` requires none of those.
            let is_oozies = |name: &str, _: &GivenProperty| name.starts_with("oozie.");
            PassedProperties {
                given: JobProperties {
                    is_complete: true,
                    properties: given.properties.only(is_oozies),
                    zone: given.zone,
                    controls: given.controls,
                },
            }
        };
        if let Some(global) = &parent.global {
            passed.add(&global.configuration.properties, &known);
        }
        passed.add(&child.settings.configuration.properties, &known);
        // The contents of these files are unknown.
        passed.given.is_complete &= child.settings.job_xml.is_empty();
        passed
    }

    /// Adds the properties of a `configuration`, whose texts are evaluated where their values are known.
    fn add(&mut self, configuration: &[Property], known: &KnownJob<'_>) {
        let JobProperties {
            is_complete,
            properties,
            zone: _,
            controls: _,
        } = &mut self.given;
        for property in configuration {
            let Some(name) = known.text(&property.name) else {
                // An unknown name may be any name.
                *is_complete = false;
                continue;
            };
            // A text that depends on the running job is kept as it is: the property exists, and its value is unknown.
            let value = known.text(&property.value).map_or_else(
                || property.value.text.as_str().to_owned(),
                |text| text.value,
            );
            properties.insert(
                name.value,
                GivenProperty {
                    value,
                    span: Some(property.name.span),
                },
            );
        }
    }
}

/// Reports properties that the document started at `app_path` needs and does not receive. Nothing if not all are known.
pub fn check_passed(
    started: Started,
    needs: &[PropertyUse],
    passed: &PassedProperties,
    app_path: &Template,
    sink: &mut Sink,
) {
    let given = &passed.given;
    misspelt(needs, given, app_path, sink);
    if !given.is_complete {
        return;
    }
    let mut similar_names = SimilarNames::default();
    for need in needs {
        // What Oozie itself sets when it starts a child. A sub-workflow inherits its parent's group, if that has one.
        let is_set = need.name.starts_with("oozie.")
            || started == Started::SubWorkflow && need.name == GROUP_NAME
            || given.has(&need.name);
        let declared = need.declared_at.filter(|_| need.is_declared);
        let Some(first) = declared.or(need.first_place()) else {
            continue;
        };
        if !need.is_required() || is_set {
            continue;
        }
        let similar =
            similar_names.nearest_in_words(&need.name, given.properties.keys().map(String::as_str));
        sink.emit(PropertyNotPassed {
            place: app_path.span,
            name: need.name.clone(),
            started,
            first,
            is_declared: need.is_declared,
            similar: similar.map(|similar| {
                let span: Option<Span> = given.span(&similar);
                (similar, span)
            }),
        });
    }
}

/// Reports properties that are passed where the document is started, under nearly the name that it reads.
fn misspelt(needs: &[PropertyUse], given: &JobProperties, app_path: &Template, sink: &mut Sink) {
    let is_read = |name: &str| needs.iter().any(|need| need.name == name);
    let here =
        |property: &GivenProperty| property.span.filter(|span| span.file == app_path.span.file);
    let passed: Vec<(&String, Span)> = given
        .properties
        .iter()
        .filter_map(|(name, property)| Some((name, here(property)?)))
        .filter(|(name, _)| !is_read(name))
        .collect();
    for need in needs {
        let is_error = given.is_complete && need.is_required();
        if is_error || given.has(&need.name) || need.uses.is_empty() {
            continue;
        }
        let mut passed = passed.iter();
        if let Some((name, place)) = passed.find(|(name, _)| is_slip(name, &need.name)) {
            sink.emit(SimilarProperty {
                name: (*name).clone(),
                first: *place,
                others: Vec::new(),
                similar: need.name.clone(),
                similar_place: need.first_place(),
                evidence: SimilarEvidence::ReadByStarted,
                conf: None,
            });
        }
    }
}

/// Reports a coordinator of the oldest schema in a bundle.
pub fn check_bundled_version(coordinator: &CoordinatorApp, app_path: &Template, sink: &mut Sink) {
    if coordinator.version == CoordinatorVersion::V0_1 {
        sink.emit(CoordinatorVersionInBundle {
            place: app_path.span,
            root: coordinator.root_span,
        });
    }
}
