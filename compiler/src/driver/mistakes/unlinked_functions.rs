use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Spanned,
};

code!("H0813", unlinked_functions);

/// An action or an expression that calls a Rust function, in a program that consists of the application alone.
pub(crate) struct UnlinkedFunction {
    /// `None` for an expression.
    pub(crate) action: Option<String>,
    /// Whether the workflow is a function of a Rust file.
    pub(crate) is_in_rust: bool,
    pub(crate) function: Spanned<String>,
}

message!(UnlinkedFunction, |action, is_in_rust, function| {
    let caller = match action {
        Some(action) => format!("action `{action}`"),
        None => "an expression".to_owned(),
    };
    Diagnostic::new(
        &CODE,
        function.span,
        format!("{caller} calls a Rust function, and this program has none"),
    )
    .label(
        function.span,
        format!("`{}` is a function of a Rust program", function.value),
    )
    .help(match is_in_rust {
        true => "`cargo build` makes the program that has workflow and functions",
        false => {
            "compile the application into the program that has the function, with `include_workflow!` or a build script, \
             take the function from an extension, or run a program with a `shell` action"
        }
    })
});
