use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, unused_script_parameters);

/// Parameters that no script of the workflow uses.
pub(crate) struct UnusedScriptParameter {
    /// That of the first.
    pub(crate) script: String,
    /// In document order: the names, and their first places.
    pub(crate) params: Vec<(String, Span)>,
    /// Of the first.
    pub(crate) place: Span,
}

/// How many places are labelled.
const MOST: usize = 5;

message!(UnusedScriptParameter, |script, params, place| {
    let message = match params.as_slice() {
        [(name, _)] => format!("`{script}` does not use parameter `{name}`"),
        params => format!("{} parameters are used by no script", params.len()),
    };
    let mut diagnostic = Diagnostic::new(&LINT, place, message);
    for (_, place) in params.iter().take(MOST) {
        diagnostic = diagnostic.label(*place, "given to the script");
    }
    diagnostic
});
