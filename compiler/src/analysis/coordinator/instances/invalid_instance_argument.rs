use crate::{
    diagnostics::{Applicability, Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(in crate::analysis) static CODE: Code = Code {
    id: "H0715",
    name: "invalid_instance_argument",
    level: Level::Error,
    oozie: &["E1021", "E1012"],
    explanation: include_str!("invalid_instance_argument.md"),
};

/// A function that gives instances refuses an argument.
pub(super) struct InvalidInstanceArgument {
    /// The argument.
    pub(super) place: Span,
    /// With its prefix.
    pub(super) function: String,
    pub(super) problem: String,
    /// With its quotes.
    pub(super) similar: Option<String>,
}

impl IntoDiagnostic for InvalidInstanceArgument {
    fn into_diagnostic(self) -> Diagnostic {
        let InvalidInstanceArgument {
            place,
            function,
            problem,
            similar,
        } = self;
        let diagnostic =
            Diagnostic::new(&CODE, place, format!("invalid argument for `{function}`"))
                .label(place, problem);
        match similar {
            Some(similar) => diagnostic.suggest(
                place,
                "there is a unit with a similar name",
                similar,
                Applicability::MaybeIncorrect,
            ),
            None => diagnostic,
        }
    }
}
