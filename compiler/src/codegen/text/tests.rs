//! The representation of texts in the table.

use hpdlc_core::el::parser::parse_template;

use super::*;

#[test]
fn texts_of_properties_follow_from_their_parts() {
    for (source, expected) in [
        ("", Some(SimpleText::Text(""))),
        ("a $b {c}", Some(SimpleText::Text("a $b {c}"))),
        ("${a}", Some(SimpleText::Property("a"))),
        ("x${a}", Some(SimpleText::Around("x", "a", ""))),
        ("${a}/é", Some(SimpleText::Around("", "a", "/é"))),
        (
            "${a}/${b}${c}.",
            Some(SimpleText::Join(
                vec![("", "a"), ("/", "b"), ("", "c")],
                ".",
            )),
        ),
        // A different spelling, constants, other expressions.
        ("${ a }", None),
        ("${(a)}", None),
        ("${MB}", None),
        ("${1}", None),
        ("${a.b}", None),
        ("${a}${wf:id()}", None),
    ] {
        let ast = parse_template(source).expect("it parses");
        assert_eq!(SimpleText::of(&ast, source), expected, "{source}");
    }
}

/// The form of a part.
fn form(part: &PartExpr<'_>) -> &'static str {
    match part {
        PartExpr::Text(_) => "text",
        PartExpr::Constant(_) => "constant",
        PartExpr::Property(_) => "property",
        PartExpr::Call(..) | PartExpr::OwnCall(..) => "call",
        PartExpr::Entry(_) | PartExpr::Member(..) | PartExpr::Captured(..) => "entry",
        PartExpr::Code(_) => "code",
    }
}

#[test]
fn only_operators_and_what_a_path_would_read_otherwise_are_not_data() {
    for (source, expected) in [
        ("a ${b}", "text property"),
        ("${a + 1}/${b}", "code text property"),
        ("${concat(a, b ? 1 : 2)}", "call"),
        ("${(a ? b : c)['k']}", "entry"),
        ("${wf:actionData('a')['k']}", "entry"),
        ("${10 * KB}${null}${'x'}", "constant constant constant"),
        ("${wf:conf('/a')}", "call"),
        ("${acme:bucket(b, 1)}", "call"),
        ("${concat('/a', concat('/', 'b'))}", "constant"),
        // The value of an expression may be a lost part, a text of the author's is not.
        ("/a/${''}", "text code"),
        ("/a/${'/b'}", "text code"),
        ("/a/${trim(' ')}", "text call"),
        ("${concat('/a/', trim(' '))}", "call"),
    ] {
        let ast = parse_template(source).expect("it parses");
        let forms: Vec<&str> = parts::of(&ast, source).iter().map(form).collect();
        assert_eq!(forms.join(" "), expected, "{source}");
    }
}
