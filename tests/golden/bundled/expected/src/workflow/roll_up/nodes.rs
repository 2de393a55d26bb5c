// Compiled by hpdlc from `bundle.xml`.

use ::hpdlc_runtime::table::{NodeDef, NodeKind};

/// The start node.
pub(super) static START: NodeDef = NodeDef { name: ":start:", kind: NodeKind::Start };

/// The end node `end`.
pub(super) static END: NodeDef = NodeDef { name: "end", kind: NodeKind::End };
