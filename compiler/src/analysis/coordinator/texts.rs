//! Every text of a coordinator that may contain expressions, with the phase that it is evaluated in (Oozie's `ELService`
//! contexts).

use hpdlc_core::el::{constants, phase::Phase as ElPhase};

use crate::{
    analysis::{
        coordinator::Included,
        templates::{self, TemplateUse, TextType},
    },
    model::{
        CoordinatorApp, Template,
        coordinator::{Dataset, Instances, LogicNode},
    },
};

/// Which functions a text may call, depending on its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::analysis) enum CoordinatorPhase {
    /// The name of the coordinator.
    Name,
    /// `frequency` of coordinators and datasets.
    Frequency,
    /// What is evaluated at submission and has no functions of its own.
    Plain,
    InitialInstance,
    Timeout,
    /// `instance`.
    Instance,
    /// `start-instance` and `end-instance`.
    RangeInstance,
    /// The configuration of the workflow.
    Configuration,
    Sla,
    /// All of a bundle.
    Bundle,
    /// The file of defaults beside the document, which is never evaluated.
    Defaults,
}

impl CoordinatorPhase {
    /// Where texts of this phase occur, in words.
    pub(in crate::analysis) fn place(self) -> &'static str {
        match self {
            CoordinatorPhase::Name => "the name of a coordinator",
            CoordinatorPhase::Frequency => "a frequency",
            CoordinatorPhase::Plain => "a text that is read at submission",
            CoordinatorPhase::InitialInstance => "an initial instance",
            CoordinatorPhase::Timeout => "a timeout",
            CoordinatorPhase::Instance => "an `instance`",
            CoordinatorPhase::RangeInstance => "a range of instances",
            CoordinatorPhase::Configuration => "the configuration of the workflow",
            CoordinatorPhase::Sla => "an SLA",
            CoordinatorPhase::Bundle => "a bundle",
            CoordinatorPhase::Defaults => "a file of defaults",
        }
    }

    /// The corresponding phases of Oozie: a text is evaluated in each of them, and a function must be defined in all.
    pub(super) fn el_phases(self) -> &'static [ElPhase] {
        match self {
            CoordinatorPhase::Name => &[ElPhase::JobSubmit],
            CoordinatorPhase::Frequency => &[ElPhase::Frequency],
            CoordinatorPhase::Plain => &[ElPhase::Plain],
            CoordinatorPhase::InitialInstance => &[ElPhase::InitialInstance],
            CoordinatorPhase::Timeout => &[ElPhase::Timeout],
            CoordinatorPhase::Instance => &[ElPhase::Instances, ElPhase::Create],
            CoordinatorPhase::RangeInstance => &[ElPhase::Instances, ElPhase::CreateRange],
            CoordinatorPhase::Configuration => &[ElPhase::Data, ElPhase::Start],
            CoordinatorPhase::Sla => &[ElPhase::CoordinatorSla, ElPhase::CreateSla],
            CoordinatorPhase::Bundle => &[ElPhase::Bundle],
            CoordinatorPhase::Defaults => &[],
        }
    }

    /// Whether a variable of this name is a constant rather than a property.
    pub(in crate::analysis) fn has_constant(self, name: &str) -> bool {
        let mut phases = self.el_phases().iter();
        phases.any(|phase| constants::of_phase(*phase, name).is_some())
    }
}

/// A text and its phase.
#[derive(Clone, Copy, Debug)]
pub(in crate::analysis) struct PhaseText<'a> {
    pub(in crate::analysis) template: &'a Template,
    pub(in crate::analysis) phase: CoordinatorPhase,
}

impl<'a> PhaseText<'a> {
    pub(in crate::analysis) fn new(
        template: &'a Template,
        phase: CoordinatorPhase,
    ) -> PhaseText<'a> {
        PhaseText { template, phase }
    }

    /// The form used by the passes over workflows, with the number of the text.
    pub(in crate::analysis) fn template_use(&self, form: usize) -> TemplateUse<'a> {
        TemplateUse {
            template: self.template,
            // Constants of workflows are not available.
            phase: templates::TemplatePhase::JobSubmit,
            wanted: TextType::Text,
            is_substituted: self.phase == CoordinatorPhase::Defaults,
            node: None,
            form,
        }
    }
}

/// All texts of `app` that parsed without errors, and those of the files that it includes.
pub(super) fn of_coordinator<'a>(
    app: &'a CoordinatorApp,
    included: &'a Included,
) -> Vec<PhaseText<'a>> {
    let mut texts = PhaseTexts { list: Vec::new() };
    texts.push(&app.name, CoordinatorPhase::Name);
    texts.push(&app.frequency, CoordinatorPhase::Frequency);
    texts.all(
        [&app.start, &app.end, &app.timezone],
        CoordinatorPhase::Plain,
    );
    texts.all(&app.controls.timeout, CoordinatorPhase::Timeout);
    let others = [
        &app.controls.concurrency,
        &app.controls.execution,
        &app.controls.throttle,
    ];
    texts.all(others.into_iter().flatten(), CoordinatorPhase::Plain);
    texts.all(&app.includes, CoordinatorPhase::Plain);
    texts.datasets(&app.datasets);
    for file in &included.files {
        texts.all(&file.includes, CoordinatorPhase::Plain);
        texts.datasets(&file.datasets);
    }
    for event in &app.input_events {
        texts.push(&event.dataset, CoordinatorPhase::Plain);
        let phase = match event.instances {
            Instances::Each(_) => CoordinatorPhase::Instance,
            Instances::Range { .. } => CoordinatorPhase::RangeInstance,
        };
        texts.all(event.instances.texts(), phase);
    }
    if let Some(logic) = &app.input_logic {
        texts.logic(&logic.nodes);
    }
    for event in &app.output_events {
        texts.push(&event.dataset, CoordinatorPhase::Plain);
        texts.all(&event.instances, CoordinatorPhase::Instance);
        texts.all(&event.nocleanup, CoordinatorPhase::Plain);
    }
    if let Some(workflow) = &app.workflow {
        texts.push(&workflow.app_path, CoordinatorPhase::Plain);
        for property in &workflow.configuration.properties {
            texts.all(
                [&property.name, &property.value],
                CoordinatorPhase::Configuration,
            );
        }
    }
    if let Some(sla) = &app.sla {
        texts.all(sla.templates(), CoordinatorPhase::Sla);
    }
    for property in &app.config_default {
        texts.push(&property.value, CoordinatorPhase::Defaults);
    }
    texts.list
}

struct PhaseTexts<'a> {
    list: Vec<PhaseText<'a>>,
}

impl<'a> PhaseTexts<'a> {
    fn push(&mut self, template: &'a Template, phase: CoordinatorPhase) {
        // Parse errors have been reported.
        if !template.is_invalid {
            self.list.push(PhaseText::new(template, phase));
        }
    }

    fn all(&mut self, templates: impl IntoIterator<Item = &'a Template>, phase: CoordinatorPhase) {
        for template in templates {
            self.push(template, phase);
        }
    }

    fn datasets(&mut self, datasets: &'a [Dataset]) {
        for dataset in datasets {
            self.push(&dataset.frequency, CoordinatorPhase::Frequency);
            self.push(&dataset.initial_instance, CoordinatorPhase::InitialInstance);
            self.all(
                [&dataset.timezone, &dataset.uri_template],
                CoordinatorPhase::Plain,
            );
            self.all(&dataset.done_flag, CoordinatorPhase::Plain);
        }
    }

    fn logic(&mut self, nodes: &'a [LogicNode]) {
        for node in nodes {
            self.all(node.texts(), CoordinatorPhase::Plain);
            self.logic(&node.nodes);
        }
    }
}
