use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    source::Span,
};

code!("H0717", undefined_coordinator_function, ["E1004", "E1310"]);

/// A call of a function that is not defined for coordinators and bundles.
pub(super) struct UndefinedCoordinatorFunction {
    pub(super) place: Span,
    /// With its prefix.
    pub(super) name: String,
    pub(super) is_of_workflow: bool,
    pub(super) similar: Option<String>,
}

message!(
    UndefinedCoordinatorFunction,
    |place, name, is_of_workflow, similar| {
        let diagnostic = Diagnostic::new(&CODE, place, format!("undefined function `{name}`"));
        if is_of_workflow {
            return diagnostic
                .label(place, "a function of workflows")
                .note(
                    "Oozie evaluates all text of coordinators and bundles itself, and passes the result on",
                )
                .help("call it in the workflow");
        }
        let diagnostic = diagnostic.label(place, "no function of coordinators has this name");
        match similar {
            Some(similar) => diagnostic.suggest(
                place,
                "there is a function with a similar name",
                similar,
                Applicability::MaybeIncorrect,
            ),
            None => diagnostic,
        }
    }
);
