//! Paths in a form in which those of the same place are equal: with the values that are known in every job, other expressions as
//! they are written, and the file system beside the path.

use std::{borrow::Cow, collections::BTreeMap};

use hpdlc_core::el::{
    ast::{Expr, ExprKind, Part},
    scope::is_variable_name,
};

use crate::{
    analysis::known_values::KnownValues,
    model::{Action, Template, WorkflowApp},
};

/// How many expressions that stand for name nodes are told from paths.
const MOST_SYMBOLS: usize = 8;

/// A file system that a workflow names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct System(usize);

/// A path on a file system.
#[derive(Clone, Debug)]
pub(super) struct NormalPath<'a> {
    /// `None` if no text tells which one.
    system: Option<System>,
    /// Without a `/` at its end.
    pub(super) path: Cow<'a, str>,
}

impl NormalPath<'_> {
    /// Whether this is the place of `other`, or below it.
    pub(super) fn is_within(&self, other: &NormalPath<'_>) -> bool {
        // An expression at the beginning stands for the same file system wherever it is written.
        let is_any_system = other.path.starts_with("${");
        (is_any_system || self.system == other.system) && is_within(&self.path, &other.path)
    }
}

/// Whether a path is another one, or below it.
pub(super) fn is_within(path: &str, other: &str) -> bool {
    path.strip_prefix(other)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The file systems of a workflow, and what is known of its texts.
pub(super) struct NormalPaths<'a, 'k> {
    known: &'k KnownValues,
    /// The expressions that stand for name nodes.
    symbols: Vec<String>,
    systems: BTreeMap<String, System>,
    /// By the text of a `name-node`.
    name_nodes: BTreeMap<&'a str, Option<System>>,
}

impl<'a, 'k> NormalPaths<'a, 'k> {
    pub(super) fn new(app: &'a WorkflowApp, known: &'k KnownValues) -> NormalPaths<'a, 'k> {
        let mut paths = NormalPaths {
            known,
            symbols: Vec::new(),
            systems: BTreeMap::new(),
            name_nodes: BTreeMap::new(),
        };
        for (_, action) in app.actions() {
            if let Some(name_node) = name_node(action)
                && !paths.name_nodes.contains_key(name_node.text.as_str())
            {
                let text = paths.resolved(name_node);
                let system = paths.name_node(&text);
                paths.name_nodes.insert(name_node.text.as_str(), system);
            }
        }
        paths
    }

    fn name_node(&mut self, text: &str) -> Option<System> {
        let text = text.trim().trim_end_matches('/');
        if text.starts_with("${")
            && self.symbols.len() < MOST_SYMBOLS
            && !self.symbols.iter().any(|symbol| symbol == text)
        {
            self.symbols.push(text.to_owned());
        }
        let at = self.path_at(text);
        let system = text.get(..at).filter(|system| !system.is_empty())?;
        Some(self.system(system))
    }

    fn system(&mut self, text: &str) -> System {
        // Names of hosts have no case, those of properties do.
        let key = if text.contains("${") {
            text.to_owned()
        } else {
            text.to_ascii_lowercase()
        };
        let next = System(self.systems.len());
        *self.systems.entry(key).or_insert(next)
    }

    /// The file system of an action's paths without one: that of its `name-node`, or the only one of the workflow.
    pub(super) fn of_action(&self, action: &Action) -> Option<System> {
        if let Some(name_node) = name_node(action) {
            return self
                .name_nodes
                .get(name_node.text.as_str())
                .copied()
                .flatten();
        }
        let mut others = self.name_nodes.values();
        match (others.next(), others.next()) {
            (Some(only), None) => *only,
            _ => None,
        }
    }

    /// Where the path begins in a text: behind a scheme with its authority, or an expression for a name node.
    fn path_at(&self, text: &str) -> usize {
        let is_of_scheme = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
        let scheme = text.bytes().take_while(|byte| is_of_scheme(*byte)).count();
        if scheme > 0
            && let Some(rest) = text[scheme..].strip_prefix("://")
        {
            return rest
                .find('/')
                .map_or(text.len(), |at| text.len() - rest.len() + at);
        }
        if !text.starts_with("${") {
            return 0;
        }
        let mut symbols = self.symbols.iter();
        let symbol = symbols.find(|symbol| {
            let rest = text.strip_prefix(symbol.as_str());
            rest.is_some_and(|rest| {
                rest.is_empty() || rest.starts_with('/') || rest.starts_with("${")
            })
        });
        symbol.map_or(0, String::len)
    }

    /// The text with what is known in every job, and other expressions as they are written.
    pub(super) fn resolved<'t>(&self, template: &'t Template) -> Cow<'t, str> {
        if let Some(text) = template.ast.as_text() {
            return Cow::Borrowed(text);
        }
        let written = template.text.as_str();
        let mut text = String::with_capacity(written.len());
        for part in &template.ast.parts {
            match part {
                Part::Text(part, _) => text.push_str(part),
                Part::Expr(expr) => {
                    if let Some(value) = self.certain_value(expr) {
                        text.push_str(&value);
                    } else {
                        text.push_str("${");
                        let range = expr.range.start..expr.range.end;
                        text.push_str(written.get(range).unwrap_or_default());
                        text.push('}');
                    }
                }
            }
        }
        Cow::Owned(text)
    }

    fn certain_value(&self, expr: &Expr) -> Option<Cow<'_, str>> {
        if let ExprKind::Variable(name) = &expr.kind {
            let (value, is_certain) = self.known.property(name)?;
            return is_certain.then(|| Cow::Borrowed(value.trim()));
        }
        self.known.certain_value(expr).map(Cow::Owned)
    }

    /// The path of a text, whose file system is `default` unless it says another.
    pub(super) fn normal<'t>(
        &mut self,
        text: Cow<'t, str>,
        default: Option<System>,
    ) -> NormalPath<'t> {
        let trimmed = text.trim_end().trim_end_matches('/');
        let start = text.len() - text.trim_start().len();
        let end = trimmed.len().max(start);
        let whole = text.get(start..end).unwrap_or_default();
        let at = self.path_at(whole);
        let system = match whole.get(..at) {
            Some(system) if !system.is_empty() => Some(self.system(system)),
            _ => default,
        };
        let range = start + at..end;
        let path = match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.get(range).unwrap_or_default()),
            Cow::Owned(mut text) => {
                text.truncate(range.end);
                text.drain(..range.start);
                Cow::Owned(text)
            }
        };
        let path = if path.contains("//") {
            Cow::Owned(without_empty_names(&path))
        } else {
            path
        };
        NormalPath { system, path }
    }

    /// Whether the path of a text may be one that begins with `beginning`, as far as can be told without its value.
    pub(super) fn may_begin_with(&self, text: &str, mut beginning: &str) -> bool {
        let text = text.trim_start();
        let mut path = text.get(self.path_at(text)..).unwrap_or_default();
        loop {
            if path.starts_with(beginning) {
                return true;
            }
            // Most texts are no paths.
            let first = path.bytes().next();
            if first != beginning.bytes().next() && first != Some(b'$') {
                return false;
            }
            let mut dollars = path.match_indices('$');
            let expression = dollars.find(|(at, _)| path[at + 1..].starts_with('{'));
            let literal = expression.map_or(path, |(at, _)| &path[..at]);
            let Some(rest) = beginning.strip_prefix(literal) else {
                return false;
            };
            path = &path[literal.len()..];
            let Some(end) = path.find('}') else {
                return false;
            };
            let expr = &path[..=end];
            let name = &path["${".len()..end];
            if !is_variable_name(name) || self.known.property(name).is_some() {
                return true;
            }
            let Some(rest) = rest.strip_prefix(expr) else {
                return false;
            };
            path = &path[expr.len()..];
            beginning = rest;
        }
    }
}

fn name_node(action: &Action) -> Option<&Template> {
    let name_node = action.kind.settings()?.name_node.as_ref()?;
    (!name_node.is_invalid).then_some(name_node)
}

/// `/a//b` is `/a/b`.
fn without_empty_names(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    for char in path.chars() {
        if char != '/' || !text.ends_with('/') {
            text.push(char);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{is_within, without_empty_names};

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

    #[test]
    fn empty_names_are_left_out() {
        assert_eq!(without_empty_names("//a///b/c"), "/a/b/c");
    }
}
