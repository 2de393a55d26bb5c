use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0121", invalid_comment, ["E0700", "E0701", "E0803"]);

/// Two hyphens inside a comment.
pub(super) struct InvalidComment {
    /// The hyphens, or the start of another comment.
    pub(super) span: Span,
    /// Where the comment starts, if another one starts in it.
    pub(super) opened: Option<Span>,
}

message!(InvalidComment, |span, opened| {
    if let Some(opened) = opened {
        return Diagnostic::new(&CODE, span, "a comment inside a comment")
            .label(span, "another comment starts here")
            .label(opened, "this one has not ended")
            .help("end the first one with `-->`; comments do not nest");
    }
    Diagnostic::new(&CODE, span, "`--` inside a comment")
        .label(span, "only the end of a comment has two hyphens")
        .help("put a blank between the hyphens; comments do not nest, and end with exactly `-->`")
});
