use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Allow, rust_actions, ["E0723"]);

/// An action that calls a Rust function, which Oozie has no type for.
pub(crate) struct RustAction {
    pub(crate) action: String,
    /// The name in the body's start tag.
    pub(crate) place: Span,
}

message!(RustAction, |action, place| {
    Diagnostic::new(
        &LINT,
        place,
        format!("action `{action}` calls a Rust function, which Oozie cannot"),
    )
    .label(place, "Oozie has no action of this type")
    .help("for Oozie, have a `shell` action run a program that does the same")
});
