use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
    syntax::xml::OOZIE_CODES,
};

pub(super) static CODE: Code = Code {
    id: "H0113",
    name: "duplicate_attribute",
    level: Level::Error,
    oozie: OOZIE_CODES,
    explanation: include_str!("duplicate_attribute.md"),
};

/// An attribute that stands twice in a tag.
pub(super) struct DuplicateAttribute {
    pub(super) name: String,
    /// The name of the second one.
    pub(super) span: Span,
    /// The name of the first one.
    pub(super) first: Span,
}

impl IntoDiagnostic for DuplicateAttribute {
    fn into_diagnostic(self) -> Diagnostic {
        let DuplicateAttribute { name, span, first } = self;
        Diagnostic::new(&CODE, span, format!("duplicate attribute `{name}`"))
            .label(span, "given again here")
            .label(first, "first given here")
            .help("remove one of the two")
    }
}
