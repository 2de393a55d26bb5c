//! Properties whose values are paths that have lost a part.
//!
//! With `x=/data/${old}` and an empty `old`, the value of `x` is `/data/`, and no longer shows that a part was meant there. So a
//! job keeps the names of such properties in addition to their values, and passes them on to the jobs that it starts.

use std::collections::{BTreeMap, BTreeSet};

use crate::el::ast::{Expr, ExprKind};

/// The job property that lists their names, one per line.
pub const PROPERTY: &str = "hpdl.path.lost.parts";

/// The properties and events that have lost a part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    pub(super) properties: BTreeSet<String>,
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

    /// Whether a property has lost a part.
    pub fn has(&self, property: &str) -> bool {
        self.properties.contains(property)
    }

    /// Whether the paths of an input or output of a coordinator have lost a part.
    pub fn has_event(&self, name: &str) -> bool {
        self.events.contains(name)
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
            } => match args.first().and_then(Expr::as_text) {
                Some(argument) => {
                    let is_of_coordinator = prefix.as_deref() == Some("coord");
                    (name == "conf" && self.properties.contains(argument))
                        || (is_of_coordinator && self.events.contains(argument))
                }
                None => false,
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
pub(super) fn inner(text: &str) -> &str {
    let inner = text.strip_prefix("${").unwrap_or(text);
    inner.strip_suffix('}').unwrap_or(inner).trim()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::empty_parts) fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs
            .iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
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
}
