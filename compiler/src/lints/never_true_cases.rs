use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, never_true_cases);

/// A case that no job takes.
pub(crate) struct NeverTrueCase {
    pub(crate) place: Span,
    pub(crate) target: String,
    pub(crate) reason: Reason,
}

/// Why a case is never true.
pub(crate) enum Reason {
    /// It is `true` in another case of letters.
    Spelling,
    /// There is text beside an expression. `fixed`: the whole as one expression, if that is valid.
    TextAround { fixed: Option<String> },
    /// It evaluates to another text, whatever the job is given.
    OtherText,
    /// Its parts contradict each other.
    Contradiction,
    /// It is a property with another value, which is defined at `origin`.
    Value { value: String, origin: Option<Span> },
}

message!(NeverTrueCase, |place, target, reason| {
    let diagnostic = Diagnostic::new(&LINT, place, format!("case for `{target}` is never true"));
    let compared = "the text is compared with `true`, and can never be that";
    match reason {
        Reason::Spelling => diagnostic.label(place, compared).suggest(
            place,
            "only `true` in lower case counts",
            "true",
            Applicability::MaybeIncorrect,
        ),
        Reason::TextAround { fixed: Some(fixed) } => diagnostic.label(place, compared).suggest(
            place,
            "write the whole condition inside `${` and `}`",
            escaped(&fixed),
            Applicability::MaybeIncorrect,
        ),
        Reason::TextAround { fixed: None } => diagnostic
            .label(place, compared)
            .help("write the whole condition inside of `${` and `}`"),
        Reason::OtherText => diagnostic.label(place, compared),
        Reason::Contradiction => diagnostic.label(place, "no values make all of this true at once"),
        Reason::Value { value, origin } => {
            let shown = format!("the text is `{value}`, and compared with `true`");
            let diagnostic = diagnostic.label(place, shown);
            match origin {
                Some(origin) => diagnostic.label(origin, "the value is given here"),
                None => diagnostic,
            }
            .help("only `true` in lower case counts; compare the value with what is meant, as in `${x eq 'yes'}`")
        }
    }
});

/// Escaped as the text of an element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
