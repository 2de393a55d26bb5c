use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "oversized_definitions",
    default_level: LintLevel::Allow,
    oozie: &["E0736"],
    explanation: include_str!("oversized_definitions.md"),
};

/// How long a definition may be that Oozie takes, in bytes, unless `oozie.service.WorkflowAppService.WorkflowDefinitionMaxLength`
/// says otherwise.
pub(super) const LARGEST_FOR_OOZIE: usize = 100_000;

/// A workflow that is longer than Oozie takes by default.
pub(super) struct OversizedDefinition {
    /// In bytes.
    pub(super) length: usize,
    /// The name in the root's start tag.
    pub(super) root: Span,
}

impl IntoDiagnostic for OversizedDefinition {
    fn into_diagnostic(self) -> Diagnostic {
        let OversizedDefinition { length, root } = self;
        Diagnostic::new(
            &LINT,
            root,
            format!("the definition has {length} bytes"),
        )
        .label(
            root,
            format!("Oozie takes {LARGEST_FOR_OOZIE} bytes unless its server is configured otherwise"),
        )
        .note("it works here; Oozie refuses the document with E0736")
        .help("move part of it into a workflow of its own, which a `sub-workflow` action runs, or settings that actions share into `global`")
    }
}
