use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, hash_braces, ["EL_ERROR"]);

/// `#{` in a text.
pub(crate) struct HashBrace {
    pub(crate) place: Span,
}

message!(HashBrace, |place| {
    Diagnostic::new(&LINT, place, "`#{` is text here, and was an expression in Oozie 5.2")
        .label(place, "is left as it is")
        .note("Oozie up to 5.1 takes it for text as well; 5.2 evaluates it, and refuses it beside `${...}`")
        .help("if a property was meant, write `${...}`; if text was meant, `${'#{'}` is text everywhere")
});
