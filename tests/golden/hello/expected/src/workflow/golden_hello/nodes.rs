// Compiled by hpdlc from `hello/workflow.xml`.

use ::hpdlc_runtime::table::{
    Action, Body, NodeDef, NodeKind, Property, Retry, Settings, Shell, Template,
};
use super::p;

/// The start node.
pub(super) static START: NodeDef = NodeDef { name: ":start:", kind: NodeKind::Start };

/// The shell action `greet`.
pub(super) static GREET: NodeDef = NodeDef {
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
};

/// The kill node `failed`.
pub(super) static FAILED: NodeDef = NodeDef {
    name: "failed",
    kind: NodeKind::Kill { message: Template::Text(1, "nobody was greeted") },
};

/// The end node `end`.
pub(super) static END: NodeDef = NodeDef { name: "end", kind: NodeKind::End };
