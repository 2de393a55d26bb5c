use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Spanned,
};

pub(crate) static CODE: Code = Code {
    id: "H0805",
    name: "unsupported_host_url",
    level: Level::Error,
    oozie: &[],
    explanation: include_str!("unsupported_host_url.md"),
};

/// A child workflow on another workflow system, which no program of ours can start.
pub(crate) struct UnsupportedHostUrl {
    pub(crate) name: Spanned<String>,
}

impl IntoDiagnostic for UnsupportedHostUrl {
    fn into_diagnostic(self) -> Diagnostic {
        let UnsupportedHostUrl { name } = self;
        Diagnostic::new(
            &CODE,
            name.span,
            "sub-workflows on another workflow system are not supported",
        )
        .label(name.span, "asks another system to run the child")
        .help("take the element away, and say where the application is with `--map NAME=DIR`")
    }
}
