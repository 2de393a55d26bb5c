//! References between properties, through which the values of paths lose parts.

use std::collections::BTreeMap;

use super::{
    lost::{Lost, PROPERTY, inner},
    tree,
};
use crate::{
    el::parser,
    substitute::{self, SubstituteError},
};

/// The maximum nesting of references.
const MAX_NESTED: usize = 20;

impl Lost {
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
    use crate::empty_parts::lost::tests::map;

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
