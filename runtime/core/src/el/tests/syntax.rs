//! What the parser refuses, and in which words.

use expect_test::{Expect, expect};

use crate::el::parser::parse_template;

#[track_caller]
fn check(template: &str, expected: Expect) {
    let found = match parse_template(template) {
        Ok(parsed) => format!("parsed: {parsed}"),
        Err(error) => {
            let help = error.help.map(|help| format!("\nhelp: {help}"));
            format!(
                "{}..{}: {}{}",
                error.range.start,
                error.range.end,
                error.message,
                help.unwrap_or_default()
            )
        }
    };
    expected.assert_eq(&found);
}

#[test]
fn empty_and_unterminated_expressions() {
    check(
        "${}",
        expect![[r#"
        2..3: expected an expression, found `}`
        help: a literal `${` is written `${'${'}`"#]],
    );
    check(
        "a${ ",
        expect![[r#"
        1..4: expected a value, found the end of the value
        help: a literal `${` is written `${'${'}`"#]],
    );
    check(
        "a${x",
        expect![[r#"
        1..4: expected `}` or an operator, found the end of the value
        help: a literal `${` is written `${'${'}`"#]],
    );
    check(
        "${x y}",
        expect!["4..5: expected `}` or an operator, found `y`"],
    );
    check(
        "${'abc}",
        expect!["2..7: expected `'` at the end of the quoted text, found the end of the value"],
    );
    check(
        "${concat('a'}",
        expect!["12..13: expected `,` or `)`, found `}`"],
    );
    check("${m['a'}", expect!["7..8: expected `]`, found `}`"]);
    check("${(1}", expect!["4..5: expected `)`, found `}`"]);
    check("${1 +}", expect!["5..6: expected a value, found `}`"]);
    check(
        "${concat('a',)}",
        expect!["13..14: expected a value, found `)`"],
    );
    check("${x ? 1}", expect!["7..8: expected `:`, found `}`"]);
}

#[test]
fn bad_tokens() {
    check(
        r"${'a\n'}",
        expect![[r#"
            4..6: expected `\\` or `\'`, found `\n`
            help: a backslash itself is written `\\`"#]],
    );
    check(
        r#"${'a\"'}"#,
        expect![[r#"
        4..6: expected `\\` or `\'`, found `\"`
        help: between ' a " needs no backslash"#]],
    );
    check(
        r"${'a\",
        expect!["2..5: expected `'` at the end of the quoted text, found the end of the value"],
    );
    check(
        "${9223372036854775808}",
        expect!["2..21: expected a number up to 9223372036854775807, found `9223372036854775808`"],
    );
    check(
        "${a & b}",
        expect![[r#"
        4..5: expected `&&`, found `&`
        help: `and` is the same operator"#]],
    );
    check(
        "${a | b}",
        expect![[r#"
        4..5: expected `||`, found `|`
        help: `or` is the same operator"#]],
    );
    check(
        "${a &lt; b}",
        expect![[r#"
        4..8: expected an operator, found `&lt;`
        help: the text was escaped for XML once too often; `lt`, `gt`, `le`, `ge`, and `and` need no escaping"#]],
    );
    check(
        "${a @ b}",
        expect!["4..5: expected an expression, found the character `@`"],
    );
    check(
        "${a\u{c}}",
        expect![[r#"3..4: expected an expression, found the character `\u{c}`"#]],
    );
    check(
        "${1x}",
        expect!["3..4: expected `}` or an operator, found `x`"],
    );
    check(
        "${1e}",
        expect!["3..4: expected `}` or an operator, found `e`"],
    );
    check(
        "${0x10}",
        expect!["3..6: expected `}` or an operator, found `x10`"],
    );
    check(
        "${x:-default}",
        expect![[r#"
            3..4: expected `}` or an operator, found `:`
            help: functions are called with parentheses, as in `wf:id()`; a literal `${` is written `${'${'}`"#]],
    );
    check("${!}", expect!["3..4: expected a value, found `}`"]);
    check(
        "${m.empty}",
        expect![[r#"
        4..9: expected a name after `.`, found `empty`
        help: `empty` is reserved; write `['empty']`"#]],
    );
    check(
        "${m.1}",
        expect!["3..5: expected `}` or an operator, found `.1`"],
    );
    check("${and}", expect!["2..5: expected a value, found `and`"]);
    check(
        "${'a' 'b'}",
        expect![[r#"
        6..9: expected `}` or an operator, found `'b'`
        help: `concat(a, b)` joins texts"#]],
    );
    check(
        "${${a}}",
        expect![[r#"
            3..4: expected a value, found `{`
            help: inside of `${...}` a property needs no `${` of its own; a literal `${` is written `${'${'}`"#]],
    );
}

#[test]
fn later_versions_of_the_language() {
    check(
        "${a += b}",
        expect![[r#"
        4..6: `+=` is not an operator of the expression language
        help: `concat(a, b)` joins texts"#]],
    );
    check(
        "${a; b}",
        expect![[r#"
        3..4: `;` is not an operator of the expression language
        help: one `${...}` holds one expression"#]],
    );
    check(
        "${x -> x + 1}",
        expect!["4..6: lambda expressions are not part of the expression language"],
    );
    check(
        "${a = 1}",
        expect![[r#"
        4..5: assignments are not part of the expression language
        help: `==` or `eq` compares"#]],
    );
    check(
        "${a.length()}",
        expect![[r#"
        10..11: method calls are not part of the expression language
        help: functions are written `name(...)` or `prefix:name(...)`"#]],
    );
    check(
        "${m['f']()}",
        expect![[r#"
        8..9: method calls are not part of the expression language
        help: functions are written `name(...)` or `prefix:name(...)`"#]],
    );
    check(
        "${[1, 2]}",
        expect![[r#"
        2..3: expected a value, found `[`
        help: lists are not part of the expression language"#]],
    );
    check(
        "${{'a': 1}}",
        expect![[r#"
            2..3: expected a value, found `{`
            help: inside of `${...}` a property needs no `${` of its own; a literal `${` is written `${'${'}`"#]],
    );
    check(
        "${(a)(1)}",
        expect![[r#"
        5..6: method calls are not part of the expression language
        help: functions are written `name(...)` or `prefix:name(...)`"#]],
    );
}

#[test]
fn name_before_a_function_is_its_prefix() {
    check(
        "${x ? a : trim(b)}",
        expect![[r#"
        17..18: expected `:`, found `}`
        help: `a:trim(...)` was read as a function; in a conditional, write `(a) : trim(...)`"#]],
    );
    check(
        "${x ? 1 + a : trim(b)}",
        expect![[r#"
        21..22: expected `:`, found `}`
        help: `a:trim(...)` was read as a function; in a conditional, write `(a) : trim(...)`"#]],
    );
}
