use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, malformed_class_names);

/// The name of a main class that no class can have.
pub(crate) struct MalformedClassName {
    pub(crate) name: String,
    pub(crate) place: Span,
    /// The name that was probably meant.
    pub(crate) meant: Option<String>,
}

message!(MalformedClassName, |name, place, meant| {
    let diagnostic = Diagnostic::new(&LINT, place, format!("`{name}` is no name of a class"))
        .label(place, "no class with this name can be found");
    match meant {
        Some(meant) => diagnostic.help(format!("write `{meant}`")),
        None => diagnostic.help("expected a package and a class, such as `com.example.Main`"),
    }
});
