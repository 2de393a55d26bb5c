use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, escaped_operators, ["EL_ERROR"]);

/// Operators of an expression that Oozie escapes before it evaluates the expression.
pub(crate) struct EscapedOperators {
    /// The first operator, and the word for it.
    pub(crate) first: (Span, &'static str),
    /// The others in the text.
    pub(crate) others: Vec<(Span, &'static str)>,
    /// With the blanks that a word needs.
    pub(crate) edits: Vec<(Span, String)>,
    /// The first one as Oozie's engine reads it.
    pub(crate) printed: &'static str,
    pub(crate) is_attribute: bool,
}

message!(EscapedOperators, |first,
                            others,
                            edits,
                            printed,
                            is_attribute| {
    let (first, word) = first;
    let mut diagnostic = Diagnostic::new(
        &LINT,
        first,
        format!("Oozie fails at this operator, which is `{word}` in words"),
    )
    .label(first, format!("Oozie evaluates this as `{printed}`"));
    for (place, word) in others {
        diagnostic = diagnostic.label(place, format!("write `{word}`"));
    }
    let diagnostic = diagnostic
        .note("Oozie prints the document again before it evaluates its expressions; the job fails with EL_ERROR")
        .suggest_edits("write operators in words", edits, Applicability::MachineApplicable);
    match is_attribute {
        true => diagnostic,
        false => diagnostic.help("or put the whole text in a CDATA section"),
    }
});

/// A text in double quotes in an expression of an attribute.
pub(crate) struct EscapedQuotes {
    /// The text with its quotes.
    pub(crate) place: Span,
}

message!(EscapedQuotes, |place| {
    Diagnostic::new(
        &LINT,
        place,
        "Oozie fails at double quotes in an attribute",
    )
    .label(place, "Oozie evaluates these quotes as `&quot;`")
    .note("Oozie prints the document again before it evaluates its expressions; the job fails with EL_ERROR")
    .help_xml("write `'...'` in the expression, and the attribute's own quotes as `\"`")
});
