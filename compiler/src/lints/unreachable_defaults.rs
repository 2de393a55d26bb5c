use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, unreachable_defaults);

/// The default of a decision in which always one of the cases is true.
pub(crate) struct UnreachableDefault {
    pub(crate) place: Span,
    pub(crate) target: String,
    /// The predicates that together are always true, with their targets.
    pub(crate) cases: Vec<(Span, String)>,
}

message!(UnreachableDefault, |place, target, cases| {
    let diagnostic = Diagnostic::new(
        &LINT,
        place,
        format!("the default `{target}` is never taken"),
    )
    .label(place, "one of the cases is true in every job");
    let last = cases.last().map(|(_, target)| target.clone());
    let diagnostic = cases.iter().fold(diagnostic, |diagnostic, (span, target)| {
        diagnostic.label(*span, format!("leads to `{target}`"))
    });
    match last.filter(|last| *last != target) {
        Some(last) => diagnostic.help_xml(format!(
            "make `{last}` the default, and take its case out: the schema demands a default"
        )),
        None => diagnostic,
    }
});
