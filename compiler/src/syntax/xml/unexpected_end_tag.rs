use crate::{
    diagnostics::{Applicability, Code, Diagnostic, IntoDiagnostic, Level, nearest},
    source::Span,
    syntax::xml::OOZIE_CODES,
};

pub(super) static CODE: Code = Code {
    id: "H0109",
    name: "unexpected_end_tag",
    level: Level::Error,
    oozie: OOZIE_CODES,
    explanation: include_str!("unexpected_end_tag.md"),
};

/// An end tag for which no element is open.
pub(super) struct UnexpectedEndTag<'a> {
    pub(super) name: &'a str,
    /// The name in the end tag.
    pub(super) span: Span,
    /// The innermost open element: its name, and the name's place in its start tag.
    pub(super) open: Option<(&'a str, Span)>,
}

impl IntoDiagnostic for UnexpectedEndTag<'_> {
    fn into_diagnostic(self) -> Diagnostic {
        let UnexpectedEndTag { name, span, open } = self;
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
    }
}
