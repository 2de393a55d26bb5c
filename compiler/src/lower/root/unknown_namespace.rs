use crate::{
    diagnostics::{Applicability, Diagnostic, code, message, nearest},
    lower::{check::listed, schema::Vocabulary},
    source::Spanned,
};

code!("H0202", unknown_namespace, ["E0701"]);

/// The root is in a namespace that is no version of its schema.
pub(crate) struct UnknownNamespace {
    /// At the value of the declaration.
    pub(crate) namespace: Spanned<String>,
    pub(crate) language: &'static Vocabulary,
}

message!(UnknownNamespace, |namespace, language| {
    let kind = language.kind();
    let known = language.namespaces();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let diagnostic = Diagnostic::new(
        &CODE,
        namespace.span,
        format!("unknown namespace `{}`", namespace.value),
    )
    .label(namespace.span, format!("not a {kind} schema"))
    .note(format!("the namespaces of {kind}s are {}", listed(&known)));
    // Versions differ by a digit, so all are similar; the newest allows what any of them does.
    let suggestion = if namespace.value.starts_with(language.prefix) {
        known
            .last()
            .map(|newest| ("the newest version is", *newest))
    } else {
        nearest(&namespace.value, known).map(|similar| ("there is a similar namespace", similar))
    };
    match suggestion {
        Some((message, replacement)) => diagnostic.suggest(
            namespace.span,
            message,
            replacement,
            Applicability::MaybeIncorrect,
        ),
        None => diagnostic,
    }
});
