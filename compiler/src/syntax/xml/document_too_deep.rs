use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
    syntax::xml::MAX_DEPTH,
};

code!("H0104", document_too_deep, ["E0700", "E0701", "E0803"]);

/// Elements are nested deeper than any schema allows.
pub(super) struct DocumentTooDeep {
    /// The name of the first element that is too deep.
    pub(super) name: Span,
}

message!(DocumentTooDeep, |name| {
    Diagnostic::new(&CODE, name, "elements are nested too deeply")
        .label(name, format!("more than {MAX_DEPTH} elements are open here"))
        .help("look for end tags that are missing further up; no schema of Oozie is deeper than a dozen elements")
});
