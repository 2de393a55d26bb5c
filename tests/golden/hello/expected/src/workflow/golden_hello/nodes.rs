// Compiled by hpdlc from `hello/workflow.xml`.

use ::hpdlc_runtime::table::{Action, Body, NodeDef, NodeKind, Retry, Shell, Template};
use super::p;

/// In the order of the document.
pub(super) static NODES: [NodeDef; 4] = [
    // The start node.
    NodeDef { name: ":start:", kind: NodeKind::Start },
    // The shell action `greet`.
    NodeDef {
        name: "greet",
        kind: NodeKind::Action(Action {
            retry: Retry::EMPTY,
            body: Body::Shell(Shell {
                exec: Template::Text(2, "echo"),
                arguments: &[Template::Around(3, 23, "Hello, ", p::name, "")],
                ..Shell::EMPTY
            }),
        }),
    },
    // The kill node `failed`.
    NodeDef {
        name: "failed",
        kind: NodeKind::Kill { message: Template::Text(1, "nobody was greeted") },
    },
    // The end node `end`.
    NodeDef { name: "end", kind: NodeKind::End },
];
