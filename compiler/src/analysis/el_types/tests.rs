use std::sync::LazyLock;

use hpdlc_core::{
    el::parser::parse_template,
    extension::{Occurs, ValueKind, ValueType},
};

use super::{Context, TemplatePhase, evaluate};
use crate::model::{DescribedFunction, OwnFunction};

/// `acme:bucket(path, n)`, `acme:isLate(limit)` with an optional duration, and `acme:any(value)`, of which nothing is known.
static FUNCTIONS: LazyLock<[OwnFunction; 3]> = LazyLock::new(|| {
    let one = |value| ValueType {
        value,
        occurs: Occurs::One,
    };
    let function = |name: &str, described: Option<(Vec<ValueType>, ValueType)>| OwnFunction {
        prefix: "acme".to_owned(),
        name: name.to_owned(),
        n_arguments: described
            .as_ref()
            .map_or(1, |(arguments, _)| arguments.len()),
        path: String::new(),
        described: described.map(|(arguments, result)| DescribedFunction {
            extension: "acme".to_owned(),
            arguments,
            result,
        }),
    };
    let limit = ValueType {
        value: ValueKind::Duration,
        occurs: Occurs::Optional,
    };
    [
        function(
            "bucket",
            Some((
                vec![one(ValueKind::Text), one(ValueKind::Int)],
                one(ValueKind::Text),
            )),
        ),
        function("isLate", Some((vec![limit], one(ValueKind::Bool)))),
        function("any", None),
    ]
});

fn context() -> Context<'static> {
    Context {
        phase: TemplatePhase::Workflow,
        functions: &*FUNCTIONS,
        zone: None,
    }
}

/// Each expression with its diagnostic; the empty text if it may have a value.
#[track_caller]
fn check(vectors: &[(&str, &str)]) {
    for (text, expected) in vectors {
        let template = parse_template(&format!("${{{text}}}")).unwrap();
        let expr = template.expressions().next().expect("one expression");
        let said = match evaluate(expr, context()) {
            Ok(_) => String::new(),
            Err(failure) => match failure.property {
                Some((name, _)) => format!("property {name}"),
                None => failure.error.message,
            },
        };
        assert_eq!(said, *expected, "for `{text}`");
    }
}

#[test]
fn constants_that_fail_are_found() {
    for text in [
        "1 % 0",
        "'a' + 1",
        "1 + 'a' * 2",
        "-'a'",
        "true + 1",
        "1 and true",
        "1 ? 'a' : 'b'",
        "'a' == 1",
        "trim('a') + 1",
        "replaceAll('a', '(', 'b')",
        "KB % (MB - MB)",
        "concat('a', 'b' + 'c')",
        "empty ('a' + 1)",
    ] {
        let template = parse_template(&format!("${{{text}}}")).unwrap();
        let expr = template.expressions().next().expect("one expression");
        assert!(evaluate(expr, context()).is_err(), "{text}");
    }
}

#[test]
fn operations_that_fail_for_every_value_are_found() {
    check(&[
        (
            "x + 'a'",
            "this operation does not apply to a text and a text",
        ),
        (
            "'a' - x",
            "this operation does not apply to a text and a text",
        ),
        (
            "x + true",
            "this operation does not apply to a text and a boolean",
        ),
        (
            "(x eq y) + 1",
            "this operation does not apply to a boolean and a number",
        ),
        (
            "wf:actionData('a') + 1",
            "this operation does not apply to a map and a number",
        ),
        (
            "wf:run() % 0",
            "this cannot be computed with a number and a number",
        ),
        (
            "wf:run() and x",
            "this operation does not apply to a number",
        ),
        ("not wf:run()", "this operation does not apply to a number"),
        (
            "wf:run() ? 1 : 2",
            "this operation does not apply to a number",
        ),
    ]);
}

#[test]
fn arguments_that_a_function_refuses_are_found() {
    check(&[
        (
            "coord:days('two')",
            "expected a whole number, found the text `two` as argument 1 of `coord:days`",
        ),
        (
            "coord:future(0, true)",
            "expected a number, found `true` as argument 2 of `coord:future`",
        ),
        (
            "coord:dateOffset(x, wf:actionData('a'), 'DAY')",
            "this operation does not apply to a map",
        ),
        (
            "toJsonStr('x')",
            "expected a map, found the text `x` as argument 1 of `toJsonStr`",
        ),
        (
            "toJsonStr(wf:run())",
            "this operation does not apply to a number",
        ),
        (
            "toPropertiesStr(null)",
            "function `toPropertiesStr` failed: expected a map, found null",
        ),
        (
            "wf:callback('')",
            "function `wf:callback` failed: expected a status, found an empty text",
        ),
        (
            "wf:callback(null)",
            "function `wf:callback` failed: expected a status, found an empty text",
        ),
        (
            "replaceAll(x, '(', 'b')",
            "function `replaceAll` failed: pattern `(`: expected `)`, found the end",
        ),
        (
            "appendAll(wf:conf('x'), y, concat('[', 'a'))",
            "function `appendAll` failed: pattern `[a`: expected `]`, found the end",
        ),
        ("coord:days('2')", ""),
        ("coord:days(null)", ""),
        ("coord:days(x)", ""),
        ("coord:days(1.5)", ""),
        ("coord:current(coord:hoursInDay(0) - 24)", ""),
        ("wf:callback(x)", ""),
        ("wf:conf(null)", ""),
        ("wf:actionData(null)['x']", ""),
        ("fs:exists('')", ""),
        ("hadoop:counters('a')[RECORDS][MAP_IN] + 1", ""),
        ("toJsonStr(null)", ""),
        ("replaceAll(x, y, '$1')", ""),
        ("replaceAll(x, 'a', '$1')", ""),
        ("trim(timestamp())", ""),
    ]);
}

#[test]
fn what_may_have_a_value_passes() {
    check(&[
        ("x", ""),
        ("x + 1", ""),
        ("x + y", ""),
        ("x % 0", ""),
        ("1 / 0", ""),
        ("x + '1'", ""),
        ("x eq 'a'", ""),
        ("x gt 10", ""),
        ("10 * GB", ""),
        ("empty x", ""),
        ("wf:actionData('a')['n'] + 1", ""),
        ("wf:conf('x') + 1", ""),
        ("firstNotNull(wf:conf('x'), 0) + 1", ""),
        ("unknown:function(x) + 1", ""),
        ("x ? 1 : 2", ""),
        ("x and y", ""),
        ("null + 1", ""),
    ]);
}

#[test]
fn what_may_not_be_evaluated_passes() {
    check(&[
        ("x and (1 % 0 eq 1)", ""),
        ("x ? 1 % 0 : 2", ""),
        ("false and 1", ""),
        ("true or 1", ""),
        ("true ? 1 : 'a' + 1", ""),
        ("false ? my.prop : 1", ""),
    ]);
}

#[test]
fn names_with_dots_are_taken_for_properties() {
    check(&[
        ("my.prop", "property my.prop"),
        ("my.long.prop", "property my.long.prop"),
        ("concat(my.prop, 'a')", "property my.prop"),
        ("x.a-b", "property x.a"),
        ("wf:actionData('a').n", ""),
        ("wf:actionData('a').n.m", ""),
    ]);
}

#[test]
fn arguments_and_results_of_functions_of_extensions_have_their_types() {
    check(&[
        (
            "acme:bucket(x, 'many')",
            "expected a whole number, found the text `many` as argument 2 of `acme:bucket`",
        ),
        (
            "acme:bucket(x, 10 / 2)",
            "expected a whole number, found `5.0` as argument 2 of `acme:bucket`",
        ),
        (
            "acme:bucket(x, wf:run() / 2)",
            "expected a whole number, found a number with a decimal point as argument 2 of `acme:bucket`",
        ),
        (
            "acme:bucket(x, acme:isLate('2h'))",
            "expected a whole number, found a boolean as argument 2 of `acme:bucket`",
        ),
        (
            "acme:bucket(x, null)",
            "expected a whole number, found null as argument 2 of `acme:bucket`",
        ),
        (
            "acme:isLate('2 h')",
            "expected a duration, such as `90s`, `15m`, `2h` or `1d`, found the text `2 h` as argument 1 of `acme:isLate`",
        ),
        (
            "acme:isLate('2h') + 1",
            "this operation does not apply to a boolean and a number",
        ),
        ("acme:bucket(x, 16)", ""),
        ("acme:bucket(x, '16')", ""),
        ("acme:bucket(1, wf:run())", ""),
        ("acme:bucket(x, y)", ""),
        ("acme:bucket(x, acme:bucket(y, 1)) + 1", ""),
        ("acme:isLate(null)", ""),
        ("acme:isLate('')", ""),
        ("acme:isLate(x)", ""),
        ("acme:isLate('2h') and x", ""),
        ("acme:any(true) + 1", ""),
        ("x and acme:isLate('2 h')", ""),
    ]);
}
