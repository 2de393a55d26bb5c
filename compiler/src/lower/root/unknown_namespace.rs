use crate::{
    diagnostics::{Applicability, Code, Diagnostic, IntoDiagnostic, Level, nearest},
    lower::check::listed,
    model::WorkflowVersion,
    source::Spanned,
};

pub(crate) static CODE: Code = Code {
    id: "H0202",
    name: "unknown_namespace",
    level: Level::Error,
    oozie: &["E0701"],
    explanation: include_str!("unknown_namespace.md"),
};

/// What the namespaces of all versions begin with.
const PREFIX: &str = "uri:oozie:workflow:";

/// The root is in a namespace that no version of the workflow schema has.
pub(crate) struct UnknownNamespace {
    /// At the value of the declaration.
    pub(crate) namespace: Spanned<String>,
}

impl IntoDiagnostic for UnknownNamespace {
    fn into_diagnostic(self) -> Diagnostic {
        let UnknownNamespace { namespace } = self;
        let known: Vec<&str> = WorkflowVersion::ALL
            .into_iter()
            .map(WorkflowVersion::namespace)
            .collect();
        let diagnostic = Diagnostic::new(
            &CODE,
            namespace.span,
            format!("unknown namespace `{}`", namespace.value),
        )
        .label(namespace.span, "not a workflow schema")
        .note(format!(
            "the namespaces of workflows are {}",
            listed(&known)
        ));
        // Versions differ by a digit, so all are similar; the newest takes what any of them does.
        let suggestion = if namespace.value.starts_with(PREFIX) {
            known
                .last()
                .map(|newest| ("the newest version is", *newest))
        } else {
            nearest(&namespace.value, known)
                .map(|similar| ("there is a similar namespace", similar))
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
    }
}
