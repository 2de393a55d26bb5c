// Compiled by hpdlc from `hazards/workflow.xml`.

use ::hpdlc_runtime::table::{NodeDef, NodeKind, Template};
use super::p;

/// In the order of the document.
pub(super) static NODES: [NodeDef; 3] = [
    // The start node.
    NodeDef { name: ":start:", kind: NodeKind::Start },
    // The kill node `never`.
    NodeDef {
        name: "never",
        kind: NodeKind::Kill { message: Template::Property(1, 18, p::title) },
    },
    // The end node `end`.
    NodeDef { name: "end", kind: NodeKind::End },
];
