use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Spanned,
};

code!("H0814", custom_action_type, ["E0723", "E0701"]);

/// An action's body of a type that a site has added to its Oozie.
pub(crate) struct CustomActionType {
    pub(crate) name: Spanned<String>,
    pub(crate) namespace: String,
}

message!(CustomActionType, |name, namespace| {
    Diagnostic::new(
        &CODE,
        name.span,
        format!("action type `{}` is not one of Oozie's own", name.value),
    )
    .label(name.span, format!("of `{namespace}`"))
    .note("a site can add action types to its Oozie, which only that server knows")
    .help(
        "write it as an action type of an extension (`hpdlc new extension NAME`), and name the extension in `[extensions]` of `hpdl.toml`",
    )
});
