use crate::{
    diagnostics::{Diagnostic, lint, message, step},
    source::Span,
};

lint!(Warn, deleted_inputs);

/// A path that an action reads after an earlier one has deleted it, or a folder above it.
pub(crate) struct DeletedInput {
    pub(crate) path: String,
    pub(crate) used: Span,
    pub(crate) node: String,
    pub(crate) deleted: Span,
    pub(crate) deleted_path: String,
    /// The nodes from the one that deletes to the one that reads, each with whether an error leads to it.
    pub(crate) way: Vec<(String, bool)>,
}

message!(DeletedInput, |path,
                        used,
                        node,
                        deleted,
                        deleted_path,
                        way| {
    let steps: Vec<String> = way
        .iter()
        .map(|(node, is_error)| step(node, *is_error))
        .collect();
    Diagnostic::new(
        &LINT,
        used,
        format!("`{node}` reads `{path}`, which has been deleted"),
    )
    .label(used, "read here")
    .label(deleted, format!("`{deleted_path}` is deleted here"))
    .note(format!("one way: {}", steps.join(" -> ")))
    .note("no action names it to write it again")
});
