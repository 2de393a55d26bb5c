use crate::{
    diagnostics::{Applicability, Diagnostic, argv, lint, message},
    source::Span,
};

lint!(Warn, misread_java_options);

/// Options of a JVM that it does not get as they are written, or refuses.
pub(crate) struct MisreadJavaOptions {
    pub(crate) place: Span,
    /// Where the value is, if not here.
    pub(crate) origin: Option<Span>,
    pub(crate) problem: JavaOptionsProblem,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum JavaOptionsProblem {
    /// Double quotes, which YARN's launch script takes for its own.
    Quotes {
        /// The options that the JVM gets on YARN.
        words: Vec<String>,
        /// The double quotes, if the text is written here and has no single ones.
        quotes: Vec<Span>,
    },
    /// `-Xmx`, and the next word.
    NoSize {
        option: String,
        size: Option<String>,
    },
    /// A word that is neither an option nor the value of one.
    NoOption(String),
}

message!(MisreadJavaOptions, |place, origin, problem| {
    let (message, label) = match &problem {
        JavaOptionsProblem::Quotes { words, .. } => (
            "double quotes in the options of a JVM quote nothing on YARN".to_owned(),
            format!("on YARN the JVM gets {}", argv(words)),
        ),
        JavaOptionsProblem::NoSize { option, .. } => (
            format!("option `{option}` of the JVM has no size"),
            "the JVM does not start".to_owned(),
        ),
        JavaOptionsProblem::NoOption(word) => (
            format!("`{word}` is no option of a JVM"),
            "the JVM takes it for the class to run".to_owned(),
        ),
    };
    let mut diagnostic = Diagnostic::new(&LINT, place, message).label(place, label);
    if let Some(origin) = origin {
        diagnostic = diagnostic.label(origin, "the options are given here");
    }
    match problem {
        JavaOptionsProblem::Quotes { quotes, .. } => {
            const HELP: &str = "single quotes quote here and on YARN";
            let diagnostic = diagnostic
                .note("YARN's launch script has these options between double quotes of its own");
            if quotes.is_empty() {
                return diagnostic.help(HELP);
            }
            let edits = quotes.into_iter().map(|quote| (quote, "'".to_owned()));
            diagnostic.suggest_edits(HELP, edits.collect(), Applicability::MaybeIncorrect)
        }
        JavaOptionsProblem::NoSize { option, size } => {
            let size = size.filter(|size| size.starts_with(|c: char| c.is_ascii_digit()));
            let size = size.as_deref().unwrap_or("4g");
            diagnostic.help(format!("write the size without a blank: `{option}{size}`"))
        }
        JavaOptionsProblem::NoOption(word) if word.starts_with(['X', 'D']) => {
            diagnostic.help(format!("an option begins with `-`: `-{word}`"))
        }
        JavaOptionsProblem::NoOption(_) => {
            diagnostic.help("an option begins with `-`, and one with blanks needs single quotes")
        }
    }
});
