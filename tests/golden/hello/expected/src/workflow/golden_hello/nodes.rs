// Compiled by hpdlc from `hello/workflow.xml`.

use ::hpdlc_runtime::table::{
    Action, Body, NodeDef, NodeKind, Property, Retry, Settings, Shell, Template,
};
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
                settings: Settings {
                    elements: &[
                        Property::Text("exec", 2, "echo"),
                        Property::Around("argument", 3, 23, "Hello, ", p::name, ""),
                    ],
                    ..Settings::EMPTY
                },
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
