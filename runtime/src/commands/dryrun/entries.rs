//! The texts of each node, in the order of its evaluation.

use std::{borrow::Cow, collections::BTreeMap};

use hpdlc_host::mask;
use hpdlc_program::table::{
    Action, ActionDef, FsOperation, NodeDef, NodeKind, PrepareOperation, Template,
};

use crate::commands::dryrun::{
    children,
    configuration::LayerSources,
    deferred::is_deferred,
    entry::{NodeText, TextResult, numbered},
};

/// All texts of a node.
pub(super) fn entries(sources: LayerSources<'_>, def: &'static NodeDef) -> Vec<NodeText> {
    let mut entries = NodeTexts {
        sources,
        all: Vec::new(),
    };
    match &def.kind {
        NodeKind::Start | NodeKind::End | NodeKind::Fork { .. } | NodeKind::Join => {}
        NodeKind::Kill { message } | NodeKind::Fail { message } => entries.add("message", message),
        NodeKind::Decision { cases } => {
            for (n, case) in (1..).zip(*cases) {
                entries.add(format!("case[{n}]"), case);
            }
        }
        NodeKind::Action(action) => entries.action(action),
    }
    entries.all
}

struct NodeTexts<'a> {
    sources: LayerSources<'a>,
    all: Vec<NodeText>,
}

impl NodeTexts<'_> {
    fn add(&mut self, path: impl Into<String>, template: &Template) {
        self.all.push(NodeText::of(path, *template));
    }

    /// Adds a path that an operation works on.
    fn path(&mut self, path: impl Into<String>, template: &Template) {
        let mut entry = NodeText::of(path, *template);
        if !is_deferred(&template.source()) {
            entry.error = self.sources.lost_part(template);
        }
        self.all.push(entry);
    }

    fn elements(&mut self, def: &dyn ActionDef, names: &[&'static str]) {
        for name in names {
            let templates: Vec<Template> = def.settings().elements(name).collect();
            let path = def.path(name);
            let mut before: Option<Cow<'_, str>> = None;
            for (n, template) in (1..).zip(&templates) {
                let entry = NodeText::of(numbered(path, n, templates.len()), *template);
                self.all.push(NodeText {
                    is_secret: mask::is_secret_element(def.type_name(), name, before.as_deref()),
                    ..entry
                });
                before = Some(template.source());
            }
        }
    }

    fn prepare(&mut self, operations: &'static [PrepareOperation]) {
        let mut counts = NameCounts::of(operations.iter().map(|operation| match operation {
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
        let def = action.body.def();
        let settings = def.settings();
        if let Some(app_path) = def.child() {
            self.child(app_path);
            self.all.extend(self.sources.of_child(settings));
            return;
        }
        if def.has_configuration() {
            self.elements(def, &["name-node", "resource-manager"]);
            self.all.extend(self.sources.of_action(settings));
        }
        self.prepare(def.prepare());
        self.elements(def, def.elements());
        self.operations(def.operations());
        for (path, template) in def.fields() {
            self.all.push(NodeText {
                is_secret: mask::is_secret_name(path),
                ..NodeText::of(*path, *template)
            });
        }
    }

    fn child(&mut self, app_path: Template) {
        let mut entry = NodeText::of("app-path", app_path);
        if let TextResult::Value(path) = entry.evaluate(self.sources.scope) {
            entry.error = children::missing_sub_workflow(self.sources, &path);
        }
        self.all.push(entry);
    }

    fn operations(&mut self, operations: &'static [FsOperation]) {
        let mut counts = NameCounts::of(operations.iter().map(operation_name));
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

/// Numbers repeated names.
struct NameCounts {
    totals: BTreeMap<&'static str, u32>,
    seen: BTreeMap<&'static str, u32>,
}

impl NameCounts {
    fn of(names: impl Iterator<Item = &'static str>) -> NameCounts {
        let mut totals = BTreeMap::new();
        for name in names {
            *totals.entry(name).or_insert(0) += 1;
        }
        NameCounts {
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
