// Compiled by hpdlc from `bundle.xml`.

use ::hpdlc_runtime::table::{
    Action, Body, NodeDef, NodeKind, Property, Retry, Settings, Shell, Template,
};
use super::p;

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
};

/// The kill node `failed`.
pub(super) static FAILED: NodeDef = NodeDef {
    name: "failed",
    kind: NodeKind::Kill { message: Template::Text(0, "not copied") },
};

/// The end node `end`.
pub(super) static END: NodeDef = NodeDef { name: "end", kind: NodeKind::End };
