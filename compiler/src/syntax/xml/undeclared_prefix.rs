use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    source::Span,
};

code!("H0118", undeclared_prefix, ["E0700", "E0701", "E0803"]);

/// A prefix without a namespace declaration in scope.
pub(super) struct UndeclaredPrefix<'a> {
    pub(super) prefix: &'a str,
    pub(super) span: Span,
    /// After the name of the element, where a declaration can be inserted.
    pub(super) insertion: Span,
}

message!(UndeclaredPrefix<'_>, |prefix, span, insertion| {
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
});
