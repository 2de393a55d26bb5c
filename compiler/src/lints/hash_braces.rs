use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "hash_braces",
    default_level: LintLevel::Warn,
    oozie: &["EL_ERROR"],
    explanation: include_str!("hash_braces.md"),
};

/// `#{` in a text.
pub(crate) struct HashBrace {
    pub(crate) place: Span,
}

impl IntoDiagnostic for HashBrace {
    fn into_diagnostic(self) -> Diagnostic {
        let HashBrace { place } = self;
        Diagnostic::new(&LINT, place, "`#{` is text here, and was an expression in Oozie 5.2")
            .label(place, "stays as it stands")
            .note("Oozie up to 5.1 takes it for text as well; 5.2 evaluates it, and refuses it beside `${...}`")
            .help("if a property was meant, write `${...}`; if text was meant, `${'#{'}` is text everywhere")
    }
}
