use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
    syntax::xml::OOZIE_CODES,
};

pub(super) static CODE: Code = Code {
    id: "H0121",
    name: "invalid_comment",
    level: Level::Error,
    oozie: OOZIE_CODES,
    explanation: include_str!("invalid_comment.md"),
};

/// Two hyphens inside a comment.
pub(super) struct InvalidComment {
    /// The hyphens, or the start of another comment.
    pub(super) span: Span,
    /// Where the comment starts, if another one starts in it.
    pub(super) opened: Option<Span>,
}

impl IntoDiagnostic for InvalidComment {
    fn into_diagnostic(self) -> Diagnostic {
        let InvalidComment { span, opened } = self;
        if let Some(opened) = opened {
            return Diagnostic::new(&CODE, span, "a comment inside a comment")
                .label(span, "another comment starts here")
                .label(opened, "this one has not ended")
                .help("end the first one with `-->`; comments do not nest");
        }
        Diagnostic::new(&CODE, span, "`--` inside a comment")
            .label(span, "only the end of a comment has two hyphens")
            .help(
                "put a blank between the hyphens; comments do not nest, and end with exactly `-->`",
            )
    }
}
