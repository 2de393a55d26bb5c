use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(super) static CODE: Code = Code {
    id: "H0608",
    name: "forbidden_property",
    level: Level::Error,
    oozie: &["JA010"],
    explanation: include_str!("forbidden_property.md"),
};

/// A property that an action's configuration may not have.
pub(super) struct ForbiddenProperty {
    pub(super) name: String,
    pub(super) place: Span,
}

impl IntoDiagnostic for ForbiddenProperty {
    fn into_diagnostic(self) -> Diagnostic {
        let ForbiddenProperty { name, place } = self;
        let diagnostic = Diagnostic::new(
            &CODE,
            place,
            format!("property `{name}` cannot be set in the configuration of an action"),
        )
        .label(
            place,
            "every action that gets it fails, and the job with it",
        );
        match name.as_str() {
            "fs.default.name" => diagnostic.help("name the file system in `name-node`"),
            "yarn.resourcemanager.address" => {
                diagnostic.help("name the cluster in `resource-manager` or `job-tracker`")
            }
            _ => diagnostic,
        }
    }
}
