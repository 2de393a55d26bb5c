// Compiled by hpdlc from `hello/workflow.xml`.

use ::hpdlc_runtime::table::{
    Action, Body, NodeDef, NodeKind, Properties, Retry, Settings, Shell, Template,
};

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
                    Properties::Lines("
                        2 exec = echo
                        3:23 argument = Hello, ${name}
                    "),
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
    kind: NodeKind::Kill { message: Template::Literal(1, "nobody was greeted") },
};

/// The end node `end`.
pub(super) static END: NodeDef = NodeDef { name: "end", kind: NodeKind::End };
