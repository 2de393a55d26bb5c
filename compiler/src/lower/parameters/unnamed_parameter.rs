use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0221", unnamed_parameter, ["E0739"]);

/// A declared property with an empty name.
pub(crate) struct UnnamedParameter {
    /// The `name` element.
    pub(crate) name: Span,
}

message!(UnnamedParameter, |name| {
    Diagnostic::new(&CODE, name, "a parameter without a name").label(name, "is empty")
});
