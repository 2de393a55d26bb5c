// Compiled by hpdlc from `bundle.xml`.

use ::hpdlc_runtime::table::{NodeDef, NodeKind};

/// In the order of the document.
pub(super) static NODES: [NodeDef; 2] = [
    // The start node.
    NodeDef { name: ":start:", kind: NodeKind::Start },
    // The end node `end`.
    NodeDef { name: "end", kind: NodeKind::End },
];
