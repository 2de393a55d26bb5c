use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "actions_without_cluster",
    default_level: LintLevel::Allow,
    oozie: &["E0701"],
    explanation: include_str!("actions_without_cluster.md"),
};

/// An action of a type that Oozie runs on a cluster, for which nothing names one.
pub(crate) struct ActionWithoutCluster {
    pub(crate) action: String,
    pub(crate) has_name_node: bool,
    pub(crate) has_cluster: bool,
    /// The name in the body's start tag.
    pub(crate) place: Span,
}

impl IntoDiagnostic for ActionWithoutCluster {
    fn into_diagnostic(self) -> Diagnostic {
        let ActionWithoutCluster {
            action,
            has_name_node,
            has_cluster,
            place,
        } = self;
        let missing = match (has_name_node, has_cluster) {
            (true, _) => "`resource-manager`",
            (false, true) => "`name-node`",
            (false, false) => "`name-node` and no `resource-manager`",
        };
        Diagnostic::new(&LINT, place, format!("action `{action}` has no {missing}"))
            .label(place, "`global` has none either")
            .note("Oozie refuses the workflow unless its server has defaults")
    }
}
