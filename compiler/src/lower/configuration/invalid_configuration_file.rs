use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0222", invalid_configuration_file, ["E0803"]);

/// A `config-default.xml` that is not a Hadoop configuration.
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

message!(InvalidConfigurationFile, |element, place, fault| {
    let (message, label) = match fault {
        FileFault::Root => (
            format!("root element `{element}` in a configuration file"),
            "expected `configuration`",
        ),
        FileFault::Child => (
            format!("the `{element}` element is not allowed in a configuration"),
            "expected `property`",
        ),
    };
    Diagnostic::new(&CODE, place, message).label(place, label)
});
