//! `params`: the properties that the workflow reads.

use clap::Args;
use hpdlc_host::exit::{Exit, RunError};
use hpdlc_program::table::{Parameter, Program};
use serde_json::{Value, json};

use crate::commands::{print, print_json, write_out};

mod schema;

#[derive(Debug, Args)]
pub(super) struct Params {
    /// As JSON
    #[arg(long)]
    json: bool,
    /// As a JSON Schema of the properties that a job is given
    #[arg(long, conflicts_with = "json")]
    schema: bool,
}

impl Params {
    pub(super) fn execute(&self, program: &'static Program) -> Result<Exit, RunError> {
        let parameters = program.parameters();
        if self.schema {
            write_out(&format!("{:#}\n", schema::of(&program.name(), &parameters)))?;
            return Ok(Exit::Success);
        }
        if self.json {
            let all: Value = parameters.iter().copied().map(as_json).collect();
            print_json(&all)?;
            return Ok(Exit::Success);
        }
        let text = if parameters.is_empty() {
            format!("the {} reads no properties\n", program.word())
        } else {
            table(&parameters)
        };
        print(&text)?;
        Ok(Exit::Success)
    }
}

fn as_json(parameter: &Parameter) -> Value {
    let uses: Value = parameter
        .places()
        .map(|place| json!({ "file": place.file, "line": place.line }))
        .collect();
    json!({
        "name": parameter.name,
        "required": parameter.is_required(),
        "default": parameter.default.map(|default| default.text()),
        "type": parameter.r#type,
        "description": parameter.description,
        "uses": uses,
    })
}

/// One line per property.
fn table(parameters: &[&Parameter]) -> String {
    let width = parameters
        .iter()
        .map(|parameter| parameter.name.chars().count())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    for parameter in parameters {
        let value = match parameter.default {
            Some(default) => format!("default `{}`", default.text()),
            None if parameter.is_optional => "optional".to_owned(),
            None => "required".to_owned(),
        };
        let uses = used_at(parameter).unwrap_or_else(|| "not used".to_owned());
        let name = parameter.name;
        let line = format!("{name:<width$}  {:<8} {value:<24} {uses}", parameter.r#type);
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// `workflow.xml:12 and 3 more`; `None` if it is not used.
fn used_at(parameter: &Parameter) -> Option<String> {
    let mut places = parameter.places();
    let first = places.next()?;
    let (file, line) = (first.file, first.line);
    Some(match places.count() {
        0 => format!("{file}:{line}"),
        n_more => format!("{file}:{line} and {n_more} more"),
    })
}
