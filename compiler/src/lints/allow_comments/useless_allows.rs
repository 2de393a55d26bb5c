use crate::{
    diagnostics::{Allow, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, useless_allows);

/// A comment allows a lint that reports nothing there.
pub struct UselessAllow {
    pub(crate) lint: &'static str,
    /// The name in the comment.
    pub(crate) place: Span,
    pub(crate) reason: Reason,
}

/// Why it has no effect.
pub(crate) enum Reason {
    /// The lint has found nothing there.
    NothingFound,
    /// No element follows.
    NoElement,
}

impl From<Allow> for UselessAllow {
    fn from(allow: Allow) -> UselessAllow {
        UselessAllow {
            lint: allow.lint,
            place: allow.place,
            reason: Reason::NothingFound,
        }
    }
}

message!(UselessAllow, |lint, place, reason| {
    let diagnostic = Diagnostic::new(
        &LINT,
        place,
        format!("allowing `{lint}` changes nothing here"),
    );
    match reason {
        Reason::NothingFound => diagnostic
            .label(place, "the element that follows has no such finding")
            .help("remove the name from the comment, or the whole comment"),
        Reason::NoElement => diagnostic
            .label(place, "no element follows the comment")
            .help_xml("put the comment directly before the element that it is for"),
    }
});
