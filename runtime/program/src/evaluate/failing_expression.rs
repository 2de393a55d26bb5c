//! Finds the expression of a text that failed, and the values of its operands.
//!
//! Compiled code returns only the error. The place is found by interpreting the text's syntax tree, once, after the
//! failure: code that records places would slow down every build for a rare case.

use hpdlc_core::{
    el::{
        ast::{Expr, ExprKind, Part, Template, TextRange},
        error::{ElError, ElErrorKind},
        eval::{evaluate_expr, read_property},
        functions::is_blocking,
        parser::parse_template,
        scope::Scope,
        value::{Described, Value},
    },
    secrets::{MASK, is_secret_name},
};

/// The expression that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Culprit<'t> {
    /// With its `${` and `}`.
    pub(super) text: &'t str,
    /// Its index among the expressions of the text.
    pub(super) number: usize,
    /// The number of lines before it in the text.
    pub(super) n_lines: u32,
    /// The number of characters before it in its line.
    pub(super) n_characters: u32,
    /// The texts and values of its operands; secrets are masked.
    pub(super) operands: Vec<(String, String)>,
    /// The values of secret properties that it reads.
    pub(super) secrets: Vec<String>,
}

/// Finds the expression in `source` that caused `error`. `None` if the failure cannot be reproduced.
pub(super) fn find<'t>(source: &'t str, error: &ElError, scope: &dyn Scope) -> Option<Culprit<'t>> {
    let template = parse_template(source).ok()?;
    let (top, innermost) = failed(&template, error, scope)?;
    let place = whole(source, &template, top)?;
    let before = source.get(..place.start)?;
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let mut secrets = Vec::new();
    collect_secrets(top, scope, &mut secrets);
    let mut operands = operands(source, innermost, scope);
    for (_, value) in &mut operands {
        *value = masked(value, &secrets);
    }
    Some(Culprit {
        text: source.get(place.start..place.end)?,
        number: template
            .expressions()
            .position(|expr| std::ptr::eq(expr, top))?,
        n_lines: u32::try_from(before.matches('\n').count()).ok()?,
        n_characters: u32::try_from(before[line_start..].chars().count()).ok()?,
        operands,
        secrets,
    })
}

/// Masks the secrets in `message`. A truncated text may contain only the beginning of a secret.
pub(super) fn masked(message: &str, secrets: &[String]) -> String {
    /// The minimum length in bytes of a prefix that is masked; shorter ones reveal nothing.
    const LEAST: usize = 4;
    let mut masked = message.to_owned();
    for secret in secrets {
        let mut end = secret.len();
        while !masked.contains(&secret[..end]) {
            let Some((shorter, _)) = secret[..end].char_indices().next_back() else {
                break;
            };
            end = shorter;
        }
        if end == secret.len() || end >= LEAST {
            masked = masked.replace(&secret[..end], MASK);
        }
    }
    masked
}

/// The top-level expression that failed, and the innermost subexpression that failed.
fn failed<'e>(
    template: &'e Template,
    error: &ElError,
    scope: &dyn Scope,
) -> Option<(&'e Expr, &'e Expr)> {
    if let Some(range) = error.range {
        return template
            .expressions()
            .find_map(|top| Some((top, at(top, range)?)));
    }
    // A function of the program is not called again: only generated code knows it.
    if let ElErrorKind::Own(failure) = &error.kind {
        return template
            .expressions()
            .find_map(|top| Some((top, call_of(top, &failure.function)?)));
    }
    for top in template.expressions() {
        // File functions are not called again: the result may differ, and the call may block.
        if is_blocking(top) {
            return Some((top, top));
        }
        match evaluate_expr(top, scope) {
            Ok(_) => {}
            Err(again) if again.kind == error.kind => {
                let innermost = again.range.and_then(|range| at(top, range));
                return Some((top, innermost.unwrap_or(top)));
            }
            Err(_) => return None,
        }
    }
    None
}

/// The subexpression with this range.
fn at(expr: &Expr, range: TextRange) -> Option<&Expr> {
    if expr.range == range {
        return Some(expr);
    }
    expr.children()
        .into_iter()
        .find_map(|child| at(child, range))
}

/// The first call of a function in an expression.
fn call_of<'e>(expr: &'e Expr, function: &str) -> Option<&'e Expr> {
    if let ExprKind::Call {
        prefix: Some(prefix),
        name,
        ..
    } = &expr.kind
        && function.split_once(':') == Some((prefix.as_str(), name.as_str()))
    {
        return Some(expr);
    }
    let mut children = expr.children().into_iter();
    children.find_map(|child| call_of(child, function))
}

/// The range of a top-level expression, from `${` to `}`.
fn whole(source: &str, template: &Template, top: &Expr) -> Option<TextRange> {
    let mut position = 0;
    for part in &template.parts {
        match part {
            Part::Text(_, range) => position = range.end,
            Part::Expr(expr) => {
                let start = position + source.get(position..)?.find("${")?;
                // Only blanks and parentheses may occur between the expression and the brace.
                let end = expr.range.end + source.get(expr.range.end..)?.find('}')? + 1;
                if std::ptr::eq(expr, top) {
                    return Some(TextRange::new(start, end));
                }
                position = end;
            }
        }
    }
    None
}

fn operands(source: &str, expr: &Expr, scope: &dyn Scope) -> Vec<(String, String)> {
    let mut shown: Vec<(String, String)> = Vec::new();
    for child in expr.children() {
        if matches!(child.kind, ExprKind::Literal(_)) || is_blocking(child) {
            continue;
        }
        let Some(text) = source.get(child.range.start..child.range.end) else {
            continue;
        };
        // An operand that fails was not evaluated.
        let Ok(value) = evaluate_expr(child, scope) else {
            continue;
        };
        let value = if read_property(child).is_some_and(is_secret_name) {
            format!("`{MASK}`")
        } else {
            Described(&value).to_string()
        };
        if shown.iter().all(|(other, _)| *other != text) {
            shown.push((text.to_owned(), value));
        }
    }
    shown
}

pub(super) fn collect_secrets(expr: &Expr, scope: &dyn Scope, secrets: &mut Vec<String>) {
    if read_property(expr).is_some_and(is_secret_name)
        && let Ok(Value::Text(value)) = evaluate_expr(expr, scope)
        && !value.is_empty()
    {
        secrets.push(value);
    }
    for child in expr.children() {
        collect_secrets(child, scope, secrets);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use chrono::DateTime;
    use hpdlc_core::el::{error::OwnFailure, eval::evaluate_template, scope::NoJob};

    use super::*;

    /// Checks place, text and operands of the failing expression; they must not depend on whether the error has a range.
    #[track_caller]
    fn check(source: &str, expected: (u32, u32, &str, &[(&str, &str)])) {
        let properties: BTreeMap<String, String> = [
            ("n", "five"),
            ("m", "7"),
            ("password", "hunter22"),
            ("empty", ""),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
        let scope = NoJob::new(&properties, DateTime::UNIX_EPOCH);
        let template = parse_template(source).unwrap();
        let error = evaluate_template(&template, &scope).unwrap_err();
        let unplaced = ElError {
            range: None,
            ..error.clone()
        };
        let (n_lines, n_characters, text, operands) = expected;
        for error in [error, unplaced] {
            let found = find(source, &error, &scope).expect("the expression is found");
            assert_eq!((found.n_lines, found.n_characters), (n_lines, n_characters));
            assert_eq!(found.text, text);
            let found: Vec<(&str, &str)> = found
                .operands
                .iter()
                .map(|(text, value)| (text.as_str(), value.as_str()))
                .collect();
            assert_eq!(found, operands, "{source}");
        }
    }

    #[test]
    fn the_expression_that_failed_is_found_with_its_operands() {
        check("${n + 1}", (0, 0, "${n + 1}", &[("n", "the text `five`")]));
        check(
            "é ${m} and ${ (m * n) }!",
            (
                0,
                11,
                "${ (m * n) }",
                &[("m", "the text `7`"), ("n", "the text `five`")],
            ),
        );
        check(
            "first ${m}\n  second ${m}${concat('}', m % 0)}",
            (1, 13, "${concat('}', m % 0)}", &[("m", "the text `7`")]),
        );
        check("${m}${nowhere}", (0, 4, "${nowhere}", &[]));
        check(
            "a ${fs:exists(n)}",
            (0, 2, "${fs:exists(n)}", &[("n", "the text `five`")]),
        );
    }

    #[test]
    fn the_call_of_a_function_of_the_program_is_found_by_its_name() {
        let properties = BTreeMap::from([("n".to_owned(), "five".to_owned())]);
        let scope = NoJob::new(&properties, DateTime::UNIX_EPOCH);
        let failure = OwnFailure {
            function: "acme:day".to_owned(),
            code: "NO_DAY".to_owned(),
            is_transient: false,
        };
        let error = ElError::new(ElErrorKind::Own(Box::new(failure)), "no day");
        let source = "${acme:days(n)} ${1 + acme:day(n)}";
        let found = find(source, &error, &scope).expect("the expression is found");
        assert_eq!(found.text, "${1 + acme:day(n)}");
        let operand = ("n".to_owned(), "the text `five`".to_owned());
        assert_eq!(found.operands, [operand]);
    }

    #[test]
    fn secrets_are_not_shown() {
        check(
            "${password * m}",
            (
                0,
                0,
                "${password * m}",
                &[("password", "`********`"), ("m", "the text `7`")],
            ),
        );
        check(
            "${concat(password, 'x') * m}",
            (
                0,
                0,
                "${concat(password, 'x') * m}",
                &[
                    ("concat(password, 'x')", "the text `********x`"),
                    ("m", "the text `7`"),
                ],
            ),
        );
        let properties = BTreeMap::from([("password".to_owned(), "hunter22".to_owned())]);
        assert_eq!(
            masked("at `abcde...`", &["abcdefgh".to_owned()]),
            "at `********...`"
        );
        assert_eq!(
            masked("at `xy`, `abc`", &["xy".to_owned(), "abcd".to_owned()]),
            "at `********`, `abc`"
        );
        let scope = NoJob::new(&properties, DateTime::UNIX_EPOCH);
        let error = ElError::coercion("expected a number");
        let found = find("${1 + concat(password, 'x')}", &error, &scope).expect("it is found");
        assert_eq!(found.secrets, ["hunter22"]);
    }
}
