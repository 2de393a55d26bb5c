// Compiled by hpdlc from `bundle.xml`.

use ::hpdlc_runtime::table::{
    Action, Body, NodeDef, NodeKind, Properties, Retry, Settings, Shell, Template,
};

/// The start node.
pub(super) static START: NodeDef = NodeDef { name: ":start:", kind: NodeKind::Start };

/// The shell action `copy`.
pub(super) static COPY: NodeDef = NodeDef {
    name: "copy",
    kind: NodeKind::Action(Action {
        retry: Retry::EMPTY,
        body: Body::Shell(Shell {
            settings: Settings {
                elements: &[
                    Properties::Lines("
                        2 exec = cp
                        3:23 argument = ${input}
                        4:23 argument = ${output}
                        5:23 argument = ${mode}
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
    kind: NodeKind::Kill { message: Template::Literal(0, "not copied") },
};

/// The end node `end`.
pub(super) static END: NodeDef = NodeDef { name: "end", kind: NodeKind::End };
