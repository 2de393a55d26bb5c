//! The texts of each node, in the order in which a node has them.

use std::collections::BTreeMap;

use hpdlc_host::secrets;
use hpdlc_program::table::{
    Action, Body, FsOperation, NodeDef, NodeKind, PrepareOperation, Settings, Template,
};

use crate::commands::dryrun::{
    children,
    configuration::Sources,
    deferred::is_deferred,
    entry::{Entry, Shown, numbered},
};

/// All texts of a node.
pub(super) fn entries(sources: Sources<'_>, def: &'static NodeDef) -> Vec<Entry> {
    let mut entries = Entries {
        sources,
        type_name: hpdlc_engine::job::type_name(def),
        all: Vec::new(),
    };
    match &def.kind {
        NodeKind::Start | NodeKind::End | NodeKind::Fork { .. } | NodeKind::Join => {}
        NodeKind::Kill { message } | NodeKind::Fail { message } => entries.add("message", message),
        NodeKind::Decision { cases } => {
            for (n, case) in (1..).zip(*cases) {
                entries.all.push(Entry {
                    test: Some(case.test),
                    ..Entry::of(format!("case[{n}]"), case.text)
                });
            }
        }
        NodeKind::Action(action) => entries.action(action),
    }
    entries.all
}

struct Entries<'a> {
    sources: Sources<'a>,
    /// Of the action.
    type_name: &'static str,
    all: Vec<Entry>,
}

impl Entries<'_> {
    fn add(&mut self, path: impl Into<String>, template: &Template) {
        self.all.push(Entry::of(path, *template));
    }

    /// One that an operation works on.
    fn path(&mut self, path: impl Into<String>, template: &Template) {
        let mut entry = Entry::of(path, *template);
        if !is_deferred(template.source()) {
            entry.error = self.sources.lost_part(template);
        }
        self.all.push(entry);
    }

    fn elements(&mut self, settings: &Settings, names: &[&str]) {
        for name in names {
            let templates: Vec<Template> = settings.elements(name).collect();
            let mut before = None;
            for (n, template) in (1..).zip(&templates) {
                let entry = Entry::of(numbered(name, n, templates.len()), *template);
                self.all.push(Entry {
                    is_secret: secrets::is_secret_element(self.type_name, name, before),
                    ..entry
                });
                before = Some(template.source());
            }
        }
    }

    fn settings(&mut self, settings: &'static Settings) {
        self.elements(settings, &["name-node", "resource-manager"]);
        self.all.extend(self.sources.of_action(settings));
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
            self.path(format!("prepare/{name}@path"), path);
        }
    }

    fn action(&mut self, action: &'static Action) {
        match &action.body {
            Body::Shell(shell) => {
                self.settings(&shell.settings);
                self.prepare(shell.prepare);
                let names = ["exec", "argument", "env-var", "file", "archive"];
                self.elements(&shell.settings, &names);
            }
            Body::Java(java) => {
                self.settings(&java.settings);
                self.prepare(java.prepare);
                let names = [
                    "main-class",
                    "java-opts",
                    "java-opt",
                    "arg",
                    "file",
                    "archive",
                ];
                self.elements(&java.settings, &names);
            }
            Body::Email(email) => {
                let names = [
                    "to",
                    "cc",
                    "bcc",
                    "subject",
                    "body",
                    "content_type",
                    "attachment",
                ];
                self.elements(&email.settings, &names);
            }
            Body::Git(git) => {
                self.settings(&git.settings);
                self.prepare(git.prepare);
                let names = ["git-uri", "branch", "key-path", "destination-uri"];
                self.elements(&git.settings, &names);
            }
            Body::Http(http) => {
                self.elements(&http.settings, &["url", "mode", "post"]);
                if let Some(content_type) = http.settings.element("content-type") {
                    self.add("post@content-type", &content_type);
                }
            }
            Body::PigHost(pig) => {
                self.settings(&pig.settings);
                self.prepare(pig.prepare);
                let names = ["pig-host", "pig-script", "param"];
                self.elements(&pig.settings, &names);
            }
            Body::Ssh(ssh) => {
                self.elements(&ssh.settings, &["host", "command", "args", "arg"]);
            }
            Body::Fs(fs) => {
                self.elements(&fs.settings, &["name-node"]);
                self.operations(fs.operations);
            }
            Body::SubWorkflow(sub) => {
                if let Some(app_path) = sub.settings.element("app-path") {
                    let mut entry = Entry::of("app-path", app_path);
                    if let Shown::Value(path) = entry.evaluate(self.sources.scope) {
                        entry.error = children::missing_sub_workflow(self.sources, &path);
                    }
                    self.all.push(entry);
                }
                self.all.extend(self.sources.of_child(&sub.settings));
            }
            Body::Tool(tool) => {
                self.settings(&tool.settings);
                self.prepare(tool.prepare);
                self.elements(&tool.settings, tool.kind.elements());
            }
            Body::Custom(custom) => {
                for (path, template) in custom.fields {
                    self.all.push(Entry {
                        is_secret: secrets::is_secret_name(path),
                        ..Entry::of(*path, *template)
                    });
                }
            }
        }
    }

    fn operations(&mut self, operations: &'static [FsOperation]) {
        let mut counts = Counts::of(operations.iter().map(operation_name));
        for operation in operations {
            let name = counts.next(operation_name(operation));
            let mut attribute = |attribute: &str, template: &'static Template| {
                let place = format!("{name}@{attribute}");
                match attribute {
                    "path" | "source" | "target" => self.path(place, template),
                    _ => self.add(place, template),
                }
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
