use crate::{
    diagnostics::{Diagnostic, lint, message, step},
    source::Span,
};

lint!(Warn, deleted_inputs);

/// A path that an action needs and that has been removed before, or a folder above it.
pub(crate) struct DeletedInput {
    pub(crate) path: String,
    pub(crate) used: Span,
    /// It is the source of a `move`. Otherwise it is read.
    pub(crate) is_moved: bool,
    pub(crate) node: String,
    pub(crate) deleted: Span,
    pub(crate) deleted_path: String,
    pub(crate) deletion: Deletion,
}

/// What has removed it.
pub(crate) enum Deletion {
    /// An earlier action.
    Earlier {
        /// The nodes from the one that deletes to the one that reads, each with whether an error leads to it.
        way: Vec<(String, bool)>,
    },
    /// The `prepare` of the action itself.
    Prepare,
    /// An earlier operation of the action itself: it may have moved it away.
    Operation { is_moved: bool },
}

message!(DeletedInput, |path,
                        used,
                        is_moved,
                        node,
                        deleted,
                        deleted_path,
                        deletion| {
    let (verb, label) = if is_moved {
        ("moves", "moved here")
    } else {
        ("reads", "read here")
    };
    let gone = match deletion {
        Deletion::Operation { is_moved: true } => "moved away",
        Deletion::Operation { .. } | Deletion::Prepare | Deletion::Earlier { .. } => "deleted",
    };
    let diagnostic = Diagnostic::new(
        &LINT,
        used,
        format!("`{node}` {verb} `{path}`, which has been {gone}"),
    )
    .label(used, label)
    .label(deleted, format!("`{deleted_path}` is {gone} here"));
    match deletion {
        Deletion::Earlier { way } => {
            let steps: Vec<String> = way
                .iter()
                .map(|(node, is_error)| step(node, *is_error))
                .collect();
            diagnostic
                .note(format!("one way: {}", steps.join(" -> ")))
                .note("no action on it names the path to write it again")
        }
        Deletion::Prepare => diagnostic
            .note("`prepare` is carried out before the action reads its input")
            .help("delete only what the action writes, such as its output folder"),
        Deletion::Operation { .. } => diagnostic
            .note("the operations are carried out in this order, and are not undone: the action ends in ERROR with FS006")
            .help("move it first"),
    }
});
