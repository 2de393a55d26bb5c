use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Allow, rust_actions, ["E0723"]);

/// An action that calls a Rust function, or is of a type of an extension: Oozie has no such types.
pub(crate) struct RustAction {
    pub(crate) action: String,
    /// The name in the body's start tag.
    pub(crate) place: Span,
    /// The extension that defines the type, if it is not `rust`.
    pub(crate) extension: Option<String>,
}

message!(RustAction, |action, place, extension| {
    let does = match &extension {
        Some(extension) => {
            format!("is of a type of the extension `{extension}`, which Oozie does not have")
        }
        None => "calls a Rust function, which Oozie cannot".to_owned(),
    };
    Diagnostic::new(&LINT, place, format!("action `{action}` {does}"))
        .label(place, "Oozie has no action of this type")
        .help("for Oozie, have a `shell` action run a program that does the same")
});
