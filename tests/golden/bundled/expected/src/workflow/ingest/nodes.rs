// Compiled by hpdlc from `bundle.xml`.

use ::hpdlc_runtime::table::{
    Action, Body, NodeDef, NodeKind, Property, Retry, Settings, Shell, Template,
};
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
                settings: Settings {
                    elements: &[
                        Property::Text("exec", 2, "cp"),
                        Property::Property("argument", 3, 23, p::input),
                        Property::Property("argument", 4, 23, p::output),
                        Property::Property("argument", 5, 23, p::mode),
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
        kind: NodeKind::Kill { message: Template::Text(0, "not copied") },
    },
    // The end node `end`.
    NodeDef { name: "end", kind: NodeKind::End },
];
