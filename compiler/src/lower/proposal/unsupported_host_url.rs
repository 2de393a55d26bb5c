use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Spanned,
};

code!("H0805", unsupported_host_url);

/// A child workflow on another workflow system, which no executable can start.
pub(crate) struct UnsupportedHostUrl {
    pub(crate) name: Spanned<String>,
}

message!(UnsupportedHostUrl, |name| {
    Diagnostic::new(
        &CODE,
        name.span,
        "sub-workflows on another workflow system are not supported",
    )
    .label(name.span, "asks another system to run the child")
    .help_xml("take the element away, and say where the application is with `--map NAME=DIR`")
});
