//! `dryrun`: every value that every node would get, and where it comes from; nothing runs.

use std::{collections::BTreeMap, sync::Arc};

use clap::Args;
use hpdlc_core::el::scope::{JobFacts, Origin};
use serde_json::{Value, json};

use crate::{
    commands::{Given, GivenProperties, print},
    exit::{Exit, RunError},
    files::Access,
    owner, secrets,
    submit::{self, Submission},
    table::Program,
    view::{JobView, NodeScope},
};

mod configuration;
mod deferred;
mod entries;
mod properties;

use self::{
    configuration::Sources,
    entries::{Shown, entries},
};

/// What stands for a secret value.
const MASKED: &str = "********";

#[derive(Debug, Args)]
pub(super) struct Dryrun {
    #[command(flatten)]
    given: Given,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Dryrun {
    pub(super) fn execute(&self, program: &'static Program) -> Result<Exit, RunError> {
        let app = program.apps[0];
        let user = owner::user_name();
        let GivenProperties {
            values: given,
            places,
        } = self.given.read_with_places()?;
        // What would be refused is shown all the same, each value that there is.
        let (submission, refusal) = submit::examine(app, given, submit::UNPACKED, &user);
        let Submission {
            conf,
            app_name,
            app_path,
        } = submission;
        let mask = secrets::Mask::of(&conf);
        let view = JobView {
            facts: JobFacts {
                id: String::new(),
                name: app_name,
                app_path,
                user,
                group: conf.get("group.name").cloned(),
                run: 0,
            },
            conf: Arc::new(conf),
            nodes: BTreeMap::new(),
            last_error_node: None,
            callbacks: None,
        };
        let mut all = Vec::new();
        let mut n_errors = 0;
        let mut text = properties::text(app, &places, &view.conf, &mask);
        for (id, def) in app.nodes() {
            let origin = app.origin(id);
            let scope = NodeScope {
                view: &view,
                node: def.name,
                origin,
                access: &Access::default(),
            };
            let sources = Sources {
                program,
                app,
                given: &places,
                conf: &view.conf,
                scope: &scope,
            };
            let type_name = crate::job::type_name(def);
            let entries = entries(sources, def);
            if !entries.is_empty() {
                let Origin { file, line } = origin;
                text.push_str(&format!("{} ({type_name}, {file}:{line})\n", def.name));
            }
            let mut values = Vec::new();
            for entry in entries {
                let (file, line) = entry.place(origin);
                let mut value = json!({
                    "path": entry.path,
                    "template": entry.source(),
                    "origin": { "file": file, "line": line },
                    "secret": entry.is_secret,
                });
                let shown = match entry.evaluate(&scope) {
                    Shown::Value(shown) => {
                        let shown = if entry.is_secret {
                            MASKED.to_owned()
                        } else {
                            mask.text(&shown)
                        };
                        value["value"] = json!(shown);
                        shown
                    }
                    Shown::Deferred => {
                        value["deferred"] = Value::Bool(true);
                        format!("(known when it runs) {}", entry.source())
                    }
                    Shown::Error(error) => {
                        n_errors += 1;
                        let shown = mask.text(&error);
                        value["error"] = json!(shown);
                        format!("ERROR {shown}")
                    }
                };
                let from = if entry.is_from_outside() {
                    format!("  ({file}:{line})")
                } else {
                    String::new()
                };
                text.push_str(&format!(
                    "  {:<28} {}{from}\n",
                    entry.path,
                    shown.replace('\n', "\n    ")
                ));
                values.push(value);
            }
            all.push(json!({ "name": def.name, "type": type_name, "values": values }));
        }
        if self.json {
            let properties = properties::json(app, &places, &view.conf, &mask);
            print(&format!(
                "{}\n",
                json!({ "nodes": all, "properties": properties })
            ))?;
        } else {
            print(&text)?;
        }
        match refusal {
            Some(refusal) => Err(refusal),
            None if n_errors == 0 => Ok(Exit::Success),
            None => Ok(Exit::Killed),
        }
    }
}
