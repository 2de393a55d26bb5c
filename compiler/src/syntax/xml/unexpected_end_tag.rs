use crate::{
    diagnostics::{Applicability, Diagnostic, code, message, nearest},
    source::Span,
};

code!("H0109", unexpected_end_tag, ["E0700", "E0701", "E0803"]);

/// An end tag without a matching open element.
pub(super) struct UnexpectedEndTag<'a> {
    pub(super) name: &'a str,
    /// The name in the end tag.
    pub(super) span: Span,
    /// The innermost open element: its name, and the span of the name in its start tag.
    pub(super) open: Option<(&'a str, Span)>,
}

message!(UnexpectedEndTag<'_>, |name, span, open| {
    let diagnostic = Diagnostic::new(&CODE, span, format!("unexpected end tag `{name}`"));
    match open {
        Some((expected, opening)) => {
            let diagnostic = diagnostic
                .label(span, format!("expected the end of `{expected}`"))
                .label(opening, "opened here");
            let is_lower = |name: &str| !name.contains(|c: char| c.is_ascii_uppercase());
            let is_same = name.eq_ignore_ascii_case(expected);
            // All names of Oozie are in lower case.
            if is_same && is_lower(name) {
                return diagnostic.suggest(
                    opening,
                    "the names of elements are in lower case",
                    name,
                    Applicability::MachineApplicable,
                );
            }
            let diagnostic = diagnostic.suggest(
                span,
                "an end tag has the name of the element that it ends",
                expected,
                if is_same {
                    Applicability::MachineApplicable
                } else {
                    Applicability::MaybeIncorrect
                },
            );
            if is_same || nearest(name, [expected]).is_none() {
                return diagnostic;
            }
            diagnostic.suggest(
                opening,
                "or the start tag is the one that is misspelled",
                name,
                Applicability::MaybeIncorrect,
            )
        }
        None => diagnostic
            .label(span, "no element is open here")
            .help("remove the end tag"),
    }
});
