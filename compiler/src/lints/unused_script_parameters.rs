use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, unused_script_parameters);

/// A `param` that the script in the folder does not use.
pub(crate) struct UnusedScriptParameter {
    pub(crate) name: String,
    /// The name in the `param`.
    pub(crate) place: Span,
    pub(crate) script: String,
    /// A parameter that the script uses, with nearly the same name.
    pub(crate) similar: Option<String>,
}

message!(UnusedScriptParameter, |name, place, script, similar| {
    let diagnostic = Diagnostic::new(
        &LINT,
        place,
        format!("`{script}` does not use parameter `{name}`"),
    )
    .label(place, "given to the script");
    match similar {
        Some(similar) => diagnostic.suggest(
            place,
            format!("the script uses `{similar}`"),
            similar,
            Applicability::MaybeIncorrect,
        ),
        None => diagnostic,
    }
});
