// Compiled by hpdlc from `hazards/workflow.xml`.

use ::hpdlc_runtime::table::{NodeDef, NodeKind, Template};
use super::p;

/// The start node.
pub(super) static START: NodeDef = NodeDef { name: ":start:", kind: NodeKind::Start };

/// The kill node `never`.
pub(super) static NEVER: NodeDef = NodeDef {
    name: "never",
    kind: NodeKind::Kill { message: Template::Property(1, 18, p::title) },
};

/// The end node `end`.
pub(super) static END: NodeDef = NodeDef { name: "end", kind: NodeKind::End };
