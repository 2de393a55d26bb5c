//! `#[dataset(logs, frequency = hours(1), …)]`, and `#[datasets("…")]` for files with more of them.

use syn::{Attribute, Expr};

use crate::rust::{
    document::{Element, Text},
    place::Place,
    reader::Reader,
    tokens::{ident_of, without_raw},
};

pub(super) const FORM: &str = "a dataset is written `#[dataset(logs, frequency = hours(1), initial = \"2026-01-01T00:00Z\", timezone = \"UTC\", uri = \"file:///logs/${YEAR}/${MONTH}/${DAY}/${HOUR}\", done_flag = \"_SUCCESS\")]`";
const SETTINGS: &str =
    "a dataset has the settings `frequency`, `initial`, `timezone`, `uri` and `done_flag`";

impl Reader {
    pub(super) fn dataset(&mut self, attribute: &Attribute) -> Option<Element> {
        let arguments = self.arguments(attribute, FORM)?;
        let n_mistakes = self.mistakes.len();
        let mut arguments = arguments.iter();
        let Some(name) = arguments.next().and_then(bare_name) else {
            self.mistake(Place::of(attribute.path()), FORM);
            return None;
        };
        let mut settings = self.settings_among(arguments, FORM);
        let mut missing = Vec::new();
        let mut element = Element::new("dataset", Some(Place::of(&attribute.meta))).attribute(
            "name",
            Text::literal(without_raw(name), Some(Place::of(name))),
        );
        for (setting, attribute) in [
            ("frequency", "frequency"),
            ("initial", "initial-instance"),
            ("timezone", "timezone"),
        ] {
            let Some(value) = settings.take(setting) else {
                missing.push(setting);
                continue;
            };
            let text = match setting {
                "frequency" => self.frequency(value),
                _ => self.text_of_attribute(value),
            };
            element
                .attributes
                .extend(text.map(|text| (attribute, text)));
        }
        for (setting, child) in [("uri", "uri-template"), ("done_flag", "done-flag")] {
            let Some(value) = settings.take(setting) else {
                if setting == "uri" {
                    missing.push(setting);
                }
                continue;
            };
            let text = self.text_of_attribute(value);
            let place = Place::of(value);
            element
                .children
                .extend(text.map(|text| Element::of(child, text, place)));
        }
        self.refuse_others(settings, SETTINGS);
        if !missing.is_empty() && self.mistakes.len() == n_mistakes {
            let names: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
            self.mistake(
                Place::of(name),
                &format!("this dataset lacks {}: {FORM}", names.join(", ")),
            );
        }
        (self.mistakes.len() == n_mistakes).then_some(element)
    }

    /// A file with datasets.
    pub(super) fn included(&mut self, attribute: &Attribute) -> Option<Element> {
        let form = "a file with datasets is written `#[datasets(\"hdfs://nn/conf/datasets.xml\")]`";
        let arguments = self.arguments(attribute, form)?;
        let (Some(path), 1) = (arguments.first(), arguments.len()) else {
            self.mistake(Place::of(attribute.path()), form);
            return None;
        };
        let text = self.text_of_attribute(path)?;
        Some(Element::of("include", text, Place::of(path)))
    }
}

/// A name that stands alone.
pub(super) fn bare_name(argument: &Expr) -> Option<&syn::Ident> {
    match argument {
        Expr::Path(_) => ident_of(argument),
        _ => None,
    }
}
