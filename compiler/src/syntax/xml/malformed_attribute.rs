use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    source::Span,
};

code!("H0112", malformed_attribute, ["E0700", "E0701", "E0803"]);

/// An attribute that is not written as `name="value"`.
pub(super) struct MalformedAttribute<'a> {
    pub(super) fault: AttributeFault<'a>,
    pub(super) span: Span,
}

/// What is wrong with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AttributeFault<'a> {
    /// A name without a value; the place is the name.
    NoValue(&'a str),
    /// A value without quotes; the place is the value.
    NoQuotes(&'a str),
    /// No blank before a name; the place is the name.
    NoSpace(&'a str),
    /// A character that cannot start a name; the place is that character.
    Unexpected(char),
    /// A quote whose closing quote seems to be the start of another value; the place is the quote.
    NoClosingQuote(char),
}

/// The quotes that word processors insert.
pub(super) const TYPOGRAPHIC_QUOTES: [char; 7] = [
    '\u{201c}', '\u{201d}', '\u{201e}', '\u{2018}', '\u{2019}', '\u{ab}', '\u{bb}',
];

message!(MalformedAttribute<'_>, |fault, span| {
    match fault {
        AttributeFault::NoValue(name) => {
            Diagnostic::new(&CODE, span, format!("attribute `{name}` without a value"))
                .label(span, "expected `=` and a value in quotes")
                .suggest(
                    span.at_end(),
                    "every attribute has a value",
                    "=\"...\"",
                    Applicability::HasPlaceholders,
                )
        }
        AttributeFault::NoQuotes(value) if value.starts_with(TYPOGRAPHIC_QUOTES) => {
            let inside = value.trim_matches(TYPOGRAPHIC_QUOTES);
            let diagnostic =
                Diagnostic::new(&CODE, span, "typographic quotes around an attribute value")
                    .label(span, "XML knows `\"` and `'` only");
            // Without its closing quote, it is unclear where the value ends.
            if value.ends_with(TYPOGRAPHIC_QUOTES) && !inside.is_empty() {
                diagnostic.suggest(
                    span,
                    "a value must be quoted",
                    format!("\"{inside}\""),
                    Applicability::MachineApplicable,
                )
            } else {
                diagnostic.help("replace them by `\"`")
            }
        }
        AttributeFault::NoQuotes(value) => {
            Diagnostic::new(&CODE, span, "attribute value without quotes")
                .label(span, "expected a quote")
                .suggest(
                    span,
                    "a value must be quoted",
                    format!("\"{value}\""),
                    Applicability::MaybeIncorrect,
                )
        }
        AttributeFault::NoSpace(name) => {
            Diagnostic::new(&CODE, span, format!("no blank before attribute `{name}`"))
                .label(span, "expected a blank")
                .suggest(
                    span.at_start(),
                    "attributes are separated by blanks",
                    " ",
                    Applicability::MachineApplicable,
                )
        }
        AttributeFault::Unexpected('<') => Diagnostic::new(&CODE, span, "unclosed tag")
            .label(span, "another tag starts before the `>` of this one")
            .help("close the tag with `>`"),
        AttributeFault::Unexpected(c) => Diagnostic::new(
            &CODE,
            span,
            format!("unexpected `{}` in a tag", c.escape_debug()),
        )
        .label(span, "expected an attribute or the end of the tag")
        .help("write attributes as `name=\"value\"`"),
        AttributeFault::NoClosingQuote(quote) => {
            Diagnostic::new(&CODE, span, "unclosed attribute value")
                .label(span, "the value that starts here runs into other markup")
                .help(format!("close the value with `{quote}`"))
        }
    }
});
