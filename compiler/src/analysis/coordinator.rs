//! Semantic analysis of a coordinator, and the properties that it needs.
//!
//! What Oozie would reject at submission, or what would fail with the first action, is an error as far as the values are
//! known: from the document, or from the given properties. Unknown values are not diagnosed.

mod controls;
mod datasets;
mod definition;
mod events;
mod functions;
mod impossible_instances;
mod input_logic;
mod instances;
mod passed_properties;
mod references;
mod schedule;
mod submission;
#[cfg(test)]
mod tests;
mod texts;

pub use self::{
    definition::definition,
    passed_properties::{PassedProperties, Started, check_bundled_version, check_passed},
};
pub(super) use self::{
    functions::check as check_functions,
    schedule::date,
    texts::{CoordinatorPhase, PhaseText},
};
use crate::{
    analysis::{
        JobProperties, PropertyUse,
        el_engines::ElEngines,
        el_types::ElTypes,
        known::KnownJob,
        parameters::{self, DocumentProperties},
        service_levels,
        templates::TemplateUse,
        text_passes,
    },
    diagnostics::{Code, Sink},
    model::{CoordinatorApp, coordinator::IncludedFile},
};

/// The codes H07xx, except those of bundles, of [`PASSED_CODES`] and of [`SUBMISSION_CODES`].
pub static CODES: &[&Code] = &[
    &schedule::invalid_frequency::CODE,
    &schedule::invalid_cron_expression::CODE,
    &schedule::never_firing_frequency::CODE,
    &schedule::invalid_date_time::CODE,
    &schedule::start_not_before_end::CODE,
    &schedule::invalid_timezone::CODE,
    &controls::invalid_control::CODE,
    &datasets::duplicate_included_dataset::CODE,
    &events::undefined_dataset::CODE,
    &datasets::initial_instance_before_epoch::CODE,
    &events::duplicate_event::CODE,
    &instances::several_instances::CODE,
    &instances::misplaced_instance_function::CODE,
    &instances::invalid_instance_range::CODE,
    &instances::invalid_instance_argument::CODE,
    &references::undefined_event::CODE,
    &functions::undefined_coordinator_function::CODE,
    &functions::function_outside_its_phase::CODE,
    &functions::coordinator_argument_count::CODE,
    &input_logic::invalid_input_logic::CODE,
];

/// What a bundle or coordinator passes on to what it starts.
pub static PASSED_CODES: &[&Code] = &[
    &passed_properties::coordinator_version_in_bundle::CODE,
    &passed_properties::property_not_passed::CODE,
];

/// What only submitting a coordinator shows.
pub static SUBMISSION_CODES: &[&Code] = &[&submission::refused_coordinator::CODE];

/// The files that the `include`s of a coordinator name, as far as they were found.
#[derive(Clone, Debug, Default)]
pub struct Included {
    pub files: Vec<IncludedFile>,
    /// The paths of those that were not found: what seems to be missing may be defined in them.
    pub missing: Vec<String>,
    /// What each `include` of the coordinator itself resolved to, in order.
    pub named: Vec<NamedInclude>,
}

/// What an `include` of a coordinator resolved to.
#[derive(Clone, Debug, Default)]
pub struct NamedInclude {
    /// The normalized URI; `None` if that file or one that it includes was not found.
    pub uri: Option<String>,
    /// The indices in [`Included::files`] of its file and of those that it includes, without those that an earlier one has.
    pub files: Vec<usize>,
}

/// What is known of a coordinator besides its model.
#[derive(Clone, Debug)]
pub struct CoordinatorFacts {
    /// Every property that the coordinator declares or reads, by name.
    pub properties: Vec<PropertyUse>,
}

/// Analyses a coordinator, with the properties that its job will be given as far as they are known.
pub fn coordinator(
    app: &CoordinatorApp,
    included: &Included,
    given: &JobProperties,
    sink: &mut Sink,
) -> CoordinatorFacts {
    let n_errors = sink.n_errors();
    let known = KnownJob::new(&app.parameters, &app.config_default, given);
    let texts = texts::of_coordinator(app, included);
    functions::check(&texts, sink);
    references::check(app, &texts, sink);
    schedule::check(app, &known, sink);
    controls::check(&app.controls, &known, sink);
    let datasets = datasets::check(app, included, &known, sink);
    events::check(app, &datasets, &known, sink);
    instances::check(app, &known, sink);
    impossible_instances::check(app, &datasets, &known, sink);
    input_logic::check(app, &known, sink);
    if let Some(sla) = &app.sla {
        service_levels::check_of_coordinator(sla, &known, sink);
    }
    let named = |name: &str| {
        let inputs = app.input_events.iter().map(|event| &event.name);
        let outputs = app.output_events.iter().map(|event| &event.name);
        let found = inputs.chain(outputs).find(|event| event.value == name);
        found.map(|event| event.span)
    };
    let declared = DocumentProperties {
        parameters: &app.parameters,
        config_default: &app.config_default,
        passed: Vec::new(),
        // The workflow receives all properties.
        is_passed_on: true,
        root_span: app.root_span,
        conf: "coord:conf",
        reserved: &["YEAR", "MONTH", "DAY", "HOUR", "MINUTE"],
        uri_templates: included
            .files
            .iter()
            .flat_map(|file| &file.datasets)
            .chain(&app.datasets)
            .map(|dataset| dataset.uri_template.span)
            .collect(),
        named: &named,
    };
    let properties = properties(&declared, &texts, given, sink);
    if sink.n_errors() == n_errors {
        submission::check(app, included, &texts, &properties, &known, sink);
    }
    CoordinatorFacts { properties }
}

/// The properties that `texts` read.
pub(super) fn properties(
    declared: &DocumentProperties<'_>,
    texts: &[PhaseText<'_>],
    given: &JobProperties,
    sink: &mut Sink,
) -> Vec<PropertyUse> {
    let uses: Vec<TemplateUse<'_>> = texts
        .iter()
        .enumerate()
        .map(|(number, text)| text.template_use(number))
        .collect();
    let has_conf = |it: &TemplateUse<'_>| texts[it.form].phase != CoordinatorPhase::Name;
    let mut types = ElTypes {
        conf: &|it| has_conf(it).then_some(declared.conf),
        functions: &[],
        zone: given.zone,
    };
    text_passes::run(&uses, &mut [&mut types, &mut ElEngines], sink);
    let is_constant = |at: usize, name: &str| texts[at].phase.has_constant(name);
    parameters::resolve_declared(declared, &uses, given, &is_constant, sink)
}
