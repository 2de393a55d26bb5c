//! The paths that actions delete, move, read or otherwise name.

use std::borrow::Cow;

use hpdlc_core::{action::PrepareOperation, el::scope::is_variable_name};

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

/// The paths that actions delete or move, and those of other texts that are at or below one of them.
pub(super) fn collect<'a>(app: &'a WorkflowApp, known: &KnownValues) -> Vec<PathUse<'a>> {
    let mut paths = Paths {
        known,
        uses: Vec::new(),
        beginning: String::new(),
    };
    for (node, action) in app.actions() {
        paths.operations(node.id, action);
    }
    let mut removals = paths.uses.iter().filter(|it| it.role.is_removal());
    let Some(first) = removals.next() else {
        return Vec::new();
    };
    // Most texts begin in another way, and are not looked at any further.
    let common = removals.fold(&*first.path, |common, it| {
        common_beginning(common, &it.path)
    });
    let common = common.to_owned();
    paths.beginning = common;
    for (node, action) in app.actions() {
        paths.texts(node.id, action);
    }
    paths.uses
}

fn common_beginning<'p>(one: &'p str, other: &str) -> &'p str {
    let mut ends = one.char_indices().zip(other.chars());
    let end = ends.find(|((_, a), b)| a != b).map(|((at, _), _)| at);
    &one[..end.unwrap_or(one.len().min(other.len()))]
}

struct Paths<'a, 'k> {
    known: &'k KnownValues,
    uses: Vec<PathUse<'a>>,
    /// What all paths that are looked for begin with.
    beginning: String,
}

impl<'a> Paths<'a, '_> {
    /// What an action does to files by itself, or in its `prepare`.
    fn operations(&mut self, node: NodeId, action: &'a Action) {
        let Some(body) = action.kind.body() else {
            return;
        };
        for operation in body.operations() {
            match operation {
                FsOperationKind::Delete { path, .. } => self.push(node, path, PathRole::Deleted),
                FsOperationKind::Move { source, target } => {
                    self.push(node, source, PathRole::Moved);
                    self.push(node, target, PathRole::Other);
                }
                FsOperationKind::Mkdir { path }
                | FsOperationKind::Chmod { path, .. }
                | FsOperationKind::Chgrp { path, .. }
                | FsOperationKind::Touchz { path }
                | FsOperationKind::Setrep { path, .. } => self.push(node, path, PathRole::Other),
            }
        }
        for operation in action.kind.prepare().into_iter().flatten() {
            let role = match operation {
                PrepareOperation::Delete(_) => PathRole::Deleted,
                PrepareOperation::Mkdir(_) => PathRole::Other,
            };
            self.push(node, operation.path(), role);
        }
    }

    /// The other texts of an action.
    fn texts(&mut self, node: NodeId, action: &'a Action) {
        let Some(body) = action.kind.body() else {
            return;
        };
        let settings = body.settings();
        let properties = settings.map_or(&[][..], |it| &it.configuration.properties);
        for property in properties {
            if self.is_wanted(&property.value) {
                let name = property.name.literal().map(str::trim);
                let is_input = name.is_some_and(|name| INPUTS.contains(&name));
                let role = if is_input {
                    PathRole::Read
                } else {
                    PathRole::Other
                };
                self.push(node, &property.value, role);
            }
        }
        let elements = body.elements();
        let of_elements = elements.iter().flat_map(|(_, texts)| texts.iter());
        let job_xml = settings.map_or(&[][..], |settings| &settings.job_xml);
        let wanted: Vec<&'a Template> = of_elements
            .chain(job_xml)
            .filter(|text| self.is_wanted(text))
            .collect();
        if wanted.is_empty() {
            return;
        }
        let mut read: Vec<Span> = body.files().iter().map(|(_, file)| file.span).collect();
        read.extend(job_xml.iter().map(|file| file.span));
        read.extend(action.kind.sub_workflow().map(|child| child.app_path.span));
        for text in wanted {
            let role = if read.contains(&text.span) {
                PathRole::Read
            } else {
                PathRole::Other
            };
            self.push(node, text, role);
        }
    }

    /// Whether a text may be one of the paths that are looked for: it begins like all of them, or its value may.
    fn is_wanted(&self, template: &Template) -> bool {
        let text = template.text.as_str().trim_start();
        text.starts_with(&self.beginning) || self.begins_with_known(text)
    }

    /// Whether a text begins with an expression whose value may be known.
    fn begins_with_known(&self, text: &str) -> bool {
        let Some(rest) = text.strip_prefix("${") else {
            return false;
        };
        let name = rest.split_once('}').map_or(rest, |(name, _)| name);
        !is_variable_name(name) || self.known.property(name).is_some()
    }

    fn push(&mut self, node: NodeId, template: &'a Template, role: PathRole) {
        if template.is_invalid {
            return;
        }
        let known = self.known.certain_text(template);
        let text = known.unwrap_or(Cow::Borrowed(template.text.as_str()));
        let path = match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim().trim_end_matches('/')),
            Cow::Owned(text) => Cow::Owned(text.trim().trim_end_matches('/').to_owned()),
        };
        // A pattern is not a path, and a single name is not certain to be one.
        let is_path = path.contains('/') || path.starts_with("${");
        if is_path && !path.contains(['*', '?', ',']) && path.len() > 1 {
            self.uses.push(PathUse {
                node,
                path,
                span: template.span,
                role,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{common_beginning, is_within};

    #[test]
    fn beginnings_are_compared_by_characters() {
        assert_eq!(common_beginning("/a/b", "/a/c"), "/a/");
        assert_eq!(common_beginning("/a", "/a/c"), "/a");
        assert_eq!(common_beginning("/ä", "/ö"), "/");
    }

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
