use expect_test::{Expect, expect};
use hpdlc_core::el::parser;

use super::*;
use crate::codegen::{format, names};

/// Shows the body of the function that a template becomes.
#[track_caller]
fn check(source: &str, expect: Expect) {
    let template = parser::parse_template(source).expect("the test's template parses");
    let name = names::ident("text");
    let tokens = match template.parts.as_slice() {
        [Part::Expr(expr)] if is_bool(expr) => bool_fn(&name, source, expr),
        _ => text_fn(&name, source, &template),
    };
    let text = format::file("", tokens);
    let body: String = text
        .lines()
        .skip(2)
        .filter(|line| *line != "}")
        .map(|line| format!("{}\n", line.strip_prefix("    ").unwrap_or(line)))
        .collect();
    expect.assert_eq(&body);
}

#[test]
fn calls_are_plain_calls() {
    check(
        "${wf:id()}",
        expect![[r#"
        functions::wf::id(scope)
    "#]],
    );
    check(
        "${wf:conf('a.b')}",
        expect![[r#"
        Ok(functions::wf::conf(scope, "a.b")?.unwrap_or_default())
    "#]],
    );
    check(
        "${concat(wf:user(), 'x')}",
        expect![[r#"
            functions::basic::concat(&functions::wf::user(scope)?, "x")
        "#]],
    );
    check(
        "${concat(wf:conf('a'), b)}",
        expect![[r#"
            functions::basic::concat(
                &functions::wf::conf(scope, "a")?.unwrap_or_default(),
                &variable_text(scope, "b")?,
            )
        "#]],
    );
    check(
        "${timestamp()}",
        expect![[r#"
        Ok(functions::basic::timestamp(scope))
    "#]],
    );
    check(
        "${trim(replaceAll(a, 'x+', wf:run()))}",
        expect![[r#"
        Ok(
            functions::basic::trim(
                &functions::basic::replace_all(
                    &variable_text(scope, "a")?,
                    "x+",
                    &functions::wf::run(scope)?.to_string(),
                )?,
            ),
        )
    "#]],
    );
    check(
        "${wf:actionData('count')['lines']}",
        expect![[r#"
        Ok(
            functions::wf::action_data(scope, "count")?
                .get("lines")
                .cloned()
                .unwrap_or_default(),
        )
    "#]],
    );
    check(
        "${wf:actionData('count').lines}",
        expect![[r#"
        Ok(
            functions::wf::action_data(scope, "count")?
                .get("lines")
                .cloned()
                .unwrap_or_default(),
        )
    "#]],
    );
    check(
        "${firstNotNull(wf:conf('a'), 'b')}",
        expect![[r#"
        Ok(
            functions::basic::first_not_null(
                    Value::from(functions::wf::conf(scope, "a")?),
                    Value::from("b"),
                )
                .into_text(),
        )
    "#]],
    );
    check(
        "${fs:fileSize(concat(dir, '/x'))}",
        expect![[r#"
            Ok(
                functions::fs::file_size(
                        scope,
                        &functions::basic::concat(&variable_text(scope, "dir")?, "/x")?,
                    )?
                    .to_string(),
            )
        "#]],
    );
}

#[test]
fn functions_over_maps_and_unknown_ones_go_by_the_table() {
    check(
        "${toJsonStr(wf:actionData('count'))}",
        expect![[r#"
            results::text(
                call(
                    scope,
                    None,
                    "toJsonStr",
                    &[Value::from(functions::wf::action_data(scope, "count")?)],
                ),
            )
        "#]],
    );
    check(
        "${hadoop:counters('a')['g']['n']}",
        expect![[r#"
        Ok(
            (match match call(scope, Some("hadoop"), "counters", &[Value::from("a")])? {
                Value::Null => Value::Null,
                base => ops::index(&base, &Value::from("g"))?,
            } {
                Value::Null => Value::Null,
                base => ops::index(&base, &Value::from("n"))?,
            })
                .into_text(),
        )
    "#]],
    );
    check(
        "${wf:nothing(1)}",
        expect![[r#"
            results::text(call(scope, Some("wf"), "nothing", &[Value::Long(1)]))
        "#]],
    );
}

#[test]
fn numbers_are_numbers() {
    check(
        "${wf:run() + 1}",
        expect![[r#"
        Ok(ops::add_long(functions::wf::run(scope)?, 1).to_string())
    "#]],
    );
    check(
        "${-wf:run() * (2 - wf:run()) % 7}",
        expect![[r#"
        Ok(
            ops::modulo_long(
                    ops::multiply_long(
                        ops::negate_long(functions::wf::run(scope)?),
                        ops::subtract_long(2, functions::wf::run(scope)?),
                    ),
                    7,
                )?
                .to_string(),
        )
    "#]],
    );
    check(
        "${fs:dirSize(dir) / GB}",
        expect![[r#"
            Ok(
                Value::Double(
                        ops::divide_double(
                            functions::fs::dir_size(scope, &variable_text(scope, "dir")?)?
                                as f64,
                            1073741824.0,
                        ),
                    )
                    .into_text(),
            )
        "#]],
    );
    check(
        "${fs:dirSize(dir) gt 10 * GB}",
        expect![[r#"
        Ok(functions::fs::dir_size(scope, &variable_text(scope, "dir")?)? > 10737418240)
    "#]],
    );
    check(
        "${size + 1}",
        expect![[r#"
            results::text(results::add(variable(scope, "size"), Ok(Value::Long(1))))
        "#]],
    );
    check(
        "${-size}",
        expect![[r#"
            results::text(ops::negate(&variable(scope, "size")?))
        "#]],
    );
    check(
        "${concat(a, 9223372036854775807)}",
        expect![[r#"
            functions::basic::concat(&variable_text(scope, "a")?, "9223372036854775807")
        "#]],
    );
    check(
        "${1.5 lt wf:run()}",
        expect![[r#"
        Ok(1.5 < (functions::wf::run(scope)? as f64))
    "#]],
    );
}

#[test]
fn conditional_before_an_operator_stands_in_parentheses() {
    check(
        "${wf:run() gt 0 ? true : (a eq b ? 'x' : 'y') eq c}",
        expect![[r#"
            Ok(
                if functions::wf::run(scope)? > 0 {
                    true
                } else {
                    (if variable_text(scope, "a")? == variable_text(scope, "b")? {
                        "x".to_string()
                    } else {
                        "y".to_string()
                    }) == variable_text(scope, "c")?
                },
            )
        "#]],
    );
}

#[test]
fn cases_are_booleans() {
    check(
        "${wf:conf('mode') eq 'fast'}",
        expect![[r#"
        Ok(functions::wf::conf(scope, "mode")?.as_deref() == Some("fast"))
    "#]],
    );
    check(
        "${mode == 'fast' && !(limit gt 10)}",
        expect![[r#"
            Ok(
                variable_text(scope, "mode")? == "fast"
                    && !results::greater(variable(scope, "limit"), Ok(Value::Long(10)))?,
            )
        "#]],
    );
    check(
        "${wf:conf('a') == null or not empty b}",
        expect![[r#"
        Ok(functions::wf::conf(scope, "a")?.is_none() || !variable(scope, "b")?.is_empty())
    "#]],
    );
    check(
        "${fs:exists(dir) and (a || wf:errorCode('x') != wf:conf('y'))}",
        expect![[r#"
        Ok(
            functions::fs::exists(scope, &variable_text(scope, "dir")?)?
                && (variable(scope, "a")?.to_bool()?
                    || functions::wf::error_code(scope, "x")?
                        != functions::wf::conf(scope, "y")?),
        )
    "#]],
    );
    check(
        "${empty wf:conf('a')}",
        expect![[r#"
        Ok(functions::wf::conf(scope, "a")?.unwrap_or_default().is_empty())
    "#]],
    );
    check(
        "${wf:conf('a') == 1}",
        expect![[r#"
            ops::equal(&Value::from(functions::wf::conf(scope, "a")?), &Value::Long(1))
        "#]],
    );
    check(
        "${!flag}",
        expect![[r#"
        ops::not(&variable(scope, "flag")?)
    "#]],
    );
    check(
        "${not (wf:run() ge 1)}",
        expect![[r#"
        Ok(!(functions::wf::run(scope)? >= 1))
    "#]],
    );
}

#[test]
fn conditionals_have_the_type_of_their_branches() {
    check(
        "${flag ? 10 * GB : 1}",
        expect![[r#"
        Ok(
            (if variable(scope, "flag")?.to_bool()? { 10737418240i64 } else { 1 })
                .to_string(),
        )
    "#]],
    );
    check(
        "${wf:run() == 0 ? 'first' : again}",
        expect![[r#"
        Ok(
            if functions::wf::run(scope)? == 0 {
                "first".to_string()
            } else {
                variable_text(scope, "again")?
            },
        )
    "#]],
    );
    check(
        "${flag ? 1 : 'x'}",
        expect![[r#"
            Ok(
                (if variable(scope, "flag")?.to_bool()? {
                    Value::Long(1)
                } else {
                    Value::from("x")
                })
                    .into_text(),
            )
        "#]],
    );
    check(
        "${(a ? wf:run() : 2) + 1}",
        expect![[r#"
        Ok(
            ops::add_long(
                    if variable(scope, "a")?.to_bool()? {
                        functions::wf::run(scope)?
                    } else {
                        2
                    },
                    1,
                )
                .to_string(),
        )
    "#]],
    );
}

#[test]
fn index_of_null_is_not_evaluated() {
    check(
        "${firstNotNull(null, wf:conf('a'))[missing]}",
        expect![[r#"
        Ok(
            (match functions::basic::first_not_null(
                Value::Null,
                Value::from(functions::wf::conf(scope, "a")?),
            ) {
                Value::Null => Value::Null,
                base => ops::index(&base, &variable(scope, "missing")?)?,
            })
                .into_text(),
        )
    "#]],
    );
}

#[test]
fn several_parts_are_printed() {
    check(
        "${nameNode}/user/${wf:user()}/{x}/${10 * KB}/${wf:run()}",
        expect![[r#"
        let name_node = variable_text(scope, "nameNode")?;
        let user = functions::wf::user(scope)?;
        let run = functions::wf::run(scope)?;
        results::joined(format_args!("{name_node}/user/{user}/{{x}}/10240/{run}"))
    "#]],
    );
    check(
        "${a}${wf:conf('a')}${scope}${type}${10 / wf:run()}",
        expect![[r#"
            let a = variable_text(scope, "a")?;
            let a_2 = functions::wf::conf(scope, "a")?.unwrap_or_default();
            let scope_2 = variable_text(scope, "scope")?;
            let type_ = variable_text(scope, "type")?;
            let value = Value::Double(
                    ops::divide_double(10.0, functions::wf::run(scope)? as f64),
                )
                .into_text();
            results::joined(format_args!("{a}{a_2}{scope_2}{type_}{value}"))
        "#]],
    );
    check(
        "${wf:conf('a')}-${1 / wf:run()}",
        expect![[r#"
            let a = functions::wf::conf(scope, "a")?.unwrap_or_default();
            let value = Value::Double(ops::divide_double(1.0, functions::wf::run(scope)? as f64))
                .into_text();
            results::joined(format_args!("{a}-{value}"))
        "#]],
    );
}

#[test]
fn longs_and_doubles_are_computed_without_boxes() {
    check(
        "${10 * GB / 3 + wf:run() * 2}",
        expect![[r#"
        Ok(
            Value::Double(
                    ops::add_double(
                        3579139413.3333335,
                        ops::multiply_long(functions::wf::run(scope)?, 2) as f64,
                    ),
                )
                .into_text(),
        )
    "#]],
    );
    check(
        "${wf:run() % 2.5 - 1 gt 0}",
        expect![[r#"
        Ok(
            ops::subtract_double(
                ops::modulo_double(functions::wf::run(scope)? as f64, 2.5),
                1.0,
            ) > 0.0,
        )
    "#]],
    );
}

#[test]
fn text_of_values_keeps_its_characters() {
    check(
        "${concat(a, 'say \"hé\" {} \\\\')}",
        expect![[r#"
            functions::basic::concat(&variable_text(scope, "a")?, "say \"hé\" {} \\")
        "#]],
    );
}

#[test]
fn deep_expressions_are_left_to_the_walker() {
    let deep = format!("${{{}a}}", "1 + ".repeat(MAX_HEIGHT));
    let template = parser::parse_template(&deep).expect("it parses");
    let text = text_fn(&names::ident("text"), &deep, &template).to_string();
    assert!(text.contains("evaluate (scope ,"), "{text}");
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
