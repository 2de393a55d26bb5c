use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Spanned,
};

code!("H0813", unlinked_functions);

/// An action or an expression that calls a Rust function, in a program that consists of the application alone.
pub(crate) struct UnlinkedFunction {
    pub(crate) caller: UnlinkedCaller,
    /// Whether the workflow is a function of a Rust file.
    pub(crate) is_in_rust: bool,
    pub(crate) function: Spanned<String>,
}

/// What calls it.
pub(crate) enum UnlinkedCaller {
    /// An action, by its name.
    Action(String),
    Expression,
    /// It is a document, which another one starts.
    Document,
}

message!(UnlinkedFunction, |caller, is_in_rust, function| {
    let (message, what) = match caller {
        UnlinkedCaller::Action(action) => (
            format!("action `{action}` calls a Rust function, and this program has none"),
            "function",
        ),
        UnlinkedCaller::Expression => (
            "an expression calls a Rust function, and this program has none".to_owned(),
            "function",
        ),
        UnlinkedCaller::Document => (
            format!(
                "the document starts `{}`, which is no part of this program",
                function.value
            ),
            "document",
        ),
    };
    Diagnostic::new(&CODE, function.span, message)
    .label(
        function.span,
        format!("`{}` is a {what} of a Rust program", function.value),
    )
    .help(match is_in_rust {
        true => "`cargo build` makes the program that has workflow and functions",
        false => {
            "compile the application into the program that has the function, with `include_workflow!` or a build script, \
             take the function from an extension, or run a program with a `shell` action"
        }
    })
});
