//! Coordinators and bundles in the table: their texts, which are evaluated when a job of them is submitted.
//!
//! None of their texts has code: what their functions mean depends on when they are asked, and each is evaluated once a job or
//! once an action.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use hpdlc_core::app_uri::AppLocation;

use crate::table::{Child, Entry, Parameter, Program, Property, Template};

/// One coordinator. Lines of its texts are those of its file.
#[derive(Debug)]
pub struct Coordinator {
    /// The `name` attribute.
    pub name: Template,
    /// The XML file as it was given to the compiler, for messages.
    pub source: &'static str,
    /// Its folder below the unpacked files; "" for the program's own.
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
    /// The elements of `controls` that are there, and not empty.
    pub controls: &'static [Property],
    pub includes: &'static [Include],
    pub datasets: &'static [Dataset],
    pub inputs: &'static [Event],
    pub input_logic: Option<&'static Logic>,
    pub outputs: &'static [Event],
    /// The workflow that each action starts.
    pub app_path: Template,
    /// What the workflow gets besides the properties of the coordinator.
    pub configuration: &'static [Property],
    /// The texts of the SLA block, by their names in the schema.
    pub sla: &'static [Property],
    /// The URIs by which that workflow is found, with their places in [`Program::apps`].
    pub workflows: &'static [Child],
}

impl Coordinator {
    /// What stands for what is not written.
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
        controls: &[],
        includes: &[],
        datasets: &[],
        inputs: &[],
        input_logic: None,
        outputs: &[],
        app_path: Template::Text(0, ""),
        configuration: &[],
        sla: &[],
        workflows: &[],
    };
}

/// A file with datasets.
#[derive(Debug)]
pub struct Include {
    /// Its URI, as written.
    pub path: Template,
    /// The URI that was read when the program was compiled; nothing where none could be. Another one is read when a job is
    /// submitted.
    pub uri: Option<&'static str>,
    /// What is in that file and in those that it includes.
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
    /// The file that says that an instance is there; an empty one the folder itself.
    pub done_flag: Option<Template>,
}

/// A `data-in` or a `data-out`.
#[derive(Debug)]
pub struct Event {
    pub name: &'static str,
    pub dataset: Template,
    pub instances: Instances,
    /// Of a `data-out`: whether its data stays where an action runs again.
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
    /// How many instances are enough.
    pub min: Option<Template>,
    /// Minutes to wait for more.
    pub wait: Option<Template>,
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
    /// The URIs by which its coordinators are found, with their places in [`Program::coordinators`](super::Program::coordinators).
    pub children: &'static [Child],
}

/// A `coordinator` of a bundle.
#[derive(Debug)]
pub struct BundleCoordinator {
    pub name: Template,
    /// Only `true` starts it; so does no attribute.
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
                    // A path with properties in it may be that of any.
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

/// What is required by one of several is required.
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
