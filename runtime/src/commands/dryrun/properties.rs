//! The job's properties, each with the origin of its value.

use std::collections::BTreeMap;

use hpdlc_core::visible;
use hpdlc_host::mask::{self, Mask};
use hpdlc_program::table::{App, ParameterDefault};
use serde_json::{Value, json};

use crate::commands::GivenPlace;

/// The origin of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ValueSource {
    /// `-c`, `-D`, `config-default`, `parameters`, or `job`: a property that every job has.
    pub(super) kind: &'static str,
    /// File and line, from 1.
    pub(super) place: Option<(String, u32)>,
}

impl ValueSource {
    pub(super) fn origin(&self) -> Value {
        match &self.place {
            Some((file, line)) => json!({ "file": file, "line": line }),
            None => Value::Null,
        }
    }
}

/// The origin of the job's property `name`.
pub(super) fn source(app: &App, given: &BTreeMap<String, GivenPlace>, name: &str) -> ValueSource {
    if let Some(place) = given.get(name) {
        return match place {
            GivenPlace::File(file, line) => ValueSource {
                kind: "-c",
                place: Some((file.to_string(), *line)),
            },
            GivenPlace::CommandLine => ValueSource {
                kind: "-D",
                place: None,
            },
        };
    }
    let default = app
        .parameters
        .iter()
        .find(|parameter| parameter.name == name)
        .and_then(|parameter| parameter.default.as_ref());
    if let Some(ParameterDefault::Declared(line, _)) = default {
        return ValueSource {
            kind: "parameters",
            place: Some((app.source.to_owned(), *line)),
        };
    }
    let in_file = app
        .config_default
        .iter()
        .rfind(|property| property.name() == name && !property.value().is_empty());
    match in_file {
        Some(property) => {
            let place = property.value().place(Default::default());
            ValueSource {
                kind: "config-default",
                place: Some((place.file.to_owned(), place.line)),
            }
        }
        None => ValueSource {
            kind: "job",
            place: None,
        },
    }
}

/// Every property, by name.
pub(super) fn json(
    app: &App,
    given: &BTreeMap<String, GivenPlace>,
    conf: &BTreeMap<String, String>,
    mask: &Mask,
) -> Value {
    mask.properties(conf)
        .into_iter()
        .map(|(name, value)| {
            let source = source(app, given, &name);
            json!({
                "secret": mask::is_secret_name(&name),
                "source": source.kind,
                "origin": source.origin(),
                "value": value,
                "name": name,
            })
        })
        .collect()
}

/// The same as text.
pub(super) fn text(
    app: &App,
    given: &BTreeMap<String, GivenPlace>,
    conf: &BTreeMap<String, String>,
    mask: &Mask,
) -> String {
    let mut text = "properties\n".to_owned();
    for (name, value) in mask.properties(conf) {
        let source = source(app, given, &name);
        let from = match &source.place {
            Some((file, line)) => format!("  ({file}:{line})"),
            None if source.kind == "-D" => "  (-D)".to_owned(),
            None => String::new(),
        };
        let (name, value) = (visible::line(&name), visible::line(&value));
        text.push_str(&format!("  {name:<28} {value}{from}\n"));
    }
    text
}
