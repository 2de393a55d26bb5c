use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, misspelt_constants);

/// A property whose name is `true`, `false` or `null` in other letters.
pub(crate) struct MisspeltConstant {
    pub(crate) place: Span,
    pub(crate) written: String,
    /// In lower case.
    pub(crate) constant: String,
}

message!(MisspeltConstant, |place, written, constant| {
    Diagnostic::new(&LINT, place, format!("`{written}` is read as a property"))
        .label(place, "the name of a property")
        .suggest(
            place,
            format!("the constant is `{constant}`, in lower case"),
            constant,
            Applicability::MaybeIncorrect,
        )
});
