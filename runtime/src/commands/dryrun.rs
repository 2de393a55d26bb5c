//! `dryrun`: every value that every node would get; nothing runs.

use std::{collections::BTreeMap, sync::Arc};

use clap::Args;
use hpdlc_core::el::scope::{JobFacts, Origin};
use serde_json::{Value, json};

use crate::{
    commands::{Given, print},
    exit::{Exit, RunError},
    owner, secrets,
    submit::{self, Submission},
    table::{
        Action, App, Body, FsOperation, JavaOpts, NodeDef, NodeKind, PrepareOperation, Program,
        Property, Settings, Template, Test,
    },
    view::{JobView, NodeScope},
};

/// Functions whose answer only a running job knows.
const DEFERRED: [&str; 14] = [
    "wf:id",
    "wf:transition",
    "wf:lastErrorNode",
    "wf:errorCode",
    "wf:errorMessage",
    "wf:run",
    "wf:actionData",
    "wf:actionExternalId",
    "wf:actionTrackerUri",
    "wf:actionExternalStatus",
    "wf:callback",
    "hadoop:counters",
    "timestamp",
    "fs:",
];

#[derive(Debug, Args)]
pub(super) struct Dryrun {
    #[command(flatten)]
    given: Given,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// One text of one node.
struct Entry {
    /// Element names below the action's body, such as `argument[2]`.
    path: String,
    template: &'static Template,
    test: Option<Test>,
    is_secret: bool,
}

impl Dryrun {
    pub(super) fn execute(&self, program: &'static Program) -> Result<Exit, RunError> {
        let app = program.apps[0];
        let user = owner::user_name();
        let Submission {
            conf,
            app_name,
            app_path,
        } = submit::complete(app, self.given.read()?, submit::UNPACKED, &user)?;
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
        };
        let mut nodes = Vec::new();
        let mut n_errors = 0;
        let mut text = String::new();
        for (id, def) in app.nodes() {
            let origin = app.origin(id);
            let mut values = Vec::new();
            for entry in entries(app, def) {
                let (key, value) = evaluate(
                    &entry,
                    &NodeScope {
                        view: &view,
                        node: def.name,
                        origin,
                    },
                );
                if key == "error" {
                    n_errors += 1;
                }
                let shown = if entry.is_secret && key == "value" {
                    "********".to_owned()
                } else {
                    mask.text(&value)
                };
                let place = entry.template.place(origin);
                let mut line = json!({
                    "path": entry.path,
                    "template": entry.template.source(),
                    "origin": { "file": place.file, "line": place.line },
                    "secret": entry.is_secret,
                });
                line[key] = if key == "deferred" {
                    Value::Bool(true)
                } else {
                    json!(shown)
                };
                let shown = match key {
                    "value" => shown,
                    "deferred" => format!("(known when it runs) {}", entry.template.source()),
                    _ => format!("ERROR {shown}"),
                };
                text.push_str(&format!(
                    "  {:<28} {}\n",
                    entry.path,
                    shown.replace('\n', "\n    ")
                ));
                values.push(line);
            }
            let type_name = crate::job::type_name(def);
            if !values.is_empty() {
                let Origin { file, line } = origin;
                let head = format!("{} ({type_name}, {file}:{line})\n", def.name);
                let body = std::mem::take(&mut text);
                if !self.json {
                    print(&format!("{head}{body}"))?;
                }
            }
            nodes.push(json!({ "name": def.name, "type": type_name, "values": values }));
        }
        if self.json {
            print(&format!("{}\n", json!({ "nodes": nodes })))?;
        }
        Ok(if n_errors == 0 {
            Exit::Success
        } else {
            Exit::Killed
        })
    }
}

/// The value of a text, or that only a running job knows it, or why it has none.
fn evaluate(entry: &Entry, scope: &NodeScope<'_>) -> (&'static str, String) {
    if is_deferred(entry.template.source()) {
        return ("deferred", String::new());
    }
    let value = match entry.test {
        Some(Test::Holds(test)) => test(scope)
            .map(|holds| holds.to_string())
            .map_err(|error| entry.template.error(error, scope)),
        Some(Test::Text) | None => entry.template.evaluate(scope),
    };
    match value {
        Ok(value) => ("value", value),
        Err(error) => ("error", error.to_string()),
    }
}

/// The text asks for what only a running job has.
fn is_deferred(source: &str) -> bool {
    source.contains("${")
        && DEFERRED.iter().any(|function| {
            source.match_indices(function).any(|(at, _)| {
                let rest = &source[at + function.len()..];
                function.ends_with(':') || rest.trim_start().starts_with('(')
            })
        })
}

fn entries(app: &'static App, def: &'static NodeDef) -> Vec<Entry> {
    let mut entries = Entries::default();
    match &def.kind {
        NodeKind::Start | NodeKind::End | NodeKind::Fork { .. } | NodeKind::Join => {}
        NodeKind::Kill { message } => entries.add("message", message),
        NodeKind::Decision { cases } => {
            for (n, case) in (1..).zip(*cases) {
                entries.add(format!("case[{n}]"), &case.text);
                if let Some(entry) = entries.all.last_mut() {
                    entry.test = Some(case.test);
                }
            }
        }
        NodeKind::Action(action) => entries.action(app, action),
    }
    entries.all
}

#[derive(Default)]
struct Entries {
    all: Vec<Entry>,
}

impl Entries {
    fn add(&mut self, path: impl Into<String>, template: &'static Template) {
        self.all.push(Entry {
            path: path.into(),
            template,
            test: None,
            is_secret: false,
        });
    }

    fn optional(&mut self, path: &str, template: Option<&'static Template>) {
        if let Some(template) = template {
            self.add(path, template);
        }
    }

    /// `name` where there is one, `name[1]`, `name[2]` where there are more.
    fn list(&mut self, name: &str, templates: &'static [Template]) {
        for (n, template) in (1..).zip(templates) {
            if templates.len() == 1 {
                self.add(name, template);
            } else {
                self.add(format!("{name}[{n}]"), template);
            }
        }
    }

    fn settings(&mut self, app: &'static App, settings: &'static Settings) {
        self.optional("name-node", settings.name_node.as_ref());
        self.optional("resource-manager", settings.resource_manager.as_ref());
        self.list("job-xml", settings.job_xml);
        self.configuration(&[app.config_default, app.global, settings.configuration]);
    }

    /// The properties that win, by name.
    fn configuration(&mut self, layers: &[&'static [Property]]) {
        let winning: BTreeMap<&str, &'static Property> = layers
            .iter()
            .copied()
            .flatten()
            .map(|property| (property.name(), property))
            .collect();
        for (name, property) in winning {
            self.add(
                format!("configuration/property[{name}]/value"),
                property.value(),
            );
            if let Some(entry) = self.all.last_mut() {
                entry.is_secret = secrets::is_secret_name(name);
            }
        }
    }

    fn prepare(&mut self, operations: &'static [PrepareOperation]) {
        let mut counts = Counts::of(operations.iter().map(|operation| match operation {
            PrepareOperation::Delete(_) => "delete",
            PrepareOperation::Mkdir(_) => "mkdir",
        }));
        for operation in operations {
            let (name, path) = match operation {
                PrepareOperation::Delete(path) => ("delete", path),
                PrepareOperation::Mkdir(path) => ("mkdir", path),
            };
            let name = counts.next(name);
            self.add(format!("prepare/{name}@path"), path);
        }
    }

    fn action(&mut self, app: &'static App, action: &'static Action) {
        match &action.body {
            Body::Shell(shell) => {
                self.settings(app, &shell.settings);
                self.prepare(shell.prepare);
                self.add("exec", &shell.exec);
                self.list("argument", shell.arguments);
                self.list("env-var", shell.env_vars);
                self.list("file", shell.files);
                self.list("archive", shell.archives);
            }
            Body::Java(java) => {
                self.settings(app, &java.settings);
                self.prepare(java.prepare);
                self.add("main-class", &java.main_class);
                match &java.java_opts {
                    JavaOpts::None => {}
                    JavaOpts::Text(text) => self.add("java-opts", text),
                    JavaOpts::List(options) => self.list("java-opt", options),
                }
                self.list("arg", java.args);
                self.list("file", java.files);
                self.list("archive", java.archives);
            }
            Body::Fs(fs) => {
                self.optional("name-node", fs.settings.name_node.as_ref());
                self.operations(fs.operations);
            }
            Body::SubWorkflow(sub) => {
                self.add("app-path", &sub.app_path);
                self.configuration(&[app.global, sub.settings.configuration]);
            }
            Body::Custom(custom) => {
                for (path, template) in custom.fields {
                    self.add(*path, template);
                }
            }
        }
    }

    fn operations(&mut self, operations: &'static [FsOperation]) {
        let mut counts = Counts::of(operations.iter().map(operation_name));
        for operation in operations {
            let name = counts.next(operation_name(operation));
            let mut attribute = |attribute: &str, template: &'static Template| {
                self.add(format!("{name}@{attribute}"), template);
            };
            match operation {
                FsOperation::Delete { path, skip_trash } => {
                    attribute("path", path);
                    if let Some(skip_trash) = skip_trash {
                        attribute("skip-trash", skip_trash);
                    }
                }
                FsOperation::Mkdir { path } | FsOperation::Touchz { path } => {
                    attribute("path", path)
                }
                FsOperation::Move { source, target } => {
                    attribute("source", source);
                    attribute("target", target);
                }
                FsOperation::Chmod {
                    path,
                    permissions: value,
                    dir_files,
                    ..
                } => {
                    attribute("path", path);
                    attribute("permissions", value);
                    if let Some(dir_files) = dir_files {
                        attribute("dir-files", dir_files);
                    }
                }
                FsOperation::Chgrp {
                    path,
                    group,
                    dir_files,
                    ..
                } => {
                    attribute("path", path);
                    attribute("group", group);
                    if let Some(dir_files) = dir_files {
                        attribute("dir-files", dir_files);
                    }
                }
                FsOperation::Setrep { path, factor } => {
                    attribute("path", path);
                    attribute("replication-factor", factor);
                }
            }
        }
    }
}

fn operation_name(operation: &FsOperation) -> &'static str {
    match operation {
        FsOperation::Delete { .. } => "delete",
        FsOperation::Mkdir { .. } => "mkdir",
        FsOperation::Move { .. } => "move",
        FsOperation::Chmod { .. } => "chmod",
        FsOperation::Chgrp { .. } => "chgrp",
        FsOperation::Touchz { .. } => "touchz",
        FsOperation::Setrep { .. } => "setrep",
    }
}

/// Numbers names that are repeated.
struct Counts {
    totals: BTreeMap<&'static str, u32>,
    seen: BTreeMap<&'static str, u32>,
}

impl Counts {
    fn of(names: impl Iterator<Item = &'static str>) -> Counts {
        let mut totals = BTreeMap::new();
        for name in names {
            *totals.entry(name).or_insert(0) += 1;
        }
        Counts {
            totals,
            seen: BTreeMap::new(),
        }
    }

    fn next(&mut self, name: &'static str) -> String {
        let n = self.seen.entry(name).or_insert(0);
        *n += 1;
        if self.totals.get(name).copied().unwrap_or_default() > 1 {
            format!("{name}[{n}]")
        } else {
            name.to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_deferred;

    #[test]
    fn what_only_a_running_job_knows_is_deferred() {
        assert!(is_deferred("${wf:actionData('a')['n']}"));
        assert!(is_deferred("${wf:id ()}"));
        assert!(is_deferred("${fs:exists('/tmp')}"));
        assert!(!is_deferred("${wf:conf('wf:id')}"));
        assert!(!is_deferred("wf:id()"));
        assert!(!is_deferred("${mytimestamp}"));
    }
}
