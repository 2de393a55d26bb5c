//! For each case of a decision, values with which it is taken.

use std::collections::BTreeSet;

use hpdlc_core::el::{ast::Expr, scope::Scope, value::Value};

use super::{
    AskedCases, CaseOutcome,
    domain::{self, Assignment},
    groups::groups,
    outcome,
};

/// When a case is taken.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::analysis::decisions) enum CaseExample {
    /// With these values of what it depends on, as one example; earlier cases need not hold then.
    Values(Vec<ExampleValue>),
    /// In no job.
    Never,
    /// It is not known which values matter.
    Unknown,
}

#[derive(Clone, Debug, PartialEq)]
pub(in crate::analysis::decisions) struct ExampleValue {
    /// Such as `wf:conf('x')`, as an expression.
    pub(in crate::analysis::decisions) text: String,
    /// `None` for any text that no case compares with.
    pub(in crate::analysis::decisions) value: Option<Value>,
}

/// An example for each of `cases`, and one for the default. `None` stands for a case that is skipped.
pub(in crate::analysis::decisions) fn examples(
    cases: &[Option<&Expr>],
) -> (Vec<CaseExample>, CaseExample) {
    let AskedCases {
        cases: asked,
        things,
        domains,
    } = AskedCases::of(cases);
    let mut names = vec![String::new(); things.list.len()];
    for (text, at) in &things.by_text {
        names[*at].clone_from(text);
    }
    let mut found = vec![CaseExample::Unknown; cases.len()];
    let mut of_default: Option<Vec<ExampleValue>> = Some(Vec::new());
    let n_asked = cases.iter().flatten().count();
    let mut n_known = 0;
    for group in groups(&asked, &domains) {
        n_known += group.len();
        let wanted: BTreeSet<usize> = group
            .iter()
            .flat_map(|(_, asked)| &asked.things)
            .copied()
            .collect();
        let values = |world: &Assignment<'_>, things: &BTreeSet<usize>| -> Vec<ExampleValue> {
            things
                .iter()
                .map(|thing| ExampleValue {
                    text: names[*thing].clone(),
                    value: world.variable(&domain::name(*thing)).filter(is_named),
                })
                .collect()
        };
        let mut all_false = None;
        let mut world = Assignment::first(&wanted, &domains);
        for (at, _) in &group {
            found[*at] = CaseExample::Never;
        }
        loop {
            let mut outcomes = group
                .iter()
                .map(|(at, asked)| (*at, asked, outcome(&asked.expr, &world)));
            match outcomes.find(|(.., outcome)| *outcome != CaseOutcome::False) {
                Some((at, asked, CaseOutcome::True)) if found[at] == CaseExample::Never => {
                    found[at] = CaseExample::Values(values(&world, &asked.things));
                }
                Some(_) => {}
                None => all_false = all_false.or_else(|| Some(values(&world, &wanted))),
            }
            if !world.advance() {
                break;
            }
        }
        of_default = match (of_default, all_false) {
            (Some(mut others), Some(more)) => {
                others.extend(more);
                Some(others)
            }
            (_, _) => None,
        };
    }
    let of_default = match of_default {
        None => CaseExample::Never,
        Some(_) if n_known < n_asked => CaseExample::Unknown,
        Some(values) => CaseExample::Values(values),
    };
    (found, of_default)
}

/// Whether the value occurs in a case, or is one of the usual ones. The domain has a text of `~` for all others.
fn is_named(value: &Value) -> bool {
    match value {
        Value::Text(text) => text.is_empty() || text.chars().any(|c| c != '~'),
        Value::Null | Value::Bool(_) | Value::Long(_) | Value::Double(_) | Value::Map(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use hpdlc_core::el::parser::parse_template;

    use super::*;

    fn shown(example: &CaseExample) -> String {
        match example {
            CaseExample::Values(values) => {
                let values: Vec<String> = values
                    .iter()
                    .map(|it| match &it.value {
                        Some(Value::Null) => format!("{}=null", it.text),
                        Some(value) => format!("{}={}", it.text, value.to_text()),
                        None => format!("{}=*", it.text),
                    })
                    .collect();
                values.join(" ")
            }
            CaseExample::Never => "never".to_owned(),
            CaseExample::Unknown => "unknown".to_owned(),
        }
    }

    #[test]
    fn each_case_has_values_that_take_it() {
        for (cases, expected) in [
            (&["a == 'x'", "a == 'y'"][..], &["a=x", "a=y", "a=*"][..]),
            (&["n gt 3"], &["n=4", "n=2"]),
            (
                &["a == 'x'", "a == 'x' and b == 'y'"],
                &["a=x", "never", "a=* b=y"],
            ),
            (&["empty a"], &["a=", "a=*"]),
            (&["a == b"], &["a == b=true", "a == b=false"]),
        ] {
            let templates: Vec<_> = cases
                .iter()
                .map(|case| parse_template(&format!("${{{case}}}")).expect("it is a template"))
                .collect();
            let exprs: Vec<Option<&Expr>> =
                templates.iter().map(|it| it.expressions().next()).collect();
            let (found, of_default) = examples(&exprs);
            let found: Vec<String> = found.iter().chain([&of_default]).map(shown).collect();
            assert_eq!(found, expected, "{cases:?}");
        }
    }
}
