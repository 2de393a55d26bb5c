//! Evaluates texts that are data: the values of their parts, concatenated.
//!
//! The operators and functions are those of the tree-walking interpreter, so that both give the same values and errors.

use hpdlc_core::{
    el::{
        error::ElError,
        functions::{self, wf},
        ops,
        scope::{self, Scope},
        value::Value,
    },
    limits,
};

use crate::table::Part;

/// Concatenates properties, each with the text before it, and the text after the last.
pub(super) fn joined(
    properties: &[(&str, &str)],
    tail: &str,
    scope: &dyn Scope,
) -> Result<String, ElError> {
    let mut text = String::new();
    for (before, name) in properties {
        push(&mut text, before)?;
        push(&mut text, &scope::variable_text(scope, name)?)?;
    }
    push(&mut text, tail)?;
    Ok(text)
}

/// The text of the parts.
pub(super) fn evaluate(parts: &[Part], scope: &dyn Scope) -> Result<String, ElError> {
    // A single part needs no concatenation.
    if let [part] = parts {
        return value(part, scope).map(Value::into_text);
    }
    let mut text = String::new();
    for part in parts {
        match part {
            Part::Text(more) => push(&mut text, more)?,
            part => push(&mut text, &value(part, scope)?.to_text())?,
        }
    }
    Ok(text)
}

fn push(text: &mut String, more: &str) -> Result<(), ElError> {
    limits::push(text, more).map_err(ElError::too_long)
}

impl Part {
    /// The text of its value, if it has one.
    pub(crate) fn text(&self, scope: &dyn Scope) -> Option<String> {
        value(self, scope).map(Value::into_text).ok()
    }
}

fn value(part: &Part, scope: &dyn Scope) -> Result<Value, ElError> {
    match part {
        Part::Null => Ok(Value::Null),
        Part::Bool(value) => Ok(Value::Bool(*value)),
        Part::Long(value) => Ok(Value::Long(*value)),
        Part::Double(value) => Ok(Value::Double(*value)),
        Part::Text(text) => Ok(Value::Text((*text).to_owned())),
        Part::Property(name) => scope::variable(scope, name),
        Part::Call(function, arguments) => {
            functions::check_scope(function, scope)?;
            let arguments: Vec<Value> = arguments
                .iter()
                .map(|argument| value(argument, scope))
                .collect::<Result<_, _>>()?;
            functions::call(function, scope, arguments)
        }
        Part::Entry([base, key]) => {
            let base = value(base, scope)?;
            // If the base is null, the key is not evaluated.
            if base.is_null() {
                return Ok(Value::Null);
            }
            ops::index(&base, &value(key, scope)?)
        }
        Part::Member(base, key) => ops::property(&value(base, scope)?, key),
        Part::Captured(node, key) => {
            functions::check_phase(&wf::ACTION_DATA, scope.phase())?;
            let mut data = wf::action_data(scope, node)?;
            Ok(data.remove(*key).map_or(Value::Null, Value::Text))
        }
        Part::Code(_, _, function) => function(scope),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use chrono::DateTime;
    use hpdlc_core::el::{
        eval::evaluate_template,
        functions::{Needs, basic, wf},
        parser::parse_template,
        phase::Phase,
        scope::NoJob,
    };

    use super::*;

    static NULL: Part = Part::Null;
    static NUMBER: Part = Part::Property("n");

    fn increased(scope: &dyn Scope) -> Result<Value, ElError> {
        ops::add(&scope::variable(scope, "n")?, &Value::Long(1))
    }

    static INCREASED: Part = Part::Code(Needs::Nothing, &["n"], increased);

    static CASES: [(&[Part], &str); 17] = [
        (&[INCREASED], "${n + 1}"),
        (
            &[
                Part::Text("<"),
                Part::Call(&basic::CONCAT, &[INCREASED, Part::Property("a")]),
                Part::Text(">"),
            ],
            "<${concat(n + 1, a)}>",
        ),
        (&[], ""),
        (&[Part::Property("a")], "${a}"),
        (&[Part::Property("nowhere")], "${nowhere}"),
        (&[Part::Long(-3)], "${-3}"),
        (
            &[Part::Double(1.5), Part::Text(" "), Part::Bool(true)],
            "${1.5} ${true}",
        ),
        (&[Part::Text("<"), Part::Null, Part::Text(">")], "<${null}>"),
        (
            &[Part::Call(&basic::CONCAT, &[NUMBER, Part::Long(1)])],
            "${concat(n, 1)}",
        ),
        (
            &[Part::Call(
                &basic::TRIM,
                &[Part::Call(&basic::URL_ENCODE, &[Part::Property("a")])],
            )],
            "${trim(urlEncode(a))}",
        ),
        (
            &[Part::Call(
                &basic::REPLACE_ALL,
                &[Part::Property("a"), Part::Text("("), Part::Text("")],
            )],
            "${replaceAll(a, '(', '')}",
        ),
        (&[Part::Call(&wf::USER, &[])], "${wf:user()}"),
        (&[Part::Captured("x", "k")], "${wf:actionData('x')['k']}"),
        (
            &[Part::Entry(&[NULL, Part::Property("nowhere")])],
            "${null[nowhere]}",
        ),
        (&[Part::Entry(&[NUMBER, Part::Text("k")])], "${n['k']}"),
        (
            &[Part::Entry(&[NUMBER, Part::Text("empty")])],
            "${n['empty']}",
        ),
        (&[Part::Member(&NUMBER, "k")], "${n.k}"),
    ];

    /// Both values and failures are compared.
    #[test]
    fn parts_give_what_the_tree_walker_gives() {
        let properties: BTreeMap<String, String> = [("a", "x y"), ("n", "7")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into();
        for (parts, source) in CASES {
            let template = parse_template(source).unwrap();
            for phase in [Phase::Workflow, Phase::JobSubmit, Phase::Data] {
                let scope = NoJob::in_phase(phase, &properties, DateTime::UNIX_EPOCH);
                let message = |error: ElError| format!("{:?} {}", error.kind, error.message);
                assert_eq!(
                    evaluate(parts, &scope).map_err(message),
                    evaluate_template(&template, &scope).map_err(message),
                    "{source} in {phase:?}"
                );
            }
        }
    }

    #[test]
    fn texts_are_bounded() {
        let long = "x".repeat(limits::MAX_TEXT);
        let properties = BTreeMap::from([("long".to_owned(), long)]);
        let scope = NoJob::in_phase(Phase::JobSubmit, &properties, DateTime::UNIX_EPOCH);
        assert!(evaluate(&[Part::Property("long")], &scope).is_ok());
        let too_long = ElError::too_long(limits::TooLong).message;
        let error = evaluate(&[Part::Property("long"), Part::Text("x")], &scope).unwrap_err();
        assert_eq!(error.message, too_long);
        let error = joined(&[("x", "long")], "", &scope).unwrap_err();
        assert_eq!(error.message, too_long);
    }
}
