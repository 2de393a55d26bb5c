//! The arguments that are no properties: the data that an action waits for and makes, and the action itself.

use syn::{Attribute, FnArg, Pat, PatType, Type};

use crate::rust::{
    coordinator::dataset::bare_name,
    document::{Element, Text},
    place::Place,
    reader::Reader,
    scope::{Binding, Event},
    tokens::without_raw,
};

const INPUT: &str = "data that an action waits for are written `#[input(logs, current(-23)..=current(0))] day: Instances`";
const OUTPUT: &str =
    "data that an action makes are written `#[output(reports, current(0))] report: Instance`";

/// The events of a coordinator.
#[derive(Default)]
pub(super) struct Events {
    pub(super) inputs: Vec<Element>,
    pub(super) outputs: Vec<Element>,
}

/// What an argument is by its type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Instances,
    Instance,
    Action,
}

fn kind(argument: &PatType) -> Option<Kind> {
    let Type::Path(path) = &*argument.ty else {
        return None;
    };
    let last = &path.path.segments.last()?.ident;
    match last.to_string().as_str() {
        "Instances" => Some(Kind::Instances),
        "Instance" => Some(Kind::Instance),
        "CoordinatorAction" => Some(Kind::Action),
        _ => None,
    }
}

fn is_of_event(attribute: &Attribute) -> bool {
    attribute.path().is_ident("input") || attribute.path().is_ident("output")
}

/// Whether an argument is no property of the job.
pub(super) fn is_of_action(argument: &FnArg) -> bool {
    match argument {
        FnArg::Typed(typed) => kind(typed).is_some() || typed.attrs.iter().any(is_of_event),
        FnArg::Receiver(_) => false,
    }
}

impl Reader {
    /// The events, each bound to its argument.
    pub(super) fn events(&mut self, arguments: Vec<&FnArg>) -> Events {
        let mut events = Events::default();
        for argument in arguments {
            let FnArg::Typed(argument) = argument else {
                continue;
            };
            let Pat::Ident(pattern) = &*argument.pat else {
                self.mistake(
                    Place::of(&argument.pat),
                    "an argument of a coordinator has one name",
                );
                continue;
            };
            let name = without_raw(&pattern.ident);
            let place = Place::of(&pattern.ident);
            let attributes: Vec<&Attribute> =
                argument.attrs.iter().filter(|it| is_of_event(it)).collect();
            self.scopes.bind(name.clone(), Binding::Unknown);
            let kind = kind(argument);
            match (kind, &attributes[..]) {
                (Some(Kind::Action), []) => self.scopes.bind(name, Binding::Action),
                (Some(Kind::Action), [attribute, ..]) => self.mistake(
                    Place::of(*attribute),
                    "the action of a coordinator is no data: this belongs before an argument of the type `Instances` or `Instance`",
                ),
                (_, []) => {
                    self.mistake(
                        Place::of(&argument.ty),
                        &format!("which data these are is not said: {INPUT}; {OUTPUT}"),
                    );
                    // What the body does with them is no further mistake.
                    let is_input = true;
                    self.scopes
                        .bind(name.clone(), Binding::Event(Event { name, is_input }));
                }
                (_, [_, second, ..]) => self.mistake(
                    Place::of(*second),
                    "an argument is one input or one output",
                ),
                (None, [attribute]) => {
                    let form = if attribute.path().is_ident("input") { INPUT } else { OUTPUT };
                    self.mistake(Place::of(&argument.ty), form);
                }
                (Some(kind), [attribute]) => {
                    let is_input = attribute.path().is_ident("input");
                    let text = Text::literal(name.clone(), Some(place));
                    let event = match is_input {
                        true => self.input(attribute, kind, text),
                        false => self.output(attribute, argument, kind, text),
                    };
                    let section = match is_input {
                        true => &mut events.inputs,
                        false => &mut events.outputs,
                    };
                    section.extend(event);
                    self.scopes
                        .bind(name.clone(), Binding::Event(Event { name, is_input }));
                }
            }
        }
        events
    }

    fn input(&mut self, attribute: &Attribute, kind: Kind, name: Text) -> Option<Element> {
        let arguments = self.arguments(attribute, INPUT)?;
        let mut arguments = arguments.iter();
        let dataset = arguments.next().and_then(bare_name);
        let instances: Vec<&syn::Expr> = arguments.collect();
        let (Some(dataset), false) = (dataset, instances.is_empty()) else {
            self.mistake(Place::of(&attribute.meta), INPUT);
            return None;
        };
        let mut element = Element::new("data-in", Some(Place::of(&attribute.meta)))
            .attribute("name", name)
            .attribute(
                "dataset",
                Text::literal(without_raw(dataset), Some(Place::of(dataset))),
            );
        for given in &instances {
            let (elements, is_range) = self.instances(given)?;
            if is_range && instances.len() > 1 {
                self.mistake(
                    Place::of(*given),
                    "an input has one range of instances, or instances one by one",
                );
                return None;
            }
            if kind == Kind::Instance && (is_range || instances.len() > 1) {
                self.mistake(
                    Place::of(*given),
                    "these are several instances: the type of the argument is `Instances`",
                );
                return None;
            }
            element.children.extend(elements);
        }
        Some(element)
    }

    fn output(
        &mut self,
        attribute: &Attribute,
        argument: &PatType,
        kind: Kind,
        name: Text,
    ) -> Option<Element> {
        let arguments = self.arguments(attribute, OUTPUT)?;
        let mut arguments = arguments.iter();
        let dataset = arguments.next().and_then(bare_name);
        let (Some(dataset), Some(given)) = (dataset, arguments.next()) else {
            self.mistake(Place::of(&attribute.meta), OUTPUT);
            return None;
        };
        if kind == Kind::Instances {
            self.mistake(
                Place::of(&argument.ty),
                "an output is one instance: the type of the argument is `Instance`",
            );
            return None;
        }
        let mut element = Element::new("data-out", Some(Place::of(&attribute.meta)))
            .attribute("name", name)
            .attribute(
                "dataset",
                Text::literal(without_raw(dataset), Some(Place::of(dataset))),
            );
        for more in arguments {
            match bare_name(more) {
                Some(word) if word == "nocleanup" => {
                    let value = Text::literal("true", Some(Place::of(word)));
                    element = element.attribute("nocleanup", value);
                }
                _ => {
                    self.mistake(
                        Place::of(more),
                        "behind the instance of an output stands nothing, or `nocleanup`: a rerun keeps the data",
                    );
                    return None;
                }
            }
        }
        let (elements, is_range) = self.instances(given)?;
        if is_range {
            self.mistake(Place::of(given), "an output is one instance");
            return None;
        }
        element.children.extend(elements);
        Some(element)
    }
}
