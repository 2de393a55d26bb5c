use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, shell_operators);

/// An argument that only a shell would understand.
pub(crate) struct ShellOperator {
    pub(crate) operator: String,
    pub(crate) place: Span,
}

message!(ShellOperator, |operator, place| {
    Diagnostic::new(
        &LINT,
        place,
        format!("`{operator}` is an argument like any other"),
    )
    .label(place, "the program gets it: no shell reads it")
    .help_xml("write the command line into a script, and name that in `exec`")
});
