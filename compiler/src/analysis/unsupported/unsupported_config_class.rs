use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(super) static CODE: Code = Code {
    id: "H0806",
    name: "unsupported_config_class",
    level: Level::Error,
    oozie: &[],
    explanation: include_str!("unsupported_config_class.md"),
};

/// A class of Oozie's own interface, which completes the configuration of a job inside Oozie's launcher.
pub(super) struct UnsupportedConfigClass {
    pub(super) place: Span,
}

impl IntoDiagnostic for UnsupportedConfigClass {
    fn into_diagnostic(self) -> Diagnostic {
        let UnsupportedConfigClass { place } = self;
        Diagnostic::new(&CODE, place, "`config-class` is not supported")
            .label(place, "is called by Oozie's launcher, which no program of ours has")
            .help("let a `java` action before this one write what the class sets, and give it by `job-xml`")
    }
}
