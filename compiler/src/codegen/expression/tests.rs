use hpdlc_core::el::parser;
use hpdlc_tests::cases;

use super::{depth::MAX_HEIGHT, *};
use crate::codegen::{format, names};

/// The bodies of the functions generated from the expressions of a template.
fn body(source: &str) -> String {
    let template = parser::parse_template(source).expect("the test's template parses");
    template.expressions().map(body_of_expr).collect()
}

fn body_of_expr(expr: &Expr) -> String {
    let name = names::ident("text");
    let tokens = if is_bool(expr) {
        bool_fn(&name, "", expr)
    } else {
        value_fn(&name, "", expr)
    };
    format::file("", tokens)
        .lines()
        .skip(2)
        .filter(|line| *line != "}")
        .map(|line| format!("{}\n", line.strip_prefix("    ").unwrap_or(line)))
        .collect()
}

#[test]
fn templates() {
    cases::check("compiler/src/codegen/expression/tests.txt", |case| {
        body(&case.given)
    });
}

#[test]
fn deep_expressions_become_functions_in_a_function() {
    let deep = format!("${{{}a}}", "1 + ".repeat(2 * MAX_HEIGHT));
    let code = body(&deep);
    for part in [
        "fn part_1(scope: &dyn Scope) -> Result<Value, ElError> {",
        "fn part_2(scope: &dyn Scope) -> Result<Value, ElError> {",
        "part_1(scope)",
        "part_2(scope)",
    ] {
        assert!(code.contains(part), "{code}");
    }
    assert!(!code.contains("part_3"), "{code}");
    // An expression that is not too deep is not split.
    assert!(!body("${1 + 1 + 1 + a}").contains("part_1"));
}

#[track_caller]
fn check_constant(source: &str, expected: Option<&str>) {
    let template = parser::parse_template(source).expect("the test's template parses");
    let expr = template
        .expressions()
        .next()
        .expect("the test's template has an expression");
    let value = constant(expr).map(|value| value.to_text().into_owned());
    assert_eq!(value.as_deref(), expected, "{source}");
}

#[test]
fn constants_are_folded() {
    check_constant("${10 * GB}", Some("10737418240"));
    check_constant("${concat('a', 'b')}", Some("ab"));
    check_constant("${10 / 4}", Some("2.5"));
    check_constant("${empty ''}", Some("true"));
    check_constant("${1 % 0}", None);
    check_constant("${timestamp()}", None);
    check_constant("${a}", None);
}
