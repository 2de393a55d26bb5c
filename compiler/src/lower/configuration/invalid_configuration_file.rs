use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(crate) static CODE: Code = Code {
    id: "H0222",
    name: "invalid_configuration_file",
    level: Level::Error,
    oozie: &["E0803"],
    explanation: include_str!("invalid_configuration_file.md"),
};

/// A `config-default.xml` that is no Hadoop configuration.
pub(crate) struct InvalidConfigurationFile {
    pub(crate) element: String,
    pub(crate) place: Span,
    pub(crate) fault: FileFault,
}

/// Which element is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileFault {
    Root,
    Child,
}

impl IntoDiagnostic for InvalidConfigurationFile {
    fn into_diagnostic(self) -> Diagnostic {
        let InvalidConfigurationFile {
            element,
            place,
            fault,
        } = self;
        let (message, label) = match fault {
            FileFault::Root => (
                format!("root element `{element}` in a configuration file"),
                "expected `configuration`",
            ),
            FileFault::Child => (
                format!("the `{element}` element cannot stand in a configuration"),
                "expected `property`",
            ),
        };
        Diagnostic::new(&CODE, place, message).label(place, label)
    }
}
