use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    source::Span,
};

code!("H0120", unescaped_markup, ["E0700", "E0701", "E0803"]);

/// Markup characters where only text is allowed.
pub(super) struct UnescapedMarkup {
    pub(super) markup: StrayMarkup,
    pub(super) span: Span,
}

/// The characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StrayMarkup {
    /// `<` in an attribute value.
    LessThan,
    /// `]]>` in text.
    CDataEnd,
}

message!(UnescapedMarkup, |markup, span| {
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
});
