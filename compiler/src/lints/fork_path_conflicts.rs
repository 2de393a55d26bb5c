use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, fork_path_conflicts);

/// A path that one branch of a fork deletes or moves while another branch uses it.
pub(crate) struct ForkPathConflict {
    pub(crate) path: String,
    /// Where it is deleted or moved.
    pub(crate) removed: Span,
    pub(crate) is_moved: bool,
    pub(crate) used: Span,
    /// The node that removes it, and the one that uses it.
    pub(crate) nodes: [String; 2],
    pub(crate) fork: String,
    pub(crate) fork_place: Span,
}

message!(ForkPathConflict, |path,
                            removed,
                            is_moved,
                            used,
                            nodes,
                            fork,
                            fork_place| {
    let [remover, user] = nodes;
    let verb = if is_moved { "moves" } else { "deletes" };
    Diagnostic::new(
        &LINT,
        removed,
        format!("`{remover}` {verb} `{path}` while `{user}` may use it"),
    )
    .label(removed, format!("one branch {verb} it"))
    .label(used, "another branch uses it")
    .label(
        fork_place,
        format!("the branches of `{fork}` run at the same time"),
    )
    .help("do it before the fork or after its join")
});
