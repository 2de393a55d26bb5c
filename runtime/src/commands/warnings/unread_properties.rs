//! Given properties that nothing reads, where one with nearly the same name keeps its default.

use std::collections::{BTreeMap, BTreeSet};

use hpdlc_core::slips::is_slip;
use hpdlc_program::table::{Parameter, Program};

use super::Warning;

pub(super) fn of(program: &Program, given: &BTreeMap<String, String>) -> Vec<Warning> {
    let own = program.parameters();
    let of_workflows = program.apps.iter().flat_map(|app| app.parameters);
    let read: BTreeSet<&str> = own
        .iter()
        .copied()
        .chain(of_workflows)
        .map(|parameter| parameter.name)
        .collect();
    given
        .keys()
        .filter(|name| !read.contains(name.as_str()) && !is_used(name, given))
        .filter_map(|name| warning(name, &own, given))
        .collect()
}

/// Whether the engine reads it, or another given property refers to it.
fn is_used(name: &str, given: &BTreeMap<String, String>) -> bool {
    let reference = format!("${{{name}}}");
    name.starts_with("oozie.")
        || name.starts_with("hpdl.")
        || given.values().any(|value| value.contains(&reference))
}

fn warning(name: &str, own: &[&Parameter], given: &BTreeMap<String, String>) -> Option<Warning> {
    let meant = own.iter().find(|parameter| {
        let is_left = !parameter.is_required() && !given.contains_key(parameter.name);
        is_left && is_slip(name, parameter.name)
    })?;
    let other = meant.name;
    let value = match meant.default {
        Some(_) => "keeps its default",
        None => "has no value",
    };
    Some(Warning {
        problem: format!("property {name} is given, and nothing reads it; {other} {value}"),
        help: format!("if {other} is meant, give it with -D {other}=VALUE"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Parameter = Parameter {
        name: "day",
        default: None,
        is_optional: true,
        r#type: "string",
        description: None,
        uses: &[],
    };

    fn said(name: &str, all: &[(&str, &str)]) -> Option<String> {
        let given = all
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let given = given.collect();
        let is_used = is_used(name, &given);
        let warning = warning(name, &[&NONE], &given);
        warning.filter(|_| !is_used).map(|warning| warning.problem)
    }

    #[test]
    fn slips_are_found_where_the_other_is_not_given_and_nothing_uses_them() {
        let expected = "property days is given, and nothing reads it; day has no value";
        assert_eq!(said("days", &[("days", "1")]).as_deref(), Some(expected));
        assert_eq!(said("days", &[("days", "1"), ("day", "2")]), None);
        assert_eq!(said("days", &[("days", "1"), ("out", "/d/${days}")]), None);
        assert_eq!(said("hour", &[("hour", "1")]), None);
    }
}
