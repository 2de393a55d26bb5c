use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Spanned,
};

pub(crate) static CODE: Code = Code {
    id: "H0205",
    name: "element_not_in_version",
    level: Level::Error,
    oozie: &["E0701"],
    explanation: include_str!("element_not_in_version.md"),
};

/// An element that other versions of the schema have at this place.
pub(crate) struct ElementNotInVersion {
    pub(crate) name: Spanned<String>,
    /// The namespace whose rules apply.
    pub(crate) version: String,
    /// In words: "since `uri:oozie:workflow:0.4`".
    pub(crate) available: String,
}

impl IntoDiagnostic for ElementNotInVersion {
    fn into_diagnostic(self) -> Diagnostic {
        let ElementNotInVersion {
            name,
            version,
            available,
        } = self;
        Diagnostic::new(
            &CODE,
            name.span,
            format!("`{version}` has no `{}` element here", name.value),
        )
        .label(name.span, format!("exists {available}"))
        .help("choose another version of the schema with `xmlns`")
    }
}
