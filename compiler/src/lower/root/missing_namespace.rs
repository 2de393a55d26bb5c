use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    lower::schema::Vocabulary,
    source::{Span, Spanned},
};

code!("H0203", missing_namespace, ["E0701"]);

/// The root is in no namespace, so its schema version is unknown.
pub(crate) struct MissingNamespace {
    pub(crate) name: Spanned<String>,
    pub(crate) insertion: Span,
    pub(crate) language: &'static Vocabulary,
}

message!(MissingNamespace, |name, insertion, language| {
    Diagnostic::new(
        &CODE,
        name.span,
        format!("the `{}` element has no namespace", name.value),
    )
    .label(name.span, "needs `xmlns`, which says the schema's version")
    .suggest(
        insertion,
        "it can be inserted here",
        format!(" xmlns=\"{}{}\"", language.prefix, language.newest()),
        Applicability::MaybeIncorrect,
    )
});
