// Compiled by hpdlc from `bundle.xml`.

use ::hpdlc_runtime::table::{Action, Body, NodeDef, NodeKind, Retry, Shell, Template};
use super::p;

/// In the order of the document.
pub(super) static NODES: [NodeDef; 4] = [
    // The start node.
    NodeDef { name: ":start:", kind: NodeKind::Start },
    // The shell action `copy`.
    NodeDef {
        name: "copy",
        kind: NodeKind::Action(Action {
            retry: Retry::EMPTY,
            body: Body::Shell(Shell {
                exec: Template::Text(2, "cp"),
                arguments: &[
                    Template::Property(3, 23, p::input),
                    Template::Property(4, 23, p::output),
                    Template::Property(5, 23, p::mode),
                ],
                ..Shell::EMPTY
            }),
        }),
    },
    // The kill node `failed`.
    NodeDef {
        name: "failed",
        kind: NodeKind::Kill { message: Template::Text(0, "not copied") },
    },
    // The end node `end`.
    NodeDef { name: "end", kind: NodeKind::End },
];
