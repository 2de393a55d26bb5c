//! The paths that actions delete, move, read or otherwise name.

use hpdlc_core::action::PrepareOperation;

use crate::{
    analysis::{
        file_conflicts::normal_paths::{NormalPath, NormalPaths, System},
        known_values::KnownValues,
    },
    model::{Action, NodeId, Template, WorkflowApp, action::fs::FsOperationKind},
    source::Span,
};

/// What an action does with a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathRole {
    Deleted,
    /// Deleted by its `prepare`: the action itself then writes it, presumably.
    Cleared,
    Moved,
    /// Certainly read as its input, and not written.
    Input,
    /// A file of its application, or one that it is given: certainly read, and not written.
    Read,
    /// Created by its `prepare`.
    Prepared,
    /// Named, and perhaps written.
    Other,
}

impl PathRole {
    pub(super) fn is_removal(self) -> bool {
        matches!(
            self,
            PathRole::Deleted | PathRole::Cleared | PathRole::Moved
        )
    }

    /// Whether something may be there afterwards.
    pub(super) fn may_write(self) -> bool {
        matches!(self, PathRole::Prepared | PathRole::Other)
    }
}

/// A path in a text of an action.
#[derive(Clone, Debug)]
pub(super) struct PathUse<'a> {
    pub(super) node: NodeId,
    pub(super) path: NormalPath<'a>,
    pub(super) span: Span,
    pub(super) role: PathRole,
}

impl PathUse<'_> {
    /// Whether one of the two places is the other, or below it.
    pub(super) fn is_around(&self, other: &PathUse<'_>) -> bool {
        self.path.is_within(&other.path) || other.path.is_within(&self.path)
    }
}

/// What is said of the files of a workflow.
#[derive(Default)]
pub(super) struct PathUses<'a> {
    /// What actions do to files by themselves, and in their `prepare`: in the order of the document.
    pub(super) operations: Vec<PathUse<'a>>,
    /// These, and the other texts that are at or below one of the removed paths.
    pub(super) all: Vec<PathUse<'a>>,
}

/// Properties of `map-reduce` with its input, separated by commas.
const INPUTS: [&str; 2] = [
    "mapred.input.dir",
    "mapreduce.input.fileinputformat.inputdir",
];

/// Elements whose text may be a path behind a name, as in `OUTPUT=/data`.
const ARGUMENTS: [&str; 4] = ["param", "argument", "arg", "env-var"];

/// The paths that actions delete or move, and those of other texts that are at or below one of them.
pub(super) fn collect<'a>(app: &'a WorkflowApp, known: &KnownValues) -> PathUses<'a> {
    let mut operations = Vec::new();
    for (node, action) in app.actions() {
        collect_operations(node.id, action, &mut operations);
    }
    if !operations.iter().any(|it| it.role.is_removal()) {
        return PathUses::default();
    }
    let mut paths = Paths {
        normal: NormalPaths::new(app, known),
        uses: Vec::new(),
        beginning: String::new(),
    };
    for operation in operations {
        let default = paths.normal.of_action(operation.action);
        paths.push(operation.node, operation.path, default, operation.role);
    }
    let operations = paths.uses.clone();
    let mut removals = operations.iter().filter(|it| it.role.is_removal());
    let Some(first) = removals.next() else {
        return PathUses::default();
    };
    // Most texts begin in another way, and are not looked at any further.
    let common = removals.fold(&*first.path.path, |common, it| {
        common_beginning(common, &it.path.path)
    });
    common.clone_into(&mut paths.beginning);
    for (node, action) in app.actions() {
        paths.texts(node.id, action);
    }
    PathUses {
        all: paths.uses,
        operations,
    }
}

fn common_beginning<'p>(one: &'p str, other: &str) -> &'p str {
    let mut ends = one.char_indices().zip(other.chars());
    let end = ends.find(|((_, a), b)| a != b).map(|((at, _), _)| at);
    &one[..end.unwrap_or(one.len().min(other.len()))]
}

/// What an action does to a path, before that is evaluated.
struct Operation<'a> {
    node: NodeId,
    action: &'a Action,
    path: &'a Template,
    role: PathRole,
}

/// What an action does to files by itself, or in its `prepare`.
fn collect_operations<'a>(node: NodeId, action: &'a Action, found: &mut Vec<Operation<'a>>) {
    let Some(body) = action.kind.body() else {
        return;
    };
    let mut push = |path, role| {
        found.push(Operation {
            node,
            action,
            path,
            role,
        });
    };
    for operation in body.operations() {
        match operation {
            FsOperationKind::Delete { path, .. } => push(path, PathRole::Deleted),
            FsOperationKind::Move { source, target } => {
                push(source, PathRole::Moved);
                push(target, PathRole::Other);
            }
            FsOperationKind::Mkdir { path }
            | FsOperationKind::Chmod { path, .. }
            | FsOperationKind::Chgrp { path, .. }
            | FsOperationKind::Touchz { path }
            | FsOperationKind::Setrep { path, .. } => push(path, PathRole::Other),
        }
    }
    for operation in action.kind.prepare().into_iter().flatten() {
        let role = match operation {
            PrepareOperation::Delete(_) => PathRole::Cleared,
            PrepareOperation::Mkdir(_) => PathRole::Prepared,
        };
        push(operation.path(), role);
    }
}

struct Paths<'a, 'k> {
    normal: NormalPaths<'a, 'k>,
    uses: Vec<PathUse<'a>>,
    /// What all paths that are looked for begin with.
    beginning: String,
}

impl<'a> Paths<'a, '_> {
    /// The texts of an action, without its operations.
    fn texts(&mut self, node: NodeId, action: &'a Action) {
        let Some(body) = action.kind.body() else {
            return;
        };
        let default = self.normal.of_action(action);
        let settings = body.settings();
        let properties = settings.map_or(&[][..], |it| &it.configuration.properties);
        let has_inputs = body.has_input_properties();
        for property in properties {
            let name = property.name.literal().map(str::trim);
            if has_inputs && name.is_some_and(|name| INPUTS.contains(&name)) {
                self.inputs(node, &property.value, default);
            } else if self.is_wanted(property.value.text.as_str()) {
                self.push(node, &property.value, default, PathRole::Other);
            }
        }
        let elements = body.elements();
        let of_elements = elements.iter().flat_map(|(name, texts)| {
            let is_argument = ARGUMENTS.contains(name);
            texts.iter().map(move |text| (text, is_argument))
        });
        let job_xml = settings.map_or(&[][..], |settings| &settings.job_xml);
        let wanted: Vec<(&'a Template, bool)> = of_elements
            .chain(job_xml.iter().map(|text| (text, false)))
            .filter(|(text, is_argument)| {
                let text = text.text.as_str();
                self.is_wanted(if *is_argument { value_of(text) } else { text })
            })
            .collect();
        if wanted.is_empty() {
            return;
        }
        let mut read: Vec<Span> = body.files().iter().map(|(_, file)| file.span).collect();
        read.extend(job_xml.iter().map(|file| file.span));
        read.extend(action.kind.sub_workflow().map(|child| child.app_path.span));
        let input = body.source().map(|source| source.span);
        for (text, is_argument) in wanted {
            let role = if input == Some(text.span) {
                PathRole::Input
            } else if read.contains(&text.span) {
                PathRole::Read
            } else {
                PathRole::Other
            };
            if is_argument && value_of(text.text.as_str()).len() < text.text.as_str().len() {
                self.push_value(node, text, default);
            } else {
                self.push(node, text, default, role);
            }
        }
    }

    /// Whether a text may be one of the paths that are looked for: it begins like all of them, or its value may.
    fn is_wanted(&self, text: &str) -> bool {
        self.normal.may_begin_with(text, &self.beginning)
    }

    fn push(
        &mut self,
        node: NodeId,
        template: &'a Template,
        default: Option<System>,
        role: PathRole,
    ) {
        if template.is_invalid {
            return;
        }
        let text = self.normal.resolved(template);
        let path = self.normal.normal(text, default);
        self.push_path(node, path, template.span, role);
    }

    /// An argument `NAME=PATH`.
    fn push_value(&mut self, node: NodeId, template: &'a Template, default: Option<System>) {
        if template.is_invalid {
            return;
        }
        let text = self.normal.resolved(template);
        let path = value_of(&text).to_owned();
        let path = self.normal.normal(path.into(), default);
        self.push_path(node, path, template.span, PathRole::Other);
    }

    /// The paths of an input, as far as they are no patterns.
    fn inputs(&mut self, node: NodeId, template: &'a Template, default: Option<System>) {
        if template.is_invalid {
            return;
        }
        let text = self.normal.resolved(template);
        // A comma in braces does not separate paths.
        if text.replace("${", "").contains('{') {
            return;
        }
        for path in text.split(',') {
            let fixed = match path.find(['*', '?', '[']) {
                Some(pattern) => match path[..pattern].rfind('/') {
                    Some(end) => &path[..end],
                    None => continue,
                },
                None => path,
            };
            let path = self.normal.normal(fixed.to_owned().into(), default);
            self.push_path(node, path, template.span, PathRole::Input);
        }
    }

    fn push_path(&mut self, node: NodeId, path: NormalPath<'a>, span: Span, role: PathRole) {
        let text = &path.path;
        // A pattern is not a path, and a single name is not certain to be one.
        let is_path = text.contains('/') || text.starts_with("${");
        if is_path && !text.contains(['*', '?', ',']) && text.len() > 1 {
            self.uses.push(PathUse {
                node,
                path,
                span,
                role,
            });
        }
    }
}

/// The path of `NAME=PATH`, or the whole text.
fn value_of(text: &str) -> &str {
    match text.split_once('=') {
        Some((name, value)) if !name.contains(['/', '$', ':']) => value.trim_start(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::{common_beginning, value_of};

    #[test]
    fn beginnings_are_compared_by_characters() {
        assert_eq!(common_beginning("/a/b", "/a/c"), "/a/");
        assert_eq!(common_beginning("/a", "/a/c"), "/a");
        assert_eq!(common_beginning("/ä", "/ö"), "/");
    }

    #[test]
    fn arguments_may_have_names() {
        for (text, expected) in [
            ("OUT=/data/x", "/data/x"),
            ("-out = ${dir}/x", "${dir}/x"),
            ("/data/day=1", "/data/day=1"),
            ("${a}=b", "${a}=b"),
            ("/data", "/data"),
        ] {
            assert_eq!(value_of(text), expected, "{text}");
        }
    }
}
