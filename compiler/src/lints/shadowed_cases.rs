use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, shadowed_cases);

/// A case that is true only if an earlier one is.
pub(crate) struct ShadowedCase {
    pub(crate) place: Span,
    pub(crate) target: String,
    /// The predicates of earlier cases, and their targets: whenever this one is true, one of them is.
    pub(crate) by: Vec<(Span, String)>,
}

message!(ShadowedCase, |place, target, by| {
    let mut diagnostic =
        Diagnostic::new(&LINT, place, format!("case for `{target}` is never taken"));
    let is_one = by.len() == 1;
    diagnostic = diagnostic.label(
        place,
        if is_one {
            "true only where the earlier case is"
        } else {
            "true only where one of the earlier cases is"
        },
    );
    for (span, earlier) in by {
        diagnostic = diagnostic.label(
            span,
            if is_one {
                format!("leads to `{earlier}` first")
            } else {
                format!("leads to `{earlier}` first in some of them")
            },
        );
    }
    diagnostic.help("put the narrower condition first, or take it out")
});
