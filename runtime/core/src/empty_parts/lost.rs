//! Properties whose values are paths that have lost a part.
//!
//! With `x=/data/${old}` and an empty `old`, the value of `x` is `/data/`, and no longer shows that a part was meant there. So a
//! job keeps the names of such properties in addition to their values, and passes them on to the jobs that it starts.

use std::collections::{BTreeMap, BTreeSet};

use super::tree;
use crate::{
    el::{
        ast::{Expr, ExprKind, Literal},
        parser,
    },
    substitute::{self, SubstituteError},
};

/// The job property that lists their names, one per line.
pub const PROPERTY: &str = "hpdl.path.lost.parts";

/// The maximum nesting of references.
const MAX_NESTED: usize = 20;

/// The properties and events that have lost a part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    properties: BTreeSet<String>,
    /// Inputs and outputs of a coordinator whose paths have lost a part.
    events: BTreeSet<String>,
}

impl Lost {
    /// The lost parts recorded in a job's properties.
    pub fn of_job(conf: &BTreeMap<String, String>) -> Lost {
        let names = conf.get(PROPERTY).map_or("", String::as_str);
        let names = names.lines().filter(|name| !name.is_empty());
        Lost {
            properties: names.map(str::to_owned).collect(),
            events: BTreeSet::new(),
        }
    }

    /// The recorded ones plus those lost when references between the properties are substituted: `conf` has the given values,
    /// `changed` the substituted values of those with references.
    fn of_references(conf: &BTreeMap<String, String>, changed: &BTreeMap<String, String>) -> Lost {
        let value_of = |name: &str| changed.get(name).or_else(|| conf.get(name)).cloned();
        let mut lost = Lost::of_job(conf);
        let referring: Vec<(&String, String)> = conf
            .iter()
            .filter(|(name, value)| *name != PROPERTY && value.contains("${"))
            .map(|(name, value)| (name, with_plain_names(value, value_of)))
            .collect();
        // A property may refer to a later one.
        loop {
            let before = lost.properties.len();
            for (name, value) in &referring {
                let value_of = |text: &str| value_of(inner(text));
                if !lost.properties.contains(*name) && lost.is_lost_in(value, value_of) {
                    lost.properties.insert((*name).clone());
                }
            }
            if lost.properties.len() == before {
                return lost;
            }
        }
    }

    /// Whether a property has lost a part.
    pub fn has(&self, property: &str) -> bool {
        self.properties.contains(property)
    }

    /// Records whether a property has lost a part.
    pub fn set(&mut self, property: &str, is_lost: bool) {
        if is_lost {
            self.properties.insert(property.to_owned());
        } else {
            self.properties.remove(property);
        }
    }

    /// Records that the paths of an input or output of a coordinator have lost a part.
    pub fn add_event(&mut self, name: &str) {
        self.events.insert(name.to_owned());
    }

    /// Keeps only the entries for these properties.
    #[must_use]
    pub fn among(mut self, conf: &BTreeMap<String, String>) -> Lost {
        self.properties.retain(|name| conf.contains_key(name));
        self
    }

    /// Records it in the properties of a job.
    pub fn keep(&self, conf: &mut BTreeMap<String, String>) {
        if self.properties.is_empty() {
            conf.remove(PROPERTY);
            return;
        }
        let names: Vec<&str> = self.properties.iter().map(String::as_str).collect();
        conf.insert(PROPERTY.to_owned(), names.join("\n"));
    }

    /// Whether the text of a property is a path that loses a part, given the values of its expressions.
    pub fn is_lost_in(&self, source: &str, value: impl Fn(&str) -> Option<String>) -> bool {
        if !source.contains("${") {
            return false;
        }
        parser::parse_template(source).is_ok_and(|template| {
            let pieces = tree::pieces(source, &template);
            super::is_lost(&pieces, |expr| value(&expr.text()), self)
        })
    }

    /// Whether an expression, with its `${` and `}` as `text`, takes its value from something that has lost a part.
    pub(super) fn is_read_by(&self, expr: &Expr, text: &str) -> bool {
        if self.properties.is_empty() && self.events.is_empty() {
            return false;
        }
        self.properties.contains(inner(text)) || self.is_read_below(expr)
    }

    fn is_read_below(&self, expr: &Expr) -> bool {
        let is_named = match &expr.kind {
            ExprKind::Variable(name) => self.properties.contains(name),
            ExprKind::Call {
                prefix, name, args, ..
            } => match args.first().map(|argument| &argument.kind) {
                Some(ExprKind::Literal(Literal::Text(argument))) => {
                    let is_of_coordinator = prefix.as_deref() == Some("coord");
                    (name == "conf" && self.properties.contains(argument))
                        || (is_of_coordinator && self.events.contains(argument))
                }
                _ => false,
            },
            ExprKind::Literal(_)
            | ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::Conditional { .. }
            | ExprKind::Index { .. }
            | ExprKind::Property { .. } => false,
        };
        is_named
            || expr
                .children()
                .into_iter()
                .any(|child| self.is_read_below(child))
    }
}

/// Substitutes references between properties; returns what has lost a part through that, in addition to what was recorded before.
///
/// # Errors
///
/// As [`substitute::resolve_in_place`]; nothing is changed then.
pub fn resolve(conf: &mut BTreeMap<String, String>) -> Result<Lost, SubstituteError> {
    let values = conf.iter();
    let changed = substitute::resolve_changed(
        values.map(|(name, value)| (name.as_str(), value.as_str())),
        |name| conf.get(name).map(String::as_str),
    )?;
    let lost = Lost::of_references(conf, &changed);
    conf.extend(changed);
    Ok(lost)
}

/// Overrides properties by others, and merges the recorded lost parts of both.
pub fn overlay(conf: &mut BTreeMap<String, String>, given: BTreeMap<String, String>) {
    let mut lost = Lost::of_job(conf);
    for name in given.keys() {
        lost.set(name, false);
    }
    lost.properties.extend(Lost::of_job(&given).properties);
    conf.extend(given);
    lost.keep(conf);
}

/// What is between `${` and `}`.
fn inner(text: &str) -> &str {
    let inner = text.strip_prefix("${").unwrap_or(text);
    inner.strip_suffix('}').unwrap_or(inner).trim()
}

/// A value in which references nested in the names of others (`${queue_${env}}`) are substituted.
fn with_plain_names(value: &str, value_of: impl Fn(&str) -> Option<String>) -> String {
    let mut text = value.to_owned();
    for _ in 0..MAX_NESTED {
        let Some((start, end, name)) = nested(&text) else {
            break;
        };
        let Some(replacement) = value_of(name) else {
            break;
        };
        text.replace_range(start..end, &replacement);
    }
    text
}

/// The first nested reference.
fn nested(text: &str) -> Option<(usize, usize, &str)> {
    let mut open: Vec<usize> = Vec::new();
    for (at, char) in text.char_indices() {
        match char {
            '$' if text[at..].starts_with("${") => open.push(at),
            '}' => {
                if let Some(start) = open.pop()
                    && !open.is_empty()
                {
                    return Some((start, at + 1, &text[start + 2..at]));
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs
            .iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }

    #[track_caller]
    fn check(pairs: &[(&str, &str)], expected: &str) {
        let mut known = BTreeMap::new();
        let lost = resolve(&mut map(pairs)).expect("references end");
        lost.keep(&mut known);
        let found = known.get(PROPERTY).map_or("", String::as_str);
        assert_eq!(found.replace('\n', ","), expected, "{pairs:?}");
    }

    #[test]
    fn properties_that_lose_a_part_are_known_by_name() {
        check(&[("x", "/data/${old}"), ("old", "")], "x");
        check(&[("x", "/data/${old}/y"), ("old", " ")], "x");
        check(&[("x", "${old}/y"), ("old", "")], "x");
        check(&[("x", "/data/${my-old}"), ("my-old", "")], "x");
        check(
            &[("x", "/data/${old_${env}}"), ("old_p", ""), ("env", "p")],
            "x",
        );
        check(&[("a", "${x}/z"), ("x", "/d/${old}"), ("old", "")], "a,x");
        check(&[("a", "${x}"), ("x", "/d/${old}"), ("old", "")], "a,x");
        check(&[(PROPERTY, "x"), ("x", "/d/"), ("y", "${x}")], "x,y");
        // Nothing is lost.
        check(&[("x", "/data/${old}"), ("old", "1")], "");
        check(&[("x", "/data/part-${old}"), ("old", "")], "");
        check(&[("x", "${old}"), ("old", "")], "");
        check(&[("x", "${nameNode}/data"), ("nameNode", "")], "");
        check(&[("x", "/data/${nosuch}")], "");
        check(&[("x", "/data//y/")], "");
    }

    #[test]
    fn what_is_given_anew_is_forgotten() {
        let mut conf = map(&[("x", "/d/"), ("y", "/e/"), (PROPERTY, "x\ny")]);
        overlay(&mut conf, map(&[("x", "/d/1")]));
        assert_eq!(conf, map(&[("x", "/d/1"), ("y", "/e/"), (PROPERTY, "y")]));
        overlay(
            &mut conf,
            map(&[("y", "/e/1"), ("z", "/f/"), (PROPERTY, "z")]),
        );
        assert_eq!(conf.get(PROPERTY).map(String::as_str), Some("z"));
        overlay(&mut conf, map(&[("z", "1")]));
        assert!(!conf.contains_key(PROPERTY));
    }

    #[test]
    fn paths_of_what_has_lost_a_part_are_lost() {
        let mut lost = Lost::of_job(&map(&[(PROPERTY, "x")]));
        lost.add_event("out");
        let known = |_: &str| Some("text".to_owned());
        for (text, expected) in [
            ("${x}", true),
            ("${x}/y", true),
            ("pre-${wf:conf('x')}", true),
            ("${concat(x, '/y')}", true),
            ("${coord:dataOut('out')}", true),
            ("${coord:dataOut('in')}", false),
            ("${y}/x", false),
            ("x", false),
        ] {
            assert_eq!(lost.is_lost_in(text, known), expected, "{text}");
        }
    }
}
