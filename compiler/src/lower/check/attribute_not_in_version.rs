use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Spanned,
};

pub(crate) static CODE: Code = Code {
    id: "H0216",
    name: "attribute_not_in_version",
    level: Level::Error,
    oozie: &["E0701"],
    explanation: include_str!("attribute_not_in_version.md"),
};

/// An attribute that the element has in other versions of the schema.
pub(crate) struct AttributeNotInVersion {
    pub(crate) parent: String,
    pub(crate) name: Spanned<String>,
    /// The namespace whose rules apply.
    pub(crate) version: String,
    /// In words: "since `uri:oozie:workflow:0.3`".
    pub(crate) available: String,
}

impl IntoDiagnostic for AttributeNotInVersion {
    fn into_diagnostic(self) -> Diagnostic {
        let AttributeNotInVersion {
            parent,
            name,
            version,
            available,
        } = self;
        Diagnostic::new(
            &CODE,
            name.span,
            format!(
                "`{version}` has no `{}` attribute on `{parent}`",
                name.value
            ),
        )
        .label(name.span, format!("exists {available}"))
        .help("choose another version of the schema with `xmlns`")
    }
}
