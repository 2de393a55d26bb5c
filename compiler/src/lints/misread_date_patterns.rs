use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, misread_date_patterns);

/// Letters of a date pattern that mean something else than they seem to.
pub(crate) struct MisreadDatePattern {
    pub(crate) place: Span,
    /// Such as `mm`.
    pub(crate) letters: &'static str,
    /// What it is, and what it probably should be.
    pub(crate) meaning: &'static str,
    pub(crate) meant: &'static str,
    /// With its quotes.
    pub(crate) fixed: String,
}

message!(MisreadDatePattern, |place,
                              letters,
                              meaning,
                              meant,
                              fixed| {
    Diagnostic::new(&LINT, place, format!("`{letters}` is {meaning}"))
        .label(place, format!("{meaning}, where {meant} seems to be meant"))
        .suggest(
            place,
            "upper and lower case differ in date patterns",
            fixed,
            Applicability::MaybeIncorrect,
        )
});
