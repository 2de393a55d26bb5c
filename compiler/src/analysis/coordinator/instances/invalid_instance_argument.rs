use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    source::Span,
};

code!("H0715", invalid_instance_argument, ["E1021", "E1012"]);

/// A function that specifies instances has an invalid argument.
pub(super) struct InvalidInstanceArgument {
    /// The argument.
    pub(super) place: Span,
    /// With its prefix.
    pub(super) function: String,
    pub(super) problem: String,
    /// With its quotes.
    pub(super) similar: Option<String>,
}

message!(
    InvalidInstanceArgument,
    |place, function, problem, similar| {
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
);
