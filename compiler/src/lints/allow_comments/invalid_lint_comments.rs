use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, invalid_lint_comments);

/// A comment that starts with `hpdlc:` and cannot be parsed.
pub(crate) struct InvalidLintComment {
    pub(crate) place: Span,
    pub(crate) fault: SyntaxFault,
}

/// What is wrong with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SyntaxFault {
    /// The mark is not followed by `allow(`.
    NotAllow,
    /// The `)` is missing.
    Unclosed,
    /// There is no name between the parentheses.
    NoName,
}

message!(InvalidLintComment, |place, fault| {
    let label = match fault {
        SyntaxFault::NotAllow => "expected `allow(` behind `hpdlc:`",
        SyntaxFault::Unclosed => "the `)` is missing",
        SyntaxFault::NoName => "no lint is named",
    };
    Diagnostic::new(&LINT, place, "this comment for hpdlc cannot be read")
        .label(place, label)
        .help("write it as `<!-- hpdlc: allow(LINT) reason -->`; levels other than `allow` belong in `hpdl.toml`")
});
