use crate::{
    diagnostics::{Applicability, Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
    syntax::xml::OOZIE_CODES,
};

pub(super) static CODE: Code = Code {
    id: "H0120",
    name: "unescaped_markup",
    level: Level::Error,
    oozie: OOZIE_CODES,
    explanation: include_str!("unescaped_markup.md"),
};

/// Characters of markup where only text may stand.
pub(super) struct UnescapedMarkup {
    pub(super) markup: StrayMarkup,
    pub(super) span: Span,
}

/// Which characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StrayMarkup {
    /// `<` in an attribute value.
    LessThan,
    /// `]]>` in text.
    CDataEnd,
}

impl IntoDiagnostic for UnescapedMarkup {
    fn into_diagnostic(self) -> Diagnostic {
        let UnescapedMarkup { markup, span } = self;
        match markup {
            StrayMarkup::LessThan => {
                Diagnostic::new(&CODE, span, "unescaped `<` in an attribute value")
                    .label(span, "`<` starts a tag in XML")
                    .suggest(
                        span,
                        "a `<` is written as `&lt;`",
                        "&lt;",
                        Applicability::MachineApplicable,
                    )
            }
            StrayMarkup::CDataEnd => Diagnostic::new(&CODE, span, "unescaped `]]>` in text")
                .label(span, "`]]>` ends a CDATA section, and none is open here")
                .suggest(
                    span,
                    "after `]]`, a `>` is written as `&gt;`",
                    "]]&gt;",
                    Applicability::MachineApplicable,
                ),
        }
    }
}
