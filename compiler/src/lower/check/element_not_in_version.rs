use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Spanned,
};

code!("H0205", element_not_in_version, ["E0701"]);

/// An element that only other versions of the schema allow at this place.
pub(crate) struct ElementNotInVersion {
    pub(crate) name: Spanned<String>,
    /// The namespace whose rules apply.
    pub(crate) version: String,
    /// In words: "since `uri:oozie:workflow:0.4`".
    pub(crate) available: String,
}

message!(ElementNotInVersion, |name, version, available| {
    Diagnostic::new(
        &CODE,
        name.span,
        format!("`{version}` has no `{}` element here", name.value),
    )
    .label(name.span, format!("exists {available}"))
    .help_xml("choose another version of the schema with `xmlns`")
});
