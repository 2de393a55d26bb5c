use crate::{
    diagnostics::{Applicability, Diagnostic, argv, lint, message},
    source::Span,
};

lint!(Warn, quoted_arguments);

/// An argument with quotes that no shell removes.
pub(crate) struct QuotedArgument {
    pub(crate) place: Span,
    /// As it is written.
    pub(crate) written: String,
    /// The two quotes.
    pub(crate) quotes: [Span; 2],
}

message!(QuotedArgument, |place, written, quotes| {
    let got = argv(std::slice::from_ref(&written));
    Diagnostic::new(&LINT, place, "the quotes are part of the argument")
        .label(place, format!("the program gets {got}"))
        .note("each element is one argument, with its blanks: no shell reads it")
        .suggest_edits(
            "write it without the quotes",
            quotes.map(|quote| (quote, String::new())).to_vec(),
            Applicability::MaybeIncorrect,
        )
});
