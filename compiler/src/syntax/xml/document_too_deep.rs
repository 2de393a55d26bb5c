use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
    syntax::xml::{MAX_DEPTH, OOZIE_CODES},
};

pub(super) static CODE: Code = Code {
    id: "H0104",
    name: "document_too_deep",
    level: Level::Error,
    oozie: OOZIE_CODES,
    explanation: include_str!("document_too_deep.md"),
};

/// Elements are nested deeper than any schema allows.
pub(super) struct DocumentTooDeep {
    /// The name of the first element that is too deep.
    pub(super) name: Span,
}

impl IntoDiagnostic for DocumentTooDeep {
    fn into_diagnostic(self) -> Diagnostic {
        let DocumentTooDeep { name } = self;
        Diagnostic::new(&CODE, name, "elements are nested too deeply")
            .label(name, format!("more than {MAX_DEPTH} elements are open here"))
            .help("look for end tags that are missing further up; no schema of Oozie is deeper than a dozen elements")
    }
}
