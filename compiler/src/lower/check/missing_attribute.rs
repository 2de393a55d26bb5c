use crate::{
    diagnostics::{Applicability, Code, Diagnostic, IntoDiagnostic, Level},
    source::{Span, Spanned},
};

pub(crate) static CODE: Code = Code {
    id: "H0217",
    name: "missing_attribute",
    level: Level::Error,
    oozie: &["E0701"],
    explanation: include_str!("missing_attribute.md"),
};

/// An element lacks an attribute that the schema asks for.
pub(crate) struct MissingAttribute {
    pub(crate) parent: Spanned<String>,
    pub(crate) name: &'static str,
    /// Behind the last attribute.
    pub(crate) insertion: Span,
}

impl IntoDiagnostic for MissingAttribute {
    fn into_diagnostic(self) -> Diagnostic {
        let MissingAttribute {
            parent,
            name,
            insertion,
        } = self;
        Diagnostic::new(
            &CODE,
            parent.span,
            format!(
                "missing `{name}` attribute on the `{}` element",
                parent.value
            ),
        )
        .label(parent.span, format!("needs `{name}`"))
        .suggest(
            insertion,
            "it can be inserted here",
            format!(" {name}=\"…\""),
            Applicability::HasPlaceholders,
        )
    }
}
