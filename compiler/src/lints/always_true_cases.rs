use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, always_true_cases);

/// A case that is taken in every job.
pub(crate) struct AlwaysTrueCase {
    pub(crate) place: Span,
    pub(crate) target: String,
    /// How many cases follow.
    pub(crate) n_later: usize,
}

message!(AlwaysTrueCase, |place, target, n_later| {
    let later = match n_later {
        0 => "the default is never taken".to_owned(),
        1 => "the case after it and the default are never taken".to_owned(),
        _ => format!("the {n_later} cases after it and the default are never taken"),
    };
    Diagnostic::new(&LINT, place, format!("case for `{target}` is always true"))
        .label(place, "does not depend on the job")
        .note(later)
});
