use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    source::Span,
};

code!("H0108", unclosed_element, ["E0700", "E0701", "E0803"]);

/// An element whose end tag is missing.
pub(super) struct UnclosedElement<'a> {
    pub(super) name: &'a str,
    /// The name in the start tag.
    pub(super) opening: Span,
    pub(super) before: InsteadOfEndTag<'a>,
    /// Text is right before its tag, as in `hdfs://<host>:8020`.
    pub(super) is_in_text: bool,
}

/// What was found in place of the end tag.
pub(super) enum InsteadOfEndTag<'a> {
    /// The end tag of an enclosing element.
    EndTag { name: &'a str, span: Span },
    /// The end of the file, and the number of enclosing elements that are open too.
    EndOfFile { span: Span, n_open_around: usize },
}

message!(UnclosedElement<'_>, |name, opening, before, is_in_text| {
    let diagnostic = Diagnostic::new(&CODE, opening, format!("unclosed element `{name}`"))
        .label(opening, "opened here");
    let (place, diagnostic) = match before {
        InsteadOfEndTag::EndTag { name: outer, span } => (
            span.at_start(),
            diagnostic.label(
                span,
                format!("`{outer}` ends here, and `{name}` is still open"),
            ),
        ),
        InsteadOfEndTag::EndOfFile {
            span,
            n_open_around,
        } => {
            let diagnostic = diagnostic.label(span, "the file ends here");
            let diagnostic = match n_open_around {
                0 => diagnostic,
                1 => diagnostic.note("the element around it is open too"),
                _ => diagnostic.note(format!(
                    "the {n_open_around} elements around it are open too"
                )),
            };
            (span, diagnostic)
        }
    };
    if is_in_text {
        return diagnostic
            .note(format!("`<{name}>` in a text is a tag"))
            .help(format!(
                "write what `<{name}>` stands for, or `&lt;{name}&gt;` for the text itself"
            ));
    }
    diagnostic.suggest(
        place,
        format!("the end tag of `{name}` is missing"),
        format!("</{name}>"),
        Applicability::MaybeIncorrect,
    )
});
