use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, code},
    source::{FileId, Span},
};

code!("H0009", invalid_rust);

/// A Rust file from which no workflow can be read.
pub(crate) enum InvalidRust {
    /// It is not Rust, or a function is not a workflow; the message says why.
    Mistake { place: Span, message: String },
    /// rustc has an error in the function.
    LeftToRustc { place: Span, function: String },
    /// Not one of its documents was asked for.
    NotFound {
        file: FileId,
        /// A name that no document of it has.
        asked: Option<String>,
        /// The documents that it has.
        found: Vec<String>,
    },
}

impl IntoDiagnostic for InvalidRust {
    fn into_diagnostic(self) -> Diagnostic {
        match self {
            InvalidRust::Mistake { place, message } => Diagnostic::new(&CODE, place, message),
            InvalidRust::LeftToRustc { place, function } => Diagnostic::new(
                &CODE,
                place,
                format!("the function `{function}` has errors of Rust itself"),
            )
            .help("`cargo check` shows them"),
            InvalidRust::NotFound { file, asked, found } => {
                let message = match asked {
                    Some(name) => format!("the file has no workflow, coordinator or bundle `{name}`"),
                    None if found.is_empty() => {
                        "the file has no function with `#[workflow]`, `#[coordinator]` or `#[bundle]`".to_owned()
                    }
                    None => "the file has several workflows".to_owned(),
                };
                let diagnostic = Diagnostic::for_file(&CODE, file, message);
                match found.as_slice() {
                    [] => diagnostic.help(
                        "name a file with a workflow: `hpdlc check` of a folder searches all of its files",
                    ),
                    [only] => diagnostic.help(format!("it has `{only}`")),
                    _ => diagnostic.help(format!("name one of {}", list(&found))),
                }
            }
        }
    }
}

fn list(found: &[String]) -> String {
    let quoted: Vec<String> = found.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
