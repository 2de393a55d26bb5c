//! Names of functions of the program in expressions.

use hpdlc_core::el::functions;

/// The words of the expression language, which cannot name anything there.
const RESERVED: &[&str] = &[
    "and",
    "div",
    "empty",
    "eq",
    "false",
    "ge",
    "gt",
    "instanceof",
    "le",
    "lt",
    "mod",
    "ne",
    "not",
    "null",
    "or",
    "true",
];

/// Names that Rust cannot spell otherwise.
const NEVER_NAMES: &[&str] = &["_", "crate", "self", "super", "Self"];

/// Whether functions of a program can have a prefix.
pub fn is_own_prefix(prefix: &str) -> bool {
    let is_of_oozie = || functions::all().any(|function| function.prefix == Some(prefix));
    named(prefix) == prefix && !is_of_oozie()
}

/// The prefix that is made of the name of a package or a workflow.
pub fn own_prefix(name: &str) -> String {
    let mut prefix = named(name);
    while !is_own_prefix(&prefix) {
        prefix.push('_');
    }
    prefix
}

/// A name in expressions and in Rust, made of any text.
pub(super) fn named(text: &str) -> String {
    let of = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut name: String = text.chars().map(of).collect();
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    if RESERVED.contains(&name.as_str()) || NEVER_NAMES.contains(&name.as_str()) {
        name.push('_');
    }
    name
}

/// The code that reads a property of a workflow's job.
pub(super) fn property_code(property: &str) -> String {
    property_by(property, "wf:conf")
}

/// The code that reads a property, by this function where its name is no word.
pub(super) fn property_by(property: &str, function: &str) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let starts_with_digit = property.starts_with(|c: char| c.is_ascii_digit());
    if RESERVED.contains(&property) || !property.chars().all(is_name) || starts_with_digit {
        format!("{function}('{property}')")
    } else {
        property.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_names_that_oozie_does_not_have() {
        for (name, expected) in [
            ("daily", "daily"),
            ("log-watch", "log_watch"),
            ("wf", "wf_"),
            ("empty", "empty_"),
            ("crate", "crate_"),
            ("7", "_7"),
            ("", "__"),
        ] {
            assert_eq!(own_prefix(name), expected);
            assert!(is_own_prefix(expected), "{expected}");
            assert_eq!(is_own_prefix(name), name == expected, "{name}");
        }
    }
}
