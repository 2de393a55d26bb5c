//! The paths that actions delete, move, read or otherwise name.

use std::borrow::Cow;

use hpdlc_core::action::PrepareOperation;

use crate::{
    analysis::known_values::KnownValues,
    model::{Action, NodeId, Template, WorkflowApp, action::fs::FsOperationKind},
    source::Span,
};

/// What an action does with a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathRole {
    Deleted,
    Moved,
    /// Certainly read, and not written.
    Read,
    /// Named, and perhaps written.
    Other,
}

impl PathRole {
    pub(super) fn is_removal(self) -> bool {
        matches!(self, PathRole::Deleted | PathRole::Moved)
    }
}

/// A path in a text of an action.
#[derive(Clone, Debug)]
pub(super) struct PathUse<'a> {
    pub(super) node: NodeId,
    /// Without a `/` at its end.
    pub(super) path: Cow<'a, str>,
    pub(super) span: Span,
    pub(super) role: PathRole,
}

/// Properties of `map-reduce` with its input, separated by commas.
const INPUTS: [&str; 2] = [
    "mapred.input.dir",
    "mapreduce.input.fileinputformat.inputdir",
];

/// Whether a path is another one, or below it.
pub(super) fn is_within(path: &str, other: &str) -> bool {
    path.strip_prefix(other)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The paths of all actions; none if no action deletes or moves any.
pub(super) fn collect<'a>(app: &'a WorkflowApp, known: &KnownValues) -> Vec<PathUse<'a>> {
    let removes = |action: &Action| {
        let body = action.kind.body();
        let operations = body.into_iter().flat_map(|body| body.operations());
        let mut operations = operations.filter(|it| {
            matches!(
                it,
                FsOperationKind::Delete { .. } | FsOperationKind::Move { .. }
            )
        });
        let prepared = action.kind.prepare().unwrap_or_default();
        let is_delete = |it: &PrepareOperation<_>| matches!(it, PrepareOperation::Delete(_));
        operations.next().is_some() || prepared.iter().any(is_delete)
    };
    if !app.actions().any(|(_, action)| removes(action)) {
        return Vec::new();
    }
    let mut uses = Vec::new();
    for (node, action) in app.actions() {
        let mut cx = ActionPaths {
            node: node.id,
            known,
            uses: &mut uses,
            seen: Vec::new(),
        };
        cx.action(action);
    }
    uses
}

struct ActionPaths<'a, 'k> {
    node: NodeId,
    known: &'k KnownValues,
    uses: &'k mut Vec<PathUse<'a>>,
    /// The texts of this action that have a role.
    seen: Vec<Span>,
}

impl<'a> ActionPaths<'a, '_> {
    fn action(&mut self, action: &'a Action) {
        let Some(body) = action.kind.body() else {
            return;
        };
        for operation in body.operations() {
            match operation {
                FsOperationKind::Delete { path, .. } => self.push(path, PathRole::Deleted),
                FsOperationKind::Move { source, target } => {
                    self.push(source, PathRole::Moved);
                    self.push(target, PathRole::Other);
                }
                FsOperationKind::Mkdir { path }
                | FsOperationKind::Chmod { path, .. }
                | FsOperationKind::Chgrp { path, .. }
                | FsOperationKind::Touchz { path }
                | FsOperationKind::Setrep { path, .. } => self.push(path, PathRole::Other),
            }
        }
        for operation in action.kind.prepare().into_iter().flatten() {
            let role = match operation {
                PrepareOperation::Delete(_) => PathRole::Deleted,
                PrepareOperation::Mkdir(_) => PathRole::Other,
            };
            self.push(operation.path(), role);
        }
        for (_, file) in body.files() {
            self.push(file, PathRole::Read);
        }
        if let Some(settings) = body.settings() {
            for file in &settings.job_xml {
                self.push(file, PathRole::Read);
            }
            self.seen
                .extend(settings.name_node.iter().map(|it| it.span));
            for property in &settings.configuration.properties {
                let name = property.name.literal().map(str::trim);
                let is_input = name.is_some_and(|name| INPUTS.contains(&name));
                self.push(
                    &property.value,
                    if is_input {
                        PathRole::Read
                    } else {
                        PathRole::Other
                    },
                );
            }
        }
        if let Some(child) = action.kind.sub_workflow() {
            self.push(&child.app_path, PathRole::Read);
        }
        for text in body.texts() {
            if !self.seen.contains(&text.span) {
                self.push(text, PathRole::Other);
            }
        }
    }

    fn push(&mut self, template: &'a Template, role: PathRole) {
        self.seen.push(template.span);
        if template.is_invalid {
            return;
        }
        let known = self.known.text(template).filter(|text| text.is_certain);
        let text = match known {
            Some(text) => text.value,
            None => Cow::Borrowed(template.text.as_str()),
        };
        let path = match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim().trim_end_matches('/')),
            Cow::Owned(text) => Cow::Owned(text.trim().trim_end_matches('/').to_owned()),
        };
        // A pattern is not a path, and a single name is not certain to be one.
        let is_path = path.contains('/') || path.starts_with("${");
        if !is_path || path.contains(['*', '?', ',']) || path.len() < 2 {
            return;
        }
        self.uses.push(PathUse {
            node: self.node,
            path,
            span: template.span,
            role,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::is_within;

    #[test]
    fn paths_are_compared_by_their_names() {
        for (path, other, expected) in [
            ("/a", "/a", true),
            ("/a/b", "/a", true),
            ("/ab", "/a", false),
            ("/a", "/a/b", false),
            ("${out}/x", "${out}", true),
        ] {
            assert_eq!(is_within(path, other), expected, "{path} {other}");
        }
    }
}
