use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Spanned,
};

code!("H0813", unlinked_functions);

/// An action that calls a Rust function, in a program that consists of the application alone.
pub(crate) struct UnlinkedFunction {
    pub(crate) action: String,
    pub(crate) function: Spanned<String>,
}

message!(UnlinkedFunction, |action, function| {
    Diagnostic::new(
        &CODE,
        function.span,
        format!("action `{action}` calls a Rust function, and this program has none"),
    )
    .label(
        function.span,
        format!("`{}` is a function of a Rust program", function.value),
    )
    .help(
        "compile the application into the program that has the function, with `include_workflow!` or a build script, \
         or run a program with a `shell` action",
    )
});
