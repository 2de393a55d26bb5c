//! The texts of a node with the names of their places, such as `argument[2]`, in the order of its evaluation: for `dryrun`, and for tests of
//! workflows.

use std::{borrow::Cow, collections::BTreeMap, ptr};

use hpdlc_core::action::ElementTexts;
use hpdlc_host::mask;
use hpdlc_program::table::{
    Action, Compiled, FsOperation, NodeDef, NodeKind, PrepareOperation, Template,
};

mod configuration;
mod text;

use self::text::numbered;
pub use self::{
    configuration::NodeTextSources,
    text::{EntryText, NodeText, TextKind, TextResult},
};

/// All texts of a node, with the names under which they are shown.
pub fn texts(sources: NodeTextSources<'_>, def: &'static NodeDef) -> Vec<NodeText> {
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
    sources: NodeTextSources<'a>,
    all: Vec<NodeText>,
}

impl NodeTexts<'_> {
    fn add(&mut self, path: impl Into<String>, template: &Template) {
        self.all.push(NodeText::of(path, *template));
    }

    /// Adds a path that an operation works on.
    fn path(&mut self, path: impl Into<String>, template: &Template) {
        self.all.push(NodeText {
            kind: TextKind::Path,
            ..NodeText::of(path, *template)
        });
    }

    fn elements(&mut self, type_name: &str, elements: &[ElementTexts<'static, Compiled>]) {
        for &(name, texts) in elements {
            let mut before: Option<Cow<'_, str>> = None;
            for (n, text) in (1..).zip(texts) {
                let entry = NodeText::of(numbered(name, n, texts.len()), *text);
                self.all.push(NodeText {
                    is_secret: mask::is_secret_element(type_name, name, before.as_deref()),
                    ..entry
                });
                before = Some(text.source());
            }
        }
    }

    fn prepare(&mut self, operations: &[PrepareOperation]) {
        let mut counts = NameCounts::of(operations.iter().map(PrepareOperation::element));
        for operation in operations {
            let name = counts.next(operation.element());
            self.path(format!("prepare/{name}@path"), operation.path());
        }
    }

    fn action(&mut self, action: &'static Action) {
        let def = action.body.def();
        if let Some(settings) = def.settings() {
            if let Some(app_path) = def.child() {
                self.all.push(NodeText {
                    kind: TextKind::AppPath,
                    ..NodeText::of("app-path", app_path)
                });
                self.all.extend(self.sources.of_child(settings));
                return;
            }
            // Those of a configuration are shown with it.
            let mut elements = settings.elements();
            elements.retain(|(name, _)| match *name {
                "name-node" => true,
                "resource-manager" => def.has_configuration(),
                _ => false,
            });
            self.elements(def.type_name(), &elements);
            if def.has_configuration() {
                self.all.extend(self.sources.of_action(settings));
            }
        }
        self.prepare(def.prepare().unwrap_or_default());
        self.elements(def.type_name(), &def.elements());
        self.operations(&def.operations());
    }

    fn operations(&mut self, operations: &[&FsOperation]) {
        let mut counts = NameCounts::of(operations.iter().map(|operation| operation.element()));
        for operation in operations {
            let name = counts.next(operation.element());
            let paths = operation.paths();
            for (attribute, texts) in operation.attributes() {
                for text in texts {
                    let place = format!("{name}@{attribute}");
                    match paths.iter().any(|path| ptr::eq(*path, text)) {
                        true => self.path(place, text),
                        false => self.add(place, text),
                    }
                }
            }
        }
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
