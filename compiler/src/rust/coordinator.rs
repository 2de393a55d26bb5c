//! Coordinators written in Rust: a function is read, never run, and becomes a `coordinator.xml` in memory.
//!
//! Its attributes say when it runs and which data there are, its arguments are the properties of its jobs, the data that an action
//! waits for and makes, and the action itself. Its body is one struct literal: the parameters of the workflow.

mod dataset;
mod events;
mod instances;
mod logic;
pub(super) mod passed;
pub(super) mod schedule;
pub(super) mod shadow;

use proc_macro2::{Ident, TokenStream};
use syn::{FnArg, ItemFn};

use self::schedule::Schedule;
use crate::rust::{
    Document, Shadow,
    attributes::WITHOUT_MEANING,
    document::{Element, Text, Writer},
    params::{PassedField, app_path},
    place::{Mistake, Place},
    reader::{Kind, Reader},
    signature::Parameter,
    tokens::without_raw,
};

/// A coordinator as it was read.
pub struct Coordinator {
    /// The function.
    pub name: Ident,
    pub parameters: Vec<Parameter>,
    /// The module of the workflow.
    pub workflow: Option<syn::Path>,
    /// A file of default properties, below the package.
    pub config: Option<syn::LitStr>,
    /// What the workflow is given.
    pub passed: Vec<PassedField>,
    /// What rustc checks in place of the function.
    pub shadow: Shadow,
    /// `None` if there are mistakes, of which some may be rustc's to report.
    pub document: Option<Document>,
    pub mistakes: Vec<Mistake>,
}

/// The attributes of the function.
#[derive(Default)]
struct Attributes {
    includes: Vec<Element>,
    datasets: Vec<Element>,
    logic: Option<Element>,
    sla: Option<Element>,
}

/// Reads the function below `#[coordinator(arguments)]`.
pub fn read_coordinator(arguments: TokenStream, item: &ItemFn) -> Coordinator {
    let mut reader = Reader::default();
    reader.kind = Kind::Coordinator;
    reader.scopes.enter();
    reader.check_coordinator(item);
    let inputs = item.sig.inputs.iter();
    let (events, properties): (Vec<&FnArg>, Vec<&FnArg>) =
        inputs.partition(|it| events::is_of_action(it));
    let (parameters, declared) = reader.parameters(properties);
    let events = reader.events(events);
    let schedule = reader.schedule(arguments.clone());
    let attributes = reader.attributes_of_coordinator(item);
    reader.check_params_of(schedule.workflow.as_ref(), item);
    let (passed, configuration) = reader.passed(&item.block, &parameters);
    let is_sound = reader.mistakes.is_empty() && !reader.is_left_to_rustc;
    let workflow = schedule.workflow.clone();
    let document = match &workflow {
        Some(workflow) if is_sound => {
            let mut root = schedule.root(&item.sig.ident);
            root.children.extend(declared);
            root.children.extend(schedule.controls());
            root.children.extend(section(
                "datasets",
                attributes.includes.into_iter().chain(attributes.datasets),
            ));
            root.children.extend(section("input-events", events.inputs));
            let logic = attributes.logic.into_iter();
            root.children.extend(section("input-logic", logic));
            root.children
                .extend(section("output-events", events.outputs));
            root.children
                .push(action(workflow, configuration, attributes.sla));
            Some(written(&root, Place::of(&item.sig)))
        }
        _ => None,
    };
    Coordinator {
        name: item.sig.ident.clone(),
        parameters,
        config: schedule.config,
        passed,
        shadow: shadow::shadow(arguments, item, workflow.as_ref(), document.is_some()),
        workflow,
        document,
        mistakes: reader.mistakes,
    }
}

/// An element around others, if there are any.
pub(super) fn section(
    name: &'static str,
    inside: impl IntoIterator<Item = Element>,
) -> Option<Element> {
    let mut element = Element::new(name, None);
    element.children.extend(inside);
    (!element.children.is_empty()).then_some(element)
}

fn action(workflow: &syn::Path, configuration: Vec<Element>, sla: Option<Element>) -> Element {
    let place = Place::of(workflow);
    let path = Text::literal(app_path(workflow), Some(place));
    let mut started =
        Element::new("workflow", Some(place)).child(Element::of("app-path", path, place));
    started
        .children
        .extend(section("configuration", configuration));
    let mut action = Element::new("action", None).child(started);
    action.children.extend(sla);
    action
}

pub(super) fn written(root: &Element, whole: Place) -> Document {
    let mut out = Writer::default();
    out.root(root);
    Document {
        text: out.text,
        pieces: out.pieces,
        whole,
    }
}

impl Reader {
    fn check_coordinator(&mut self, item: &ItemFn) {
        if let Some(asyncness) = &item.sig.asyncness {
            self.mistake(
                Place::of(asyncness),
                "a coordinator runs no actions, its workflow does: it is a function without `async`",
            );
        }
        self.check_generics(item);
        if matches!(item.sig.output, syn::ReturnType::Default) {
            self.mistake(
                Place::of(&item.sig),
                "a coordinator gives the parameters of its workflow: `fn nightly(…) -> daily::Params`",
            );
        }
    }

    fn attributes_of_coordinator(&mut self, item: &ItemFn) -> Attributes {
        let mut found = Attributes::default();
        for attribute in &item.attrs {
            let path = attribute.path();
            let place = Place::of(path);
            if path.is_ident("dataset") {
                found.datasets.extend(self.dataset(attribute));
            } else if path.is_ident("datasets") {
                found.includes.extend(self.included(attribute));
            } else if path.is_ident("input_logic") {
                if found.logic.is_some() {
                    self.mistake(place, "a coordinator has one `#[input_logic(…)]`");
                }
                found.logic = self.logic(attribute);
            } else if path.is_ident("sla") {
                if found.sla.is_some() {
                    self.mistake(place, "a coordinator has one service level");
                }
                found.sla = self.sla_of_attribute(attribute);
            } else if !WITHOUT_MEANING.iter().any(|known| path.is_ident(known))
                && path.segments.len() == 1
            {
                self.mistake(
                    place,
                    "a coordinator is no function in the program, so this has no effect: it has the attributes `dataset`, `datasets`, `input_logic` and `sla`",
                );
            }
        }
        found
    }
}

impl Schedule {
    /// The root element of the document of the coordinator `function`.
    fn root(&self, function: &Ident) -> Element {
        let name = self.name.clone().unwrap_or_else(|| {
            let name = without_raw(function).replace('_', "-");
            Text::literal(name, Some(Place::of(function)))
        });
        let mut root = Element::new("coordinator-app", None).attribute("name", name);
        let attributes = self.attributes.iter().cloned();
        root.attributes.extend(attributes);
        root.attribute("xmlns", Text::literal("uri:oozie:coordinator:0.5", None))
    }

    fn controls(&self) -> Option<Element> {
        section("controls", self.controls.iter().cloned())
    }
}

#[cfg(test)]
mod tests;
