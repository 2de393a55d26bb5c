use crate::{
    diagnostics::{Applicability, Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(in crate::analysis) static CODE: Code = Code {
    id: "H0717",
    name: "undefined_coordinator_function",
    level: Level::Error,
    oozie: &["E1004", "E1310"],
    explanation: include_str!("undefined_coordinator_function.md"),
};

/// A call of a function that coordinators and bundles do not have.
pub(super) struct UndefinedCoordinatorFunction {
    pub(super) place: Span,
    /// With its prefix.
    pub(super) name: String,
    pub(super) is_of_workflow: bool,
    pub(super) similar: Option<String>,
}

impl IntoDiagnostic for UndefinedCoordinatorFunction {
    fn into_diagnostic(self) -> Diagnostic {
        let UndefinedCoordinatorFunction {
            place,
            name,
            is_of_workflow,
            similar,
        } = self;
        let diagnostic = Diagnostic::new(&CODE, place, format!("undefined function `{name}`"));
        if is_of_workflow {
            return diagnostic
                .label(place, "a function of workflows")
                .note(
                    "Oozie evaluates all of a coordinator's text itself, and passes the result on",
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
}
