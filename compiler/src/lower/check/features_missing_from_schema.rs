use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(crate) static LINT: Lint = Lint {
    name: "features_missing_from_schema",
    default_level: LintLevel::Warn,
    oozie: &["E0701"],
    explanation: include_str!("features_missing_from_schema.md"),
};

/// Something that the schema's version has dropped, and the executor has not.
pub(crate) struct FeatureMissingFromSchema {
    /// "the `setrep` element".
    pub(crate) what: String,
    pub(crate) place: Span,
    /// The namespace whose rules apply.
    pub(crate) version: String,
    /// In words: "only in `uri:oozie:workflow:0.5`".
    pub(crate) available: String,
}

impl IntoDiagnostic for FeatureMissingFromSchema {
    fn into_diagnostic(self) -> Diagnostic {
        let FeatureMissingFromSchema {
            what,
            place,
            version,
            available,
        } = self;
        Diagnostic::new(&LINT, place, format!("{what} is not in `{version}`"))
            .label(place, format!("exists {available}"))
            .note("it works here; Oozie refuses the document with E0701")
    }
}
