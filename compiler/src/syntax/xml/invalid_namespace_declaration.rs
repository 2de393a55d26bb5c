use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
    syntax::xml::MAX_DECLARATIONS,
};

code!(
    "H0119",
    invalid_namespace_declaration,
    ["E0700", "E0701", "E0803"]
);

/// An invalid namespace declaration.
pub(super) struct InvalidNamespaceDeclaration {
    pub(super) fault: NamespaceFault,
    /// The value; for a reserved prefix, the name of the attribute.
    pub(super) span: Span,
}

/// What is wrong with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NamespaceFault {
    /// A prefix with an empty namespace.
    Empty,
    /// The prefix `xmlns`, or `xml` with another namespace than its own.
    ReservedPrefix,
    /// The namespace of `xml` or of `xmlns` for another prefix.
    ReservedNamespace,
    /// More than [`MAX_DECLARATIONS`](super::MAX_DECLARATIONS) at once.
    TooMany,
}

message!(InvalidNamespaceDeclaration, |fault, span| {
    match fault {
        NamespaceFault::Empty => {
            Diagnostic::new(&CODE, span, "prefix declared without a namespace")
                .label(span, "expected a namespace")
                .help("give the namespace, or remove the declaration")
        }
        NamespaceFault::ReservedPrefix => {
            Diagnostic::new(&CODE, span, "declaration of a reserved prefix")
                .label(span, "`xml` and `xmlns` have their meaning from XML itself")
                .help("choose another prefix")
        }
        NamespaceFault::ReservedNamespace => {
            Diagnostic::new(&CODE, span, "declaration of a reserved namespace")
                .label(span, "this namespace belongs to XML itself")
                .help("remove the declaration")
        }
        NamespaceFault::TooMany => Diagnostic::new(&CODE, span, "too many namespace declarations")
            .label(
                span,
                format!("more than {MAX_DECLARATIONS} are in scope here"),
            )
            .help("remove the declarations that nothing uses"),
    }
});
