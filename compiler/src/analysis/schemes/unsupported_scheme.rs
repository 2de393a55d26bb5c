use hpdlc_core::file_systems;

use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0812", unsupported_scheme);

/// A path of an unsupported file system.
pub(super) struct UnsupportedScheme {
    pub(super) scheme: String,
    /// The scheme alone.
    pub(super) place: Span,
}

message!(UnsupportedScheme, |scheme, place| {
    Diagnostic::new(
        &CODE,
        place,
        format!("paths of scheme `{scheme}` are not supported"),
    )
    .label(place, "no program reaches them")
    .note(format!(
        "`file`, `{}` are known",
        file_systems::REMOTE_SCHEMES.join("`, `")
    ))
});
