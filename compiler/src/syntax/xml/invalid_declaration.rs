use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0117", invalid_declaration, ["E0700", "E0701", "E0803"]);

/// An XML declaration in the wrong place or with the wrong contents.
pub(super) struct InvalidDeclaration {
    pub(super) fault: DeclarationFault,
    pub(super) span: Span,
}

/// What is wrong with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DeclarationFault {
    /// It is not the first thing in the file; the place is its start.
    Misplaced,
    /// It does not start with a version; the place is what was found instead, or `<?xml`.
    NoVersion,
    /// A version other than 1.0; the place is the value.
    Version,
    /// Neither version, encoding, nor standalone, or in the wrong order; the place is the name.
    Unexpected,
    /// A value of standalone other than yes or no; the place is the value.
    Standalone,
    /// A processing instruction with an invalid name; the place is the name.
    InstructionName,
}

message!(InvalidDeclaration, |fault, span| {
    let (message, label, help) = match fault {
        DeclarationFault::Misplaced => (
            "XML declaration in the middle of the document",
            "something comes before it",
            "move the declaration to the very start of the file, before any blank or comment",
        ),
        DeclarationFault::NoVersion => (
            "XML declaration without a version",
            "expected `version` first",
            "write `<?xml version=\"1.0\" encoding=\"UTF-8\"?>`",
        ),
        DeclarationFault::Version => (
            "unsupported version of XML",
            "expected `1.0`",
            "declare version 1.0, which every document of Oozie can be written in",
        ),
        DeclarationFault::Unexpected => (
            "unexpected attribute in the XML declaration",
            "expected `version`, `encoding`, and `standalone`, in this order",
            "write `<?xml version=\"1.0\" encoding=\"UTF-8\"?>`",
        ),
        DeclarationFault::Standalone => (
            "invalid value of `standalone`",
            "expected `yes` or `no`",
            "remove it: it means something only with a document type declaration",
        ),
        DeclarationFault::InstructionName => (
            "invalid name of a processing instruction",
            "expected a name other than `xml`",
            "remove the instruction: Oozie reads none",
        ),
    };
    Diagnostic::new(&CODE, span, message)
        .label(span, label)
        .help(help)
});
