//! Coordinators and bundles in the table: their texts, compiled as those of workflows are.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use hpdlc_core::app_uri::AppLocation;

use crate::table::{Child, Entry, Parameter, Program, Property, SlaTexts, Template};

/// The `controls` of a coordinator.
pub type Controls = hpdlc_core::coordinator::Controls<Template>;

/// One coordinator. The lines of its texts are those of its file.
#[derive(Clone, Copy, Debug)]
pub struct Coordinator {
    /// The `name` attribute.
    pub name: Template,
    /// The XML file as it was given to the compiler, for messages.
    pub source: &'static str,
    /// Its folder, relative to the unpacked files; "" for the program's own.
    pub folder: &'static str,
    /// Every property that the document declares or reads, by name.
    pub parameters: &'static [Parameter],
    /// Properties of `coord-config-default.xml`.
    pub config_default: &'static [Property],
    pub frequency: Template,
    pub start: Template,
    /// Exclusive.
    pub end: Template,
    pub timezone: Template,
    pub controls: Controls,
    pub includes: &'static [Include],
    pub datasets: &'static [Dataset],
    pub inputs: &'static [Event],
    pub input_logic: Option<&'static Logic>,
    pub outputs: &'static [Event],
    /// The workflow that each action starts.
    pub app_path: Template,
    /// The properties passed to the workflow in addition to those of the coordinator.
    pub configuration: &'static [Property],
    pub sla: Option<&'static SlaTexts>,
    /// The URIs by which that workflow is found, with their indexes in [`Program::apps`].
    pub workflows: &'static [Child],
}

impl Coordinator {
    /// The values of absent fields.
    pub const EMPTY: Coordinator = Coordinator {
        name: Template::Text(0, ""),
        source: "",
        folder: "",
        parameters: &[],
        config_default: &[],
        frequency: Template::Text(0, ""),
        start: Template::Text(0, ""),
        end: Template::Text(0, ""),
        timezone: Template::Text(0, ""),
        controls: Controls::EMPTY,
        includes: &[],
        datasets: &[],
        inputs: &[],
        input_logic: None,
        outputs: &[],
        app_path: Template::Text(0, ""),
        configuration: &[],
        sla: None,
        workflows: &[],
    };
}

impl Coordinator {
    /// Every text that a job of it may evaluate.
    pub fn templates(&self) -> Vec<Template> {
        let mut all = vec![
            self.name,
            self.frequency,
            self.start,
            self.end,
            self.timezone,
            self.app_path,
        ];
        let controls = self.controls.elements();
        let sla = self.sla.into_iter().flat_map(SlaTexts::elements);
        all.extend(controls.chain(sla).map(|(_, text)| *text));
        all.extend(self.configuration.iter().flat_map(Property::templates));
        let included = self.includes.iter().flat_map(|include| include.datasets);
        for dataset in self.datasets.iter().chain(included) {
            let Dataset {
                name: _,
                frequency,
                initial_instance,
                timezone,
                uri_template,
                done_flag,
            } = dataset;
            all.extend([*frequency, *initial_instance, *timezone, *uri_template]);
            all.extend(*done_flag);
        }
        for event in self.inputs.iter().chain(self.outputs) {
            all.push(event.dataset);
            match &event.instances {
                Instances::Each(instances) => all.extend(*instances),
                Instances::Range(start, end) => all.extend([*start, *end]),
            }
        }
        if let Some(logic) = self.input_logic {
            logic.push_templates(&mut all);
        }
        all
    }
}

/// A file with datasets.
#[derive(Debug)]
pub struct Include {
    /// Its URI, as written.
    pub path: Template,
    /// The URI that was read at compile time; `None` if it could not be. A different URI is read when a job is submitted.
    pub uri: Option<&'static str>,
    /// The datasets of that file and of those that it includes.
    pub datasets: &'static [Dataset],
}

/// A `dataset`.
#[derive(Debug)]
pub struct Dataset {
    pub name: &'static str,
    pub frequency: Template,
    pub initial_instance: Template,
    pub timezone: Template,
    pub uri_template: Template,
    /// The file whose existence marks an instance as complete; if empty, the folder itself.
    pub done_flag: Option<Template>,
}

/// A `data-in` or a `data-out`.
#[derive(Debug)]
pub struct Event {
    pub name: &'static str,
    pub dataset: Template,
    pub instances: Instances,
    /// Of a `data-out`: whether its data is kept when an action is rerun.
    pub nocleanup: Option<Template>,
}

/// The instances of an event.
#[derive(Debug)]
pub enum Instances {
    Each(&'static [Template]),
    /// From a `start-instance` to an `end-instance`.
    Range(Template, Template),
}

/// An element of the input logic.
#[derive(Debug)]
pub struct Logic {
    pub kind: LogicKind,
    pub name: Option<Template>,
    /// The number of instances that suffice.
    pub min: Option<Template>,
    /// The time to wait for more, in minutes.
    pub wait: Option<Template>,
}

impl Logic {
    fn push_templates(&self, all: &mut Vec<Template>) {
        all.extend([self.name, self.min, self.wait].into_iter().flatten());
        match &self.kind {
            LogicKind::And(nodes) | LogicKind::Or(nodes) | LogicKind::Combine(nodes) => {
                for node in *nodes {
                    node.push_templates(all);
                }
            }
            LogicKind::Input(input) => all.push(*input),
        }
    }
}

#[derive(Debug)]
pub enum LogicKind {
    And(&'static [Logic]),
    Or(&'static [Logic]),
    Combine(&'static [Logic]),
    /// The name of an input.
    Input(Template),
}

/// A bundle: coordinators that are started and stopped together.
#[derive(Debug)]
pub struct Bundle {
    pub name: Template,
    /// The XML file as it was given to the compiler, for messages.
    pub source: &'static str,
    /// Every property that the document declares or reads, by name.
    pub parameters: &'static [Parameter],
    /// Properties of `bundle-config-default.xml`.
    pub config_default: &'static [Property],
    pub kick_off_time: Option<Template>,
    pub coordinators: &'static [BundleCoordinator],
    /// The URIs by which its coordinators are found, with their indexes in
    /// [`Program::coordinators`](super::Program::coordinators).
    pub children: &'static [Child],
}

/// A `coordinator` of a bundle.
#[derive(Debug)]
pub struct BundleCoordinator {
    pub name: Template,
    /// The coordinator is started only if this is `true` or absent.
    pub enabled: Option<Template>,
    pub app_path: Template,
    pub configuration: &'static [Property],
}

/// See [`Program::parameters`].
pub(super) fn parameters(program: &Program) -> Vec<&'static Parameter> {
    let mut all = BTreeMap::new();
    match program.entry {
        Entry::Workflow => add(
            &mut all,
            program.apps.iter().take(1).flat_map(|app| app.parameters),
        ),
        Entry::Coordinator => {
            for coordinator in program.coordinators.iter().take(1) {
                add_coordinator(&mut all, program, coordinator, &BTreeSet::new());
            }
        }
        Entry::Bundle(bundle) => {
            add(&mut all, bundle.parameters.iter());
            for started in bundle.coordinators {
                let path = started.app_path.source();
                let place = AppLocation::of(&path);
                let found = bundle.children.iter().filter(|child| {
                    // A path with expressions can be that of any coordinator.
                    path.contains("${") || AppLocation::of(child.uri) == place
                });
                let passed = names(started.configuration);
                for child in found {
                    if let Some(coordinator) = program.coordinators.get(child.app) {
                        add_coordinator(&mut all, program, coordinator, &passed);
                    }
                }
            }
        }
    }
    all.into_values().collect()
}

type Parameters = BTreeMap<&'static str, &'static Parameter>;

fn add_coordinator(
    all: &mut Parameters,
    program: &Program,
    coordinator: &'static Coordinator,
    passed: &BTreeSet<Cow<'static, str>>,
) {
    let own = coordinator.parameters.iter();
    add(all, own.filter(|own| !passed.contains(own.name)));
    let mut known = names(coordinator.configuration);
    known.extend(passed.iter().cloned());
    let apps: BTreeSet<usize> = coordinator
        .workflows
        .iter()
        .map(|child| child.app)
        .collect();
    for app in apps.into_iter().filter_map(|place| program.apps.get(place)) {
        let needs = app.parameters.iter();
        add(
            all,
            needs.filter(|need| !known.contains(need.name) && !need.name.starts_with("oozie.")),
        );
    }
}

/// A property that any of several documents requires is required.
fn add(all: &mut Parameters, parameters: impl Iterator<Item = &'static Parameter>) {
    for parameter in parameters {
        let known = all.entry(parameter.name).or_insert(parameter);
        if known.is_optional && known.default.is_none() && parameter.is_required() {
            *known = parameter;
        }
    }
}

fn names(properties: &'static [Property]) -> BTreeSet<Cow<'static, str>> {
    properties.iter().map(|property| property.name()).collect()
}
