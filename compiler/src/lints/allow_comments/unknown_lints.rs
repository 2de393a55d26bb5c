use crate::{
    diagnostics::{Applicability, Diagnostic, UnknownLint, lint, message},
    source::Span,
};

lint!(Warn, unknown_lints);

/// An unknown lint in a comment or in `hpdl.toml`.
pub struct UnknownLintName {
    pub unknown: UnknownLint,
    /// The name, without quotes.
    pub place: Span,
    pub source: LintNameSource,
}

/// Where the name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LintNameSource {
    Comment,
    Settings,
}

message!(UnknownLintName, |unknown, place, source| {
    let UnknownLint { name, similar } = unknown;
    let is_code = name.len() == 5
        && name.starts_with('H')
        && name[1..].bytes().all(|byte| byte.is_ascii_digit());
    let diagnostic = Diagnostic::new(&LINT, place, format!("unknown lint `{name}`"));
    if is_code {
        return diagnostic
            .label(place, "this is a code of an error, not a lint")
            .note("errors cannot be allowed: Oozie would refuse the application, or its job would fail");
    }
    let diagnostic = diagnostic.label(place, "no lint has this name");
    match (similar, source) {
        (Some(similar), _) => diagnostic.suggest(
            place,
            "there is a lint with a similar name",
            similar,
            Applicability::MaybeIncorrect,
        ),
        (None, LintNameSource::Comment) => {
            diagnostic.help("write the name that the message has in brackets")
        }
        (None, LintNameSource::Settings) => {
            diagnostic.help("write the name that the messages have in brackets")
        }
    }
});
