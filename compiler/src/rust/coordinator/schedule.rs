//! The settings of `#[coordinator(…)]`: the workflow, when it runs, and how many of its actions at a time.

use proc_macro2::TokenStream;
use syn::{Expr, ExprAssign, Lit, LitStr, Path, parse::Parser};

use crate::rust::{
    attributes::Arguments,
    coordinator::instances::function,
    document::{Element, Text},
    place::Place,
    reader::Reader,
    tokens::{ident_of, is_named},
};

pub(super) const FORM: &str = "a coordinator is written `#[coordinator(workflow = daily, frequency = days(1), start = \"2026-01-01T00:00Z\", end = \"2027-01-01T00:00Z\", timezone = \"UTC\")]`";
const SETTINGS: &str = "a coordinator has the settings `workflow`, `frequency`, `start`, `end`, `timezone`, `timeout`, `concurrency`, `execution`, `throttle`, `name` and `config`";

/// Frequencies by their functions in Rust, and their names in the expression language.
const FREQUENCIES: &[(&str, &str)] = &[
    ("minutes", "coord:minutes"),
    ("hours", "coord:hours"),
    ("days", "coord:days"),
    ("months", "coord:months"),
    ("end_of_days", "coord:endOfDays"),
    ("end_of_weeks", "coord:endOfWeeks"),
    ("end_of_months", "coord:endOfMonths"),
];

/// The attributes of the root element, in its order.
const REQUIRED: &[&str] = &["frequency", "start", "end", "timezone"];
/// The elements of `controls`, in its order.
const CONTROLS: &[&str] = &["timeout", "concurrency", "execution", "throttle"];

#[derive(Default)]
pub(super) struct Schedule {
    pub(super) workflow: Option<Path>,
    pub(super) config: Option<LitStr>,
    pub(super) name: Option<Text>,
    pub(super) attributes: Vec<(&'static str, Text)>,
    pub(super) controls: Vec<Element>,
}

/// `name = value` of an attribute, each once.
pub(in crate::rust) struct Settings<'e> {
    given: Vec<(&'e syn::Ident, &'e Expr)>,
}

impl<'e> Settings<'e> {
    /// The value of a setting.
    pub(in crate::rust) fn take(&mut self, name: &str) -> Option<&'e Expr> {
        let at = self.given.iter().position(|(it, _)| *it == name)?;
        Some(self.given.remove(at).1)
    }
}

impl Reader {
    /// The settings among the arguments of an attribute; what is none is a mistake.
    pub(in crate::rust) fn settings_among<'e>(
        &mut self,
        arguments: impl IntoIterator<Item = &'e Expr>,
        form: &str,
    ) -> Settings<'e> {
        let mut given: Vec<(&syn::Ident, &Expr)> = Vec::new();
        for argument in arguments {
            let name = match argument {
                Expr::Assign(ExprAssign { left, .. }) => ident_of(left),
                _ => None,
            };
            let (Some(name), Expr::Assign(pair)) = (name, argument) else {
                self.mistake(Place::of(argument), form);
                continue;
            };
            if given.iter().any(|(other, _)| *other == name) {
                self.mistake(Place::of(name), "this is given twice");
            } else {
                given.push((name, &pair.right));
            }
        }
        Settings { given }
    }

    /// Refuses settings that nobody has taken.
    pub(in crate::rust) fn refuse_others(&mut self, settings: Settings<'_>, known: &str) {
        for (name, _) in settings.given {
            self.mistake(Place::of(name), known);
        }
    }

    pub(super) fn schedule(&mut self, arguments: TokenStream) -> Schedule {
        let mut schedule = Schedule::default();
        let arguments = match Arguments::parse_terminated.parse2(arguments) {
            Ok(arguments) => arguments,
            Err(error) => {
                self.mistake(Place::at(error.span()), FORM);
                return schedule;
            }
        };
        let n_mistakes = self.mistakes.len();
        let mut settings = self.settings_among(&arguments, FORM);
        let mut missing = Vec::new();
        match settings.take("workflow") {
            Some(Expr::Path(path)) => schedule.workflow = Some(path.path.clone()),
            Some(other) => self.mistake(
                Place::of(other),
                "the workflow is the path of a function with `#[workflow]`: `workflow = daily`",
            ),
            None => missing.push("workflow"),
        }
        for name in REQUIRED {
            let Some(value) = settings.take(name) else {
                missing.push(name);
                continue;
            };
            let text = match *name {
                "frequency" => self.frequency(value),
                _ => self.text_of_attribute(value),
            };
            schedule.attributes.extend(text.map(|text| (*name, text)));
        }
        for name in CONTROLS {
            let Some(value) = settings.take(name) else {
                continue;
            };
            let text = match (*name, value) {
                ("timeout", Expr::Call(_)) => self.minutes(value),
                _ => self.text_of_attribute(value),
            };
            let element = text.map(|text| Element::of(name, text, Place::of(value)));
            schedule.controls.extend(element);
        }
        if let Some(value) = settings.take("name") {
            schedule.name = self.text_of_attribute(value);
        }
        match settings.take("config") {
            Some(Expr::Lit(literal)) if let Lit::Str(path) = &literal.lit => {
                schedule.config = Some(path.clone());
            }
            Some(other) => self.mistake(
                Place::of(other),
                "this is the path of a file below the package: `config = \"defaults.xml\"`",
            ),
            None => {}
        }
        self.refuse_others(settings, SETTINGS);
        if !missing.is_empty() && self.mistakes.len() == n_mistakes {
            let place = match (arguments.first(), arguments.last()) {
                (Some(first), Some(last)) => Place::of(first).to(Place::of(last)),
                _ => Place::at(proc_macro2::Span::call_site()),
            };
            let names: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
            self.mistake(
                place,
                &format!("this coordinator lacks {}: {FORM}", names.join(", ")),
            );
        }
        schedule
    }

    /// A frequency of a coordinator or of a dataset.
    pub(super) fn frequency(&mut self, value: &Expr) -> Option<Text> {
        match value {
            Expr::Call(call) => {
                let known = FREQUENCIES
                    .iter()
                    .find(|(name, _)| is_named(&call.func, name));
                let Some((_, el)) = known.filter(|_| call.args.len() == 1) else {
                    let names: Vec<String> = FREQUENCIES
                        .iter()
                        .map(|(name, _)| format!("`{name}(n)`"))
                        .collect();
                    self.mistake(
                        Place::of(value),
                        &format!(
                            "a frequency is one of {}, or a text with a cron expression",
                            names.join(", ")
                        ),
                    );
                    return None;
                };
                let code = function(self, el, Place::of(&call.func), call.args.iter())?;
                Some(Text::expression(code))
            }
            Expr::Lit(literal) if !matches!(literal.lit, Lit::Str(_)) => {
                self.mistake(
                    Place::of(value),
                    "a frequency has a unit: `minutes(5)`, `hours(1)`, `days(1)`",
                );
                None
            }
            _ => self.text_of_attribute(value),
        }
    }
}
