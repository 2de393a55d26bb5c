use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0608", forbidden_property, ["JA010"]);

/// A property that an action's configuration may not have.
pub(super) struct ForbiddenProperty {
    pub(super) name: String,
    pub(super) place: Span,
}

message!(ForbiddenProperty, |name, place| {
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
        "fs.default.name" => diagnostic.help_xml("name the file system in `name-node`"),
        "yarn.resourcemanager.address" => {
            diagnostic.help_xml("name the cluster in `resource-manager` or `job-tracker`")
        }
        _ => diagnostic,
    }
});
