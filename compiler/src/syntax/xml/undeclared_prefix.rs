use crate::{
    diagnostics::{Applicability, Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
    syntax::xml::OOZIE_CODES,
};

pub(super) static CODE: Code = Code {
    id: "H0118",
    name: "undeclared_prefix",
    level: Level::Error,
    oozie: OOZIE_CODES,
    explanation: include_str!("undeclared_prefix.md"),
};

/// A prefix that no namespace declaration around it declares.
pub(super) struct UndeclaredPrefix<'a> {
    pub(super) prefix: &'a str,
    pub(super) span: Span,
    /// Behind the name of the element, where a declaration can be inserted.
    pub(super) insertion: Span,
}

impl IntoDiagnostic for UndeclaredPrefix<'_> {
    fn into_diagnostic(self) -> Diagnostic {
        let UndeclaredPrefix {
            prefix,
            span,
            insertion,
        } = self;
        let diagnostic = Diagnostic::new(
            &CODE,
            span,
            format!("undeclared namespace prefix `{prefix}`"),
        )
        .label(span, "no `xmlns` attribute here or further out declares it");
        let (namespace, applicability) = match prefix {
            "sla" => ("uri:oozie:sla:0.2", Applicability::MaybeIncorrect),
            _ => ("...", Applicability::HasPlaceholders),
        };
        diagnostic.suggest(
            insertion,
            "the element itself can declare it",
            format!(" xmlns:{prefix}=\"{namespace}\""),
            applicability,
        )
    }
}
