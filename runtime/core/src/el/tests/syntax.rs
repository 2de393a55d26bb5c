//! What the parser refuses, and its messages.

use hpdlc_tests::cases;

use crate::el::parser::parse_template;

fn shown(template: &str) -> String {
    match parse_template(template) {
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
    }
}

#[test]
fn templates() {
    cases::check("runtime/core/src/el/tests/syntax.txt", |case| {
        shown(&case.given)
    });
}

#[test]
fn a_character_that_is_not_seen_is_named() {
    assert_eq!(
        shown("${a\u{c}}"),
        r"3..4: expected an expression, found the character `\u{c}`"
    );
}
