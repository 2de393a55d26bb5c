//! Operators and coercions.

use super::{check_expressions, check_templates, failure, failure_kind};
use crate::el::{ast::TextRange, error::ElErrorKind};

#[test]
fn results_become_text() {
    check_expressions(&[
        ("null", ""),
        ("true", "true"),
        ("1024", "1024"),
        ("010", "10"),
        ("2.0", "2.0"),
        ("1.", "1.0"),
        (".5", "0.5"),
        ("1e3", "1000.0"),
        ("1E+10", "1.0E10"),
        ("1.e1", "10.0"),
        ("123456789.0", "1.23456789E8"),
        ("'text'", "text"),
        ("\"text\"", "text"),
        ("1e999", "Infinity"),
        (
            "wf:actionData('shell')",
            "{a.b=dotted, k=v, n=10, path=/a b}",
        ),
    ]);
}

#[test]
fn templates_join_texts_and_values() {
    check_templates(&[
        ("", ""),
        ("plain", "plain"),
        ("${a}", "1"),
        ("${a}${b}", "12"),
        ("x${a}y${b}z", "x1y2z"),
        ("$", "$"),
        ("$$", "$$"),
        ("$a {b} }", "$a {b} }"),
        ("$${a}", "$1"),
        ("$$${a}$", "$$1$"),
        ("\\${a}", "\\1"),
        ("#{a}", "#{a}"),
        ("#{a}${a}", "#{a}1"),
        ("${'${'}x}", "${x}"),
        ("${a}}", "1}"),
        ("${\n\t a \r\n}", "1"),
        ("${template}", "${a}"),
        ("größe: ${größe}", "größe: 10"),
        ("${$dollar}", "dollar"),
        ("${#hash}", "hash"),
        ("${instanceof}", "word"),
        ("${KB}", "1024"),
    ]);
}

#[test]
fn null_and_empty_text_are_zero_and_false() {
    check_expressions(&[
        ("null + null", "0"),
        ("null * null", "0"),
        ("null - null", "0"),
        ("null % null", "0"),
        ("null / null", "0"),
        ("null / 1", "0.0"),
        ("null + 1", "1"),
        ("null + 1.0", "1.0"),
        ("'' + 1", "1"),
        ("'' + ''", "0"),
        ("'' / 2", "0.0"),
        ("-null", "0"),
        ("-''", "0"),
        ("!null", "true"),
        ("!''", "true"),
        ("null || false", "false"),
        ("null ? 1 : 2", "2"),
    ]);
}

#[test]
fn objects_have_the_properties_of_their_class() {
    check_expressions(&[
        ("'a'.class", "class java.lang.String"),
        ("1['class']", "class java.lang.Long"),
        ("(1.5).class", "class java.lang.Double"),
        ("true['class']", "class java.lang.Boolean"),
        ("''['empty']", "true"),
        ("'a'['empty']", "false"),
        ("(1 / 0).infinite", "true"),
        ("(0 / 0).naN", "true"),
        ("'a'[null]", ""),
        ("null.class", ""),
    ]);
    for expression in ["${'a'.length}", "${1['empty']}", "${'a'[0]}"] {
        assert_eq!(
            failure_kind(expression),
            ElErrorKind::Coercion,
            "{expression}"
        );
    }
}

#[test]
fn texts_become_booleans_without_errors() {
    check_expressions(&[
        ("!'true'", "false"),
        ("!'TrUe'", "false"),
        ("!'yes'", "true"),
        ("!'1'", "true"),
        ("not ' true'", "true"),
        ("'true' && 'TRUE'", "true"),
        ("yes ? 1 : 2", "1"),
    ]);
}

#[test]
fn texts_become_numbers() {
    check_expressions(&[
        ("'1' + '2'", "3"),
        ("'1.5' + 1", "2.5"),
        ("'1e2' + 1", "101.0"),
        ("'1E2' - 1", "99.0"),
        ("half + a", "1.5"),
        ("-'5'", "-5"),
        ("-'5.0'", "-5.0"),
        ("-'1e1'", "-10.0"),
        ("'+5' * 2", "10"),
        ("' 5.5 ' * 2", "11.0"),
        ("' 5' / 2", "2.5"),
        ("'0x1p3' / 1", "8.0"),
        ("'1.5d' + 0", "1.5"),
        ("'NaN' / 1", "NaN"),
        ("'NaN' + 1.0", "NaN"),
        ("'10' > 9", "true"),
        ("'1.5' > 1.0", "true"),
    ]);
    for expression in [
        "${'a' + 'b'}",
        "${'a' + 1}",
        "${' 5' + 1}",
        "${five + 1}",
        "${'NaN' + 1}",
        "${'1.5x' + 1}",
        "${'.' + 1}",
        "${'9223372036854775808' + 0}",
        "${-'abc'}",
        "${'1.5' > 1}",
    ] {
        assert_eq!(
            failure_kind(expression),
            ElErrorKind::Coercion,
            "{expression}"
        );
    }
}

#[test]
fn booleans_and_numbers_do_not_mix() {
    for expression in [
        "${true + 1}",
        "${true / 1}",
        "${-true}",
        "${true == 1}",
        "${true < 1.5}",
        "${1 && true}",
        "${true && 1}",
        "${false || 1.5}",
        "${!1}",
        "${1 ? 2 : 3}",
        "${!wf:actionData('shell')}",
        "${wf:actionData('shell') + 1}",
    ] {
        assert_eq!(
            failure_kind(expression),
            ElErrorKind::Coercion,
            "{expression}"
        );
    }
}

#[test]
fn arithmetic_is_javas() {
    check_expressions(&[
        ("1 + 2 * 3", "7"),
        ("(1 + 2) * 3", "9"),
        ("7 - 2 - 1", "4"),
        ("1 + 2.0", "3.0"),
        ("9223372036854775807 + 1", "-9223372036854775808"),
        ("-9223372036854775807 - 2", "9223372036854775807"),
        ("4611686018427387904 * 2", "-9223372036854775808"),
        ("-(-9223372036854775807 - 1)", "-9223372036854775808"),
        ("10 / 5", "2.0"),
        ("10 div 4", "2.5"),
        ("1 / 0", "Infinity"),
        ("-1 / 0", "-Infinity"),
        ("0 / 0", "NaN"),
        ("10 % 3", "1"),
        ("-10 mod 3", "-1"),
        ("10.5 % 3", "1.5"),
        ("'10.5' % 3", "1.5"),
        ("1.0 % 0", "NaN"),
        ("(-9223372036854775807 - 1) % -1", "0"),
        ("2 * KB", "2048"),
        ("10 * GB", "10737418240"),
        ("- - 1", "1"),
        ("--1", "1"),
        ("1 - -1", "2"),
        ("1--1", "2"),
    ]);
    let error = failure("${1 % 0}");
    assert_eq!(error.kind, ElErrorKind::Arithmetic);
    assert_eq!(error.message, "`1 % 0` divides by zero");
}

#[test]
fn equality_takes_the_widest_type() {
    check_expressions(&[
        ("null == null", "true"),
        ("null == ''", "false"),
        ("null != 1", "true"),
        ("1 == 1.0", "true"),
        ("'1' == 1", "true"),
        ("'1.5' == 1.5", "true"),
        ("'' == 0", "true"),
        ("true == 'TRUE'", "true"),
        ("true == 'x'", "false"),
        ("false eq 'x'", "true"),
        ("'a' == 'a'", "true"),
        ("'a' ne 'A'", "true"),
        ("0 / 0 == 0 / 0", "false"),
        ("wf:actionData('shell') == wf:actionData('shell')", "true"),
        ("wf:actionData('shell') == wf:actionData('none')", "false"),
        ("wf:actionData('none') == '{}'", "true"),
        ("a == b", "false"),
    ]);
    let error = failure("${'abc' == 1}");
    assert_eq!(error.kind, ElErrorKind::Coercion);
    assert_eq!(
        error.message,
        "expected a whole number, found the text `abc` as operand of `==`"
    );
}

#[test]
fn order_is_numeric_only_with_a_number() {
    check_expressions(&[
        ("'10' < '9'", "true"),
        ("10 < 9", "false"),
        ("'10' < 9", "false"),
        ("10 gt 9", "true"),
        ("1 le 1", "true"),
        ("1 ge 2", "false"),
        ("1 lt 1.5", "true"),
        ("wf:actionData('shell')['n'] > '9'", "false"),
        ("wf:actionData('shell')['n'] > 9", "true"),
        ("null < 1", "false"),
        ("1 > null", "false"),
        ("null <= 1", "false"),
        ("null <= null", "true"),
        ("null >= null", "true"),
        ("null < null", "false"),
        ("false < true", "true"),
        ("true <= true", "true"),
        ("true < 'z'", "true"),
        ("0 / 0 <= 1", "false"),
        ("0 / 0 >= 1", "false"),
        ("'a' < 'b'", "true"),
        ("'a' <= 'a'", "true"),
        // In Java's UTF-16, the emoji is less than the full-width tilde.
        ("'\u{1F600}' < '\u{FF5E}'", "true"),
    ]);
    assert_eq!(
        failure("${wf:actionData('shell') < true}").message,
        "cannot compare a map with `a.b`, `k`, `n`, `path` `<` `true`"
    );
}

#[test]
fn precedence_is_that_of_the_grammar() {
    check_expressions(&[
        ("1 + 1 == 2 && 2 < 3", "true"),
        ("true || false && false", "true"),
        ("(true || false) && false", "false"),
        ("1 < 2 == true", "true"),
        ("not true == false", "true"),
        ("not (true == true)", "false"),
        ("empty '' && true", "true"),
        ("-2 * -3", "6"),
        ("!empty 'x'", "true"),
        ("empty -1", "false"),
        ("8 / 4 / 2", "1.0"),
        ("8 - 4 + 2", "6"),
        ("3 > 2 > 'a'", "true"),
        ("true ? 1 : false ? 2 : 3", "1"),
        ("false ? 1 : false ? 2 : 3", "3"),
        ("true ? false ? 1 : 2 : 3", "2"),
        ("(true ? 1 : 2) + 1", "2"),
        ("true ? 1 : 2 + 1", "1"),
        ("false or true ? 'x' : 'y'", "x"),
        ("true ? a : b", "1"),
        ("true ? a:b", "1"),
        ("false ? a : wf:id()", "0000001-261120093000123-hpdl-W"),
        ("false ? (a) : trim(' t ')", "t"),
    ]);
}

#[test]
fn what_is_not_needed_is_not_evaluated() {
    check_expressions(&[
        ("false && unknown", "false"),
        ("true || unknown", "true"),
        ("true || wf:nope()", "true"),
        ("true ? 1 : unknown", "1"),
        ("false ? unknown : 2", "2"),
        ("null[unknown]", ""),
        ("false and (1 % 0 == 0)", "false"),
    ]);
    for expression in [
        "${true && unknown}",
        "${empty unknown}",
        "${unknown == null}",
    ] {
        assert_eq!(
            failure_kind(expression),
            ElErrorKind::UndefinedVariable {
                name: "unknown".to_owned()
            }
        );
    }
}

#[test]
fn empty_is_null_empty_text_and_empty_map() {
    check_expressions(&[
        ("empty null", "true"),
        ("empty ''", "true"),
        ("empty ' '", "false"),
        ("empty blank", "false"),
        ("empty empty_text", "true"),
        ("empty nothing", "true"),
        ("empty 0", "false"),
        ("empty false", "false"),
        ("empty wf:actionData('none')", "true"),
        ("empty wf:actionData('shell')", "false"),
        ("empty wf:conf('none')", "true"),
    ]);
}

#[test]
fn maps_are_read_by_name() {
    check_expressions(&[
        ("wf:actionData('shell')['k']", "v"),
        ("wf:actionData('shell').k", "v"),
        ("wf:actionData('shell')['a.b']", "dotted"),
        ("wf:actionData('shell')['none']", ""),
        ("wf:actionData('shell').none == null", "true"),
        ("wf:actionData('shell')[null] == null", "true"),
        ("wf:actionData('shell')[1] == null", "true"),
        ("wf:actionData('shell').a.b", ""),
        (
            "wf:actionData('shell').none.deeper['still'] == null",
            "true",
        ),
        ("null.x == null", "true"),
        ("null['x'] == null", "true"),
        ("wf:actionData ( 'shell' ) [ 'k' ]", "v"),
    ]);
    assert_eq!(
        failure("${wf:actionData('shell').k.x}").message,
        "expected a map before `.x`, found the text `v`"
    );
    assert_eq!(
        failure("${'abc'['x']}").message,
        "expected a map before `[x]`, found the text `abc`"
    );
    assert_eq!(failure_kind("${1['x']}"), ElErrorKind::Coercion);
}

#[test]
fn undefined_variable_with_dots_or_hyphens_names_the_property() {
    let vectors = [
        ("${x}", "variable `x` cannot be resolved"),
        (
            "${my.prop}",
            "variable `my` cannot be resolved; property `my.prop` is written `wf:conf('my.prop')`",
        ),
        (
            "${oozie.wf.application.path}",
            "variable `oozie` cannot be resolved; \
             property `oozie.wf.application.path` is written `wf:conf('oozie.wf.application.path')`",
        ),
        (
            "${a-x}",
            "variable `x` cannot be resolved; property `a-x` is written `wf:conf('a-x')`",
        ),
        (
            "${my-prop.name-1}",
            "variable `my` cannot be resolved; \
             property `my-prop.name-1` is written `wf:conf('my-prop.name-1')`",
        ),
        (
            "${concat(my.prop, '/x')}",
            "variable `my` cannot be resolved; property `my.prop` is written `wf:conf('my.prop')`",
        ),
        ("${x + 1}", "variable `x` cannot be resolved"),
    ];
    for (template, expected) in vectors {
        assert_eq!(failure(template).to_string(), expected, "{template}");
    }
}

#[test]
fn errors_point_at_the_innermost_expression() {
    let vectors = [
        ("x ${a + (unknown)}", TextRange::new(9, 16)),
        ("${1 + (2 % 0)}", TextRange::new(7, 12)),
        ("${a}${'x' + 1}", TextRange::new(6, 13)),
        ("${concat('x', nope('y'))}", TextRange::new(14, 23)),
    ];
    for (template, expected) in vectors {
        assert_eq!(failure(template).range, Some(expected), "{template}");
    }
}

#[test]
fn plus_with_texts_points_to_concat() {
    assert_eq!(
        failure("${'a' + 'b'}").to_string(),
        "expected a whole number, found the text `a` as operand of `+`; \
         `+` adds numbers only; `concat(a, b)` joins texts"
    );
}
