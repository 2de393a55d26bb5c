//! `#[input_logic(any(logs, spare))]`: which of the inputs must be there.

use syn::{Attribute, Expr};

use crate::rust::{
    coordinator::dataset::bare_name,
    document::{Element, Text},
    place::Place,
    reader::Reader,
    scope::Binding,
    tokens::{is_named, without_raw},
};

const FORM: &str = "the logic of inputs is written `#[input_logic(any(logs, spare))]`, with `all(…)`, `any(…)`, `combine(…)` and the names of inputs, each with `.min(n)`, `.wait(minutes(n))` and `.named(\"…\")` behind it";

const OPERATORS: &[(&str, &str)] = &[("all", "and"), ("any", "or"), ("combine", "combine")];

impl Reader {
    pub(super) fn logic(&mut self, attribute: &Attribute) -> Option<Element> {
        let arguments = self.arguments(attribute, FORM)?;
        let (Some(given), 1) = (arguments.first(), arguments.len()) else {
            self.mistake(Place::of(attribute.path()), FORM);
            return None;
        };
        self.logic_of(given)
    }

    fn logic_of(&mut self, given: &Expr) -> Option<Element> {
        match given {
            Expr::Call(call) => {
                let known = OPERATORS
                    .iter()
                    .find(|(name, _)| is_named(&call.func, name));
                let Some((_, element)) = known else {
                    self.mistake(Place::of(given), FORM);
                    return None;
                };
                let mut element = Element::new(element, Some(Place::of(given)));
                for inside in &call.args {
                    element.children.push(self.logic_of(inside)?);
                }
                Some(element)
            }
            Expr::MethodCall(call) => {
                let mut element = self.logic_of(&call.receiver)?;
                let (Some(value), 1) = (call.args.first(), call.args.len()) else {
                    self.mistake(Place::of(&call.method), FORM);
                    return None;
                };
                let (name, text) = match call.method.to_string().as_str() {
                    "named" => ("name", self.text_of_attribute(value)?),
                    "min" => ("min", self.text_of_attribute(value)?),
                    "wait" => ("wait", self.minutes(value)?),
                    _ => {
                        self.mistake(Place::of(&call.method), FORM);
                        return None;
                    }
                };
                if element.attributes.iter().any(|(known, _)| *known == name) {
                    self.mistake(Place::of(&call.method), "this is given twice");
                    return None;
                }
                element.attributes.push((name, text));
                Some(element)
            }
            _ => {
                let input = bare_name(given).map(|name| (name, self.known(name)));
                match input {
                    Some((name, Some(Binding::Event(event)))) if event.is_input => {
                        let place = Place::of(name);
                        let text = Text::literal(without_raw(name), Some(place));
                        Some(Element::new("data-in", Some(place)).attribute("dataset", text))
                    }
                    // What it is has been reported.
                    Some((_, Some(Binding::Unknown))) => None,
                    Some((name, _)) => {
                        self.mistake(
                            Place::of(name),
                            &format!("no argument with `#[input(…)]` is called `{name}`"),
                        );
                        None
                    }
                    None => {
                        self.mistake(Place::of(given), FORM);
                        None
                    }
                }
            }
        }
    }
}
