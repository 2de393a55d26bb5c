use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, unshipped_scripts);

/// A script that an action runs and does not ship.
pub(crate) struct UnshippedScript {
    pub(crate) name: String,
    pub(crate) place: Span,
    /// A file of a nearly equal name, and its place.
    pub(crate) similar: Option<(String, Span)>,
}

message!(UnshippedScript, |name, place, similar| {
    let diagnostic = Diagnostic::new(&LINT, place, format!("script `{name}` is not shipped"))
        .label(
            place,
            "no `file` has this name, and `lib` does not contain it",
        );
    let diagnostic = match similar {
        Some((similar, place)) => diagnostic.label(place, format!("is called `{similar}`")),
        None => diagnostic,
    };
    diagnostic
        .note("an action runs in a folder of its own, on any machine of the cluster")
        .help_xml(format!("ship it: `<file>{name}</file>`"))
});
