//! `params`: the properties that the workflow reads.

use clap::Args;
use serde_json::{Value, json};

use crate::{
    commands::print,
    exit::{Exit, RunError},
    table::Program,
};

#[derive(Debug, Args)]
pub(super) struct Params {
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Params {
    pub(super) fn execute(&self, program: &'static Program) -> Result<Exit, RunError> {
        let parameters = program.apps[0].parameters;
        if self.json {
            let all: Value = parameters
                .iter()
                .map(|parameter| {
                    let uses: Value = parameter
                        .places()
                        .map(|place| json!({ "file": place.file, "line": place.line }))
                        .collect();
                    json!({
                        "name": parameter.name,
                        "required": parameter.default.is_none() && !parameter.is_optional,
                        "default": parameter.default.map(|default| default.text()),
                        "type": parameter.r#type,
                        "uses": uses,
                    })
                })
                .collect();
            print(&format!("{all}\n"))?;
            return Ok(Exit::Success);
        }
        if parameters.is_empty() {
            print("the workflow reads no properties\n")?;
            return Ok(Exit::Success);
        }
        let width = parameters
            .iter()
            .map(|parameter| parameter.name.len())
            .max()
            .unwrap_or(0);
        for parameter in parameters {
            let value = match parameter.default {
                Some(default) => format!("default `{}`", default.text()),
                None if parameter.is_optional => "optional".to_owned(),
                None => "required".to_owned(),
            };
            let mut places = parameter.places();
            let uses = match (places.next(), places.count()) {
                (None, _) => "not used".to_owned(),
                (Some(first), 0) => format!("{}:{}", first.file, first.line),
                (Some(first), n_more) => {
                    format!("{}:{} and {n_more} more", first.file, first.line)
                }
            };
            let name = parameter.name;
            let line = format!("{name:<width$}  {:<8} {value:<24} {uses}", parameter.r#type);
            print(&format!("{}\n", line.trim_end()))?;
        }
        Ok(Exit::Success)
    }
}
