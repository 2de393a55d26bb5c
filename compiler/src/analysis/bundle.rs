//! Semantic analysis of a bundle, and the properties that it needs.

use std::collections::BTreeMap;

use crate::{
    analysis::{
        JobProperties, PropertyUse,
        coordinator::{self, CoordinatorPhase, PhaseText},
        known::KnownJob,
        parameters::DocumentProperties,
    },
    diagnostics::{Code, Sink},
    model::{BundleApp, Template},
    source::Span,
};

mod duplicate_coordinator;
mod no_enabled_coordinator;

use self::{
    duplicate_coordinator::DuplicateCoordinator, no_enabled_coordinator::NoEnabledCoordinator,
};

pub static CODES: &[&Code] = &[&duplicate_coordinator::CODE, &no_enabled_coordinator::CODE];

/// What is known of a bundle besides its model.
#[derive(Clone, Debug)]
pub struct BundleFacts {
    /// Every property that the bundle declares or reads, by name.
    pub properties: Vec<PropertyUse>,
}

/// Analyses a bundle, with the properties that its job will be given as far as they are known.
pub fn bundle(app: &BundleApp, given: &JobProperties, sink: &mut Sink) -> BundleFacts {
    let known = KnownJob::new(&app.parameters, &app.config_default, given);
    let texts = texts(app);
    coordinator::check_functions(&texts, sink);
    if let Some(kick_off_time) = &app.kick_off_time
        && !kick_off_time.text.is_empty()
    {
        coordinator::date(kick_off_time, "the kick-off time", &known, sink);
    }
    check_names(app, &known, sink);
    check_enabled(app, &known, sink);
    let declared = DocumentProperties {
        parameters: &app.parameters,
        config_default: &app.config_default,
        passed: Vec::new(),
        // The coordinators receive all properties.
        is_passed_on: true,
        root_span: app.root_span,
        conf: "bundle:conf",
        reserved: &["YEAR", "MONTH", "DAY", "HOUR", "MINUTE"],
        uri_templates: Vec::new(),
        named: &|_| None,
    };
    BundleFacts {
        properties: coordinator::properties(&declared, &texts, given, sink),
    }
}

/// All texts that parsed without errors.
fn texts(app: &BundleApp) -> Vec<PhaseText<'_>> {
    let mut templates: Vec<&Template> = vec![&app.name];
    templates.extend(&app.kick_off_time);
    for coordinator in &app.coordinators {
        templates.push(&coordinator.name);
        templates.extend(coordinator.critical.iter().chain(&coordinator.enabled));
        templates.push(&coordinator.app_path);
        for property in &coordinator.configuration.properties {
            templates.extend([&property.name, &property.value]);
        }
    }
    let defaults = app.config_default.iter().map(|property| &property.value);
    let defaults = defaults.map(|template| PhaseText::new(template, CoordinatorPhase::Defaults));
    templates
        .into_iter()
        .map(|template| PhaseText::new(template, CoordinatorPhase::Bundle))
        .chain(defaults)
        .filter(|text| !text.template.is_invalid)
        .collect()
}

fn check_names(app: &BundleApp, known: &KnownJob<'_>, sink: &mut Sink) {
    let mut seen: BTreeMap<String, Span> = BTreeMap::new();
    for coordinator in &app.coordinators {
        let Some(name) = known.text(&coordinator.name) else {
            continue;
        };
        // Names are trimmed when the bundle is submitted.
        let name = name.value.trim().to_owned();
        match seen.get(&name) {
            Some(&first) => sink.emit(DuplicateCoordinator {
                name,
                first,
                second: coordinator.name.span,
            }),
            None => {
                seen.insert(name, coordinator.name.span);
            }
        }
    }
}

fn check_enabled(app: &BundleApp, known: &KnownJob<'_>, sink: &mut Sink) {
    let disabled: Vec<Span> = app
        .coordinators
        .iter()
        .filter_map(|coordinator| {
            let enabled = coordinator.enabled.as_ref()?;
            let value = known.text(enabled)?.value;
            (!value.eq_ignore_ascii_case("true")).then_some(enabled.span)
        })
        .collect();
    if !disabled.is_empty() && disabled.len() == app.coordinators.len() {
        sink.emit(NoEnabledCoordinator {
            place: app.root_span,
            disabled,
        });
    }
}
