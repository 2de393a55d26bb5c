use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0110", unclosed_markup, ["E0700", "E0701", "E0803"]);

/// An unclosed tag, comment, or similar at the end of the file.
pub(super) struct UnclosedMarkup {
    pub(super) kind: Markup,
    /// Its first characters.
    pub(super) span: Span,
}

/// The kind of unclosed markup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Markup {
    Tag,
    /// A tag inside a value, with the missing quote.
    Value(char),
    Comment,
    CData,
    Declaration,
    Instruction,
    /// `<!` followed by nothing that XML defines.
    Unknown,
}

message!(UnclosedMarkup, |kind, span| {
    let (what, end) = match kind {
        Markup::Tag => ("tag", ">".to_owned()),
        Markup::Value(quote) => ("attribute value", quote.to_string()),
        Markup::Comment => ("comment", "-->".to_owned()),
        Markup::CData => ("CDATA section", "]]>".to_owned()),
        Markup::Declaration => ("XML declaration", "?>".to_owned()),
        Markup::Instruction => ("processing instruction", "?>".to_owned()),
        Markup::Unknown => {
            return Diagnostic::new(&CODE, span, "unknown markup `<!`")
                .label(span, "neither a comment nor a CDATA section")
                .help("a comment starts with `<!--`, a CDATA section with `<![CDATA[`, and text has `&lt;` for `<`");
        }
    };
    let diagnostic = Diagnostic::new(&CODE, span, format!("unclosed {what}"));
    match kind {
        Markup::Value(_) => diagnostic
            .label(span, "a value in this tag has no end")
            .help(format!("close the value with `{end}`")),
        Markup::Tag
        | Markup::Comment
        | Markup::CData
        | Markup::Declaration
        | Markup::Instruction
        | Markup::Unknown => diagnostic
            .label(span, format!("the file ends before its `{end}`"))
            .help(format!("close it with `{end}`")),
    }
});
