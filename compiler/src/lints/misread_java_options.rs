use crate::{
    diagnostics::{Applicability, Diagnostic, argv, lint, message},
    source::Span,
};

lint!(Warn, misread_java_options);

/// Double quotes in options of a JVM, which YARN's launch script takes for its own.
pub(crate) struct MisreadJavaOptions {
    pub(crate) place: Span,
    /// The options that the JVM gets on YARN.
    pub(crate) words: Vec<String>,
    /// The double quotes, if the text is written here and has no single ones.
    pub(crate) quotes: Vec<Span>,
}

message!(MisreadJavaOptions, |place, words, quotes| {
    let diagnostic = Diagnostic::new(
        &LINT,
        place,
        "double quotes in the options of a JVM quote nothing on YARN",
    )
    .label(place, format!("on YARN the JVM gets {}", argv(&words)))
    .note("YARN's launch script has these options between double quotes of its own");
    const HELP: &str = "single quotes quote here and on YARN";
    if quotes.is_empty() {
        return diagnostic.help(HELP);
    }
    let edits = quotes.into_iter().map(|quote| (quote, "'".to_owned()));
    diagnostic.suggest_edits(HELP, edits.collect(), Applicability::MaybeIncorrect)
});
