use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Spanned,
};

code!("H0216", attribute_not_in_version, ["E0701"]);

/// An attribute that the element has in other versions of the schema only.
pub(crate) struct AttributeNotInVersion {
    pub(crate) parent: String,
    pub(crate) name: Spanned<String>,
    /// The namespace whose rules apply.
    pub(crate) version: String,
    /// In words: "since `uri:oozie:workflow:0.3`".
    pub(crate) available: String,
}

message!(AttributeNotInVersion, |parent, name, version, available| {
    Diagnostic::new(
        &CODE,
        name.span,
        format!(
            "`{version}` has no `{}` attribute on `{parent}`",
            name.value
        ),
    )
    .label(name.span, format!("exists {available}"))
    .help_xml("choose another version of the schema with `xmlns`")
});
