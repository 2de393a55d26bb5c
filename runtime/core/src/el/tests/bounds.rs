//! Text that would exhaust the stack or time gives an error, and the largest trees allowed are safe.

use super::evaluate;
use crate::el::{
    ast::MAX_HEIGHT,
    inference::{fold, infer},
    parser::{MAX_NESTING, parse_template},
};

const MEGABYTE: usize = 1 << 20;

#[test]
fn deep_nesting_is_an_error() {
    for (repeated, expected) in [
        ("(", "expected at most 100 levels of nesting, found more"),
        ("a[", "expected at most 100 levels of nesting, found more"),
        (
            "trim(",
            "expected at most 100 levels of nesting, found more",
        ),
        ("1?", "expected at most 100 levels of nesting, found more"),
        ("1?2:", "expected at most 100 levels of nesting, found more"),
        ("1+(", "expected at most 100 levels of nesting, found more"),
        ("!", "expected a value, found the end of the value"),
        ("-", "expected a value, found the end of the value"),
        ("empty ", "expected a value, found the end of the value"),
        ("'a", "expected `}` or an operator, found `a`"),
    ] {
        let text = format!("${{{}", repeated.repeat(MEGABYTE / repeated.len()));
        let error = parse_template(&text).expect_err("it is not terminated");
        assert_eq!(error.message, expected, "{repeated}");
    }
}

#[test]
fn long_chains_are_an_error() {
    let expected = "expected at most 500 operators in a chain, found more";
    for (first, repeated) in [
        ("1", "+1"),
        ("1", "*1"),
        ("true", " and true"),
        ("1", "==1"),
        ("a", ".b"),
        ("a", "['b']"),
    ] {
        let text = format!("${{{first}{}}}", repeated.repeat(100_000));
        let error = parse_template(&text).expect_err("the chain is too long");
        assert_eq!(error.message, expected, "{repeated}");
    }
    let text = format!("${{{}1}}", "-".repeat(100_000));
    let error = parse_template(&text).expect_err("the chain is too long");
    assert_eq!(error.message, expected);
}

#[test]
fn highest_tree_can_be_walked() {
    let n_operators = MAX_HEIGHT - 1;
    let text = format!("${{1{}}}", "+1".repeat(n_operators));
    assert_eq!(evaluate(&text), MAX_HEIGHT.to_string());
    let parsed = parse_template(&text).expect("the chain is just short enough");
    let copy = parsed.clone();
    assert_eq!(parsed, copy);
    assert!(format!("{parsed:?}").len() > text.len());
    assert_eq!(
        parse_template(&parsed.to_string()).map(|again| again.to_string()),
        Ok(parsed.to_string())
    );
    let expr = parsed.expressions().next().expect("there is one");
    assert!(fold(expr).is_some());
    infer(expr);

    let text = format!("${{{}1}}", "-".repeat(n_operators));
    assert_eq!(evaluate(&text), "-1");
}

#[test]
fn deepest_nesting_can_be_walked() {
    let deep = MAX_NESTING - 1;
    let text = format!("${{{}'x'{}}}", "trim(".repeat(deep), ")".repeat(deep));
    assert_eq!(evaluate(&text), "x");
    let text = format!(
        "${{{}1{}}}",
        "1==1&&1<2||1+2*(".repeat(deep),
        ")".repeat(deep)
    );
    assert!(evaluate(&text).starts_with("true"));
}

#[test]
fn many_expressions_in_one_template_are_fine() {
    let text = "${1}-".repeat(50_000);
    assert_eq!(evaluate(&text), "1-".repeat(50_000));
}

/// An expression over `x` repeated, nested `n` times.
fn nested(n: usize, wrap: impl Fn(&str) -> String) -> String {
    let inner = format!("'{}'", "x".repeat(1_000));
    (0..n).fold(inner, |inner, _| wrap(&inner))
}

#[test]
fn texts_that_multiply_are_an_error_before_they_are_made() {
    let long = "y".repeat(1_000);
    for (name, expr) in [
        (
            "replaceAll",
            nested(3, |inner| format!("replaceAll({inner}, '.', '{long}')")),
        ),
        (
            "replaceAll",
            nested(3, |inner| format!("replaceAll({inner}, '(.)', '$1{long}')")),
        ),
        (
            "appendAll",
            nested(4, |inner| {
                format!("appendAll({inner}, '{}', 'y')", "yx".repeat(500))
            }),
        ),
        // Each level doubles, until the limit of a text is reached.
        (
            "concat",
            format!(
                "replaceAll({}, 'x', concat('{long}', '{long}'))",
                nested(1, |inner| {
                    format!("replaceAll({inner}, '.', '{}')", "x".repeat(20))
                })
            ),
        ),
    ] {
        let expected = if name == "concat" { "replaceAll" } else { name };
        let message = evaluate(&format!("${{{expr}}}"));
        assert!(
            message.contains(&format!("`{expected}` failed: "))
                && message.contains("the text would be longer than 16 MiB"),
            "{name}: {}",
            &message[..message.len().min(200)]
        );
    }
}

#[test]
fn joining_is_bounded_in_functions_and_in_templates() {
    use crate::{
        el::{error::ElErrorKind, eval::evaluate_template, functions::basic, scope::NoJob},
        limits::MAX_TEXT,
    };
    let half = "x".repeat(MAX_TEXT / 2);
    assert_eq!(
        basic::concat(&half, &half).map(|text| text.len()),
        Ok(MAX_TEXT)
    );
    assert!(basic::concat(&half, &format!("{half}y")).is_err());
    assert!(basic::url_encode(&"ü".repeat(MAX_TEXT / 4)).is_err());
    assert_eq!(
        basic::url_encode("a ü").as_deref(),
        Ok("a+%C3%BC"),
        "a short one is encoded"
    );

    let properties = [("a".to_owned(), half)].into();
    let scope = NoJob::new(&properties, chrono::DateTime::UNIX_EPOCH);
    let template = |text: &str| parse_template(text).expect("it is well-formed");
    let two = evaluate_template(&template("${a}${a}"), &scope);
    assert_eq!(two.map(|text| text.len()), Ok(MAX_TEXT));
    let error = evaluate_template(&template("${a}-${a}"), &scope).expect_err("it is too long");
    assert_eq!(error.kind, ElErrorKind::TooLong);
    assert!(error.range.is_some());
}

#[test]
fn a_long_constant_is_not_folded() {
    let short = nested(1, |inner| format!("replaceAll({inner}, '.', 'yy')"));
    let long = nested(2, |inner| {
        format!("replaceAll({inner}, '.', '{}')", "y".repeat(100))
    });
    for (expr, is_folded) in [(short, true), (long, false)] {
        let parsed = parse_template(&format!("${{{expr}}}")).expect("it is well-formed");
        let expr = parsed.expressions().next().expect("there is one");
        assert_eq!(fold(expr).is_some(), is_folded);
    }
}
