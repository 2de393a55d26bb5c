use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Allow, oversized_definitions, ["E0736"]);

/// The maximum length of a definition that Oozie accepts, in bytes, by the default of
/// `oozie.service.WorkflowAppService.WorkflowDefinitionMaxLength`.
pub(super) const LARGEST_FOR_OOZIE: usize = 100_000;

/// A workflow that is longer than Oozie accepts by default.
pub(super) struct OversizedDefinition {
    /// In bytes.
    pub(super) length: usize,
    /// The name in the root's start tag.
    pub(super) root: Span,
}

message!(OversizedDefinition, |length, root| {
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
    .help_xml("move part of it into a workflow of its own, which a `sub-workflow` action runs, or settings that actions share into `global`")
});
