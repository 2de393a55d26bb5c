use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, features_missing_from_schema, ["E0701"]);

/// A feature that this version of the schema has dropped, but the executor still supports.
pub(crate) struct FeatureMissingFromSchema {
    /// "the `setrep` element".
    pub(crate) what: String,
    pub(crate) place: Span,
    /// The namespace whose rules apply.
    pub(crate) version: String,
    /// In words: "only in `uri:oozie:workflow:0.5`".
    pub(crate) available: String,
}

message!(
    FeatureMissingFromSchema,
    |what, place, version, available| {
        Diagnostic::new(&LINT, place, format!("{what} is not in `{version}`"))
            .label(place, format!("exists {available}"))
            .note("it works here; Oozie refuses the document with E0701")
    }
);
