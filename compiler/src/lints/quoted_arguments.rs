use crate::{
    diagnostics::{Applicability, Diagnostic, argv, lint, message},
    source::Span,
};

lint!(Warn, quoted_arguments);

/// An argument, or the value of an `env-var`, with quotes that no shell removes.
pub(crate) struct QuotedArgument {
    pub(crate) place: Span,
    /// It is an `env-var`.
    pub(crate) is_variable: bool,
    /// As it is written.
    pub(crate) written: String,
    /// The two quotes.
    pub(crate) quotes: [Span; 2],
}

message!(QuotedArgument, |place, is_variable, written, quotes| {
    let (message, label, note) = if is_variable {
        (
            "the quotes are part of the variable's value",
            "the program gets them too".to_owned(),
            "each element is one variable, with its blanks: no shell reads it",
        )
    } else {
        (
            "the quotes are part of the argument",
            format!("the program gets {}", argv(&[written])),
            "each element is one argument, with its blanks: no shell reads it",
        )
    };
    Diagnostic::new(&LINT, place, message)
        .label(place, label)
        .note(note)
        .suggest_edits(
            "write it without the quotes",
            quotes.map(|quote| (quote, String::new())).to_vec(),
            Applicability::MaybeIncorrect,
        )
});
