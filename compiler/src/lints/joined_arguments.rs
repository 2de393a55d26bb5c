use crate::{
    diagnostics::{Applicability, Diagnostic, argv, lint, message},
    source::Span,
};

lint!(Warn, joined_arguments);

/// An option and its value in one argument.
pub(crate) struct JoinedArgument {
    pub(crate) place: Span,
    pub(crate) element: &'static str,
    pub(crate) written: String,
    /// The blanks between the option and its value.
    pub(crate) blanks: Span,
}

message!(JoinedArgument, |place, element, written, blanks| {
    let got = argv(&[written]);
    Diagnostic::new(&LINT, place, "an option and its value are in one argument")
        .label(place, format!("the program gets {got}"))
        .note("each element is one argument: no shell splits it at blanks")
        .suggest(
            blanks,
            format!("write two `{element}` elements"),
            format!("</{element}><{element}>"),
            Applicability::MaybeIncorrect,
        )
});
