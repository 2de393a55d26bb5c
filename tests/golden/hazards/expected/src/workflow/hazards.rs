// Compiled by hpdlc from `hazards/workflow.xml`.

use ::hpdlc_runtime::core::definition::{NodeId, Outcome};
use ::hpdlc_runtime::core::el::results;
use ::hpdlc_runtime::core::el::error::ElError;
use ::hpdlc_runtime::core::el::scope::{Scope, variable};
use ::hpdlc_runtime::table::{
    App, NodeDef, Outside, Parameter, ParameterDefault, Property, Template, Uses,
};

mod nodes;

/// The file, as it was given to the compiler.
const SOURCE: &str = "hazards/workflow.xml";

/// The application, for the runtime.
pub(super) static APP: App = App {
    name: Template::Outside(&Outside {
        file: SOURCE,
        line: 3,
        text: Template::Call(0, 21, "golden hazards ${wf-name}", app_name),
    }),
    source: SOURCE,
    folder: "",
    parameters: &[
        Parameter {
            name: "blank",
            default: Some(ParameterDefault::Declared(11, "")),
            is_optional: false,
            r#type: "string",
            uses: &[Uses { file: SOURCE, places: "74:37" }],
        },
        Parameter {
            name: "flag",
            default: Some(ParameterDefault::Configured("false")),
            is_optional: false,
            r#type: "boolean",
            uses: &[Uses { file: SOURCE, places: "45:31 47:47 86:30" }],
        },
        Parameter {
            name: "größe.in-MB",
            default: Some(ParameterDefault::Declared(7, "10")),
            is_optional: true,
            r#type: "number",
            uses: &[Uses { file: SOURCE, places: "43:40 48:40 63:38 117:38" }],
        },
        Parameter {
            name: "input-dir",
            default: Some(ParameterDefault::Declared(22, "a")),
            is_optional: true,
            r#type: "string",
            uses: &[Uses { file: SOURCE, places: "81:46" }],
        },
        Parameter {
            name: "inputDir",
            default: Some(ParameterDefault::Declared(26, "b")),
            is_optional: false,
            r#type: "string",
            uses: &[Uses { file: SOURCE, places: "80:37 81:60" }],
        },
        Parameter {
            name: "name",
            default: None,
            is_optional: false,
            r#type: "number",
            uses: &[Uses { file: SOURCE, places: "3:41" }],
        },
        Parameter {
            name: "nameNode",
            default: None,
            is_optional: false,
            r#type: "string",
            uses: &[
                Uses {
                    file: SOURCE,
                    places: "30:22 44:48 44:84 56:33 57:32 89:24 105:28",
                },
            ],
        },
        Parameter {
            name: "quoted",
            default: Some(ParameterDefault::Declared(15, "\"{r#\"\\\"}\"")),
            is_optional: false,
            r#type: "string",
            uses: &[Uses { file: SOURCE, places: "73:70" }],
        },
        Parameter {
            name: "retries",
            default: None,
            is_optional: false,
            r#type: "integer",
            uses: &[Uses { file: SOURCE, places: "52:39" }],
        },
        Parameter {
            name: "type",
            default: None,
            is_optional: false,
            r#type: "number",
            uses: &[
                Uses {
                    file: SOURCE,
                    places: "31:27 43:85 48:85 54:38 75:39 76:32 82:25 106:54 125:27 126:29 139:37",
                },
                Uses { file: "hazards/config-default.xml", places: "8:18" },
            ],
        },
        Parameter {
            name: "wf",
            default: None,
            is_optional: false,
            r#type: "number",
            uses: &[Uses { file: SOURCE, places: "3:38" }],
        },
    ],
    config_default: &[
        Property::Named(
            "flag",
            Template::Outside(&Outside {
                file: "hazards/config-default.xml",
                line: 4,
                text: Template::Literal(0, "false"),
            }),
        ),
        Property::Named(
            "derived",
            Template::Outside(&Outside {
                file: "hazards/config-default.xml",
                line: 8,
                text: Template::Text(0, 16, "${type}-default"),
            }),
        ),
    ],
    global: &[
        Property::Named(
            "global.property",
            Template::Outside(&Outside {
                file: SOURCE,
                line: 35,
                text: Template::Text(0, 24, "${concat(wf:user(), '!')}"),
            }),
        ),
    ],
    lines: &[39, 41, 52, 96, 102, 114, 123, 132, 146, 147, 153, 156, 159],
    start: Node::Start.id(),
    joins: &[(Node::Fork.id(), Node::Join.id())],
    def: def_of,
    next: next_of,
};

/// `golden hazards ${wf-name}`
pub(super) fn app_name(scope: &dyn Scope) -> Result<String, ElError> {
    let value = results::subtract(variable(scope, "wf"), variable(scope, "name"))?
        .into_text();
    Ok(format!("golden hazards {value}"))
}

/// From `hazards/workflow.xml:30`.
pub(super) static GLOBAL_NAME_NODE: Outside = Outside {
    file: SOURCE,
    line: 30,
    text: Template::Text(0, 20, "${nameNode}"),
};

/// From `hazards/workflow.xml:31`.
pub(super) static GLOBAL_JOB_XML_1: Outside = Outside {
    file: SOURCE,
    line: 31,
    text: Template::Text(0, 18, "global-${type}.xml"),
};

/// The nodes, in the order of the document.
enum Node {
    /// The start node, line 39.
    Start,
    /// The decision node `Self`, line 41.
    Self_,
    /// The shell action `match`, line 52.
    Match,
    /// The fork node `fork`, line 96.
    Fork,
    /// The fs action `a-b`, line 102.
    AB,
    /// The java action `a_b`, line 114.
    AB2,
    /// The java action `A-B`, line 123.
    AB3,
    /// The sub-workflow action `aB`, line 132.
    AB4,
    /// The join node `join`, line 146.
    Join,
    /// The decision node `crate`, line 147.
    Crate,
    /// The kill node `match-failed`, line 153.
    MatchFailed,
    /// The kill node `_`, line 156.
    Node,
    /// The end node `Node`, line 159.
    Node2,
}

impl Node {
    const ALL: &'static [Node; 13] = &[
        Node::Start,
        Node::Self_,
        Node::Match,
        Node::Fork,
        Node::AB,
        Node::AB2,
        Node::AB3,
        Node::AB4,
        Node::Join,
        Node::Crate,
        Node::MatchFailed,
        Node::Node,
        Node::Node2,
    ];

    /// The number by which the engine knows the node: its place in [`Node::ALL`].
    const fn id(self) -> NodeId {
        NodeId(self as u32)
    }

    fn of(id: NodeId) -> &'static Node {
        &Node::ALL[id.index()]
    }
}

/// What a node is.
fn def(node: &Node) -> &'static NodeDef {
    match node {
        Node::Start => &nodes::START,
        Node::Self_ => &nodes::SELF,
        Node::Match => &nodes::MATCH,
        Node::Fork => &nodes::FORK,
        Node::AB => &nodes::A_B,
        Node::AB2 => &nodes::A_B_2,
        Node::AB3 => &nodes::A_B_3,
        Node::AB4 => &nodes::A_B_4,
        Node::Join => &nodes::JOIN,
        Node::Crate => &nodes::CRATE,
        Node::MatchFailed => &nodes::MATCH_FAILED,
        Node::Node => &nodes::NODE,
        Node::Node2 => &nodes::NODE_2,
    }
}

/// Where a node leads.
fn next(node: &Node, outcome: Outcome) -> Option<NodeId> {
    match node {
        Node::Start => if_ok(outcome, Node::Self_),
        Node::Self_ => {
            if_case(
                outcome,
                &[
                    Node::Match.id(),
                    Node::Fork.id(),
                    Node::Fork.id(),
                    Node::Fork.id(),
                    Node::Fork.id(),
                    Node::Crate.id(),
                    Node::Node2.id(),
                ],
            )
        }
        Node::Match => if_ok_or_error(outcome, Node::Fork, Node::MatchFailed),
        Node::Fork => {
            if_branch(
                outcome,
                &[Node::AB.id(), Node::AB2.id(), Node::AB3.id(), Node::AB4.id()],
            )
        }
        Node::AB => if_ok_or_error(outcome, Node::Join, Node::MatchFailed),
        Node::AB2 => if_ok_or_error(outcome, Node::Join, Node::MatchFailed),
        Node::AB3 => if_ok_or_error(outcome, Node::Join, Node::MatchFailed),
        Node::AB4 => if_ok_or_error(outcome, Node::Join, Node::MatchFailed),
        Node::Join => if_joined(outcome, Node::Crate),
        Node::Crate => if_case(outcome, &[Node::Node.id(), Node::Node2.id()]),
        Node::MatchFailed => None,
        Node::Node => None,
        Node::Node2 => None,
    }
}

fn if_ok(outcome: Outcome, ok: Node) -> Option<NodeId> {
    match outcome {
        Outcome::Ok => Some(ok.id()),
        _ => None,
    }
}

fn if_ok_or_error(outcome: Outcome, ok: Node, error: Node) -> Option<NodeId> {
    match outcome {
        Outcome::Ok => Some(ok.id()),
        Outcome::Error => Some(error.id()),
        _ => None,
    }
}

/// The last one is the default.
fn if_case(outcome: Outcome, cases: &[NodeId]) -> Option<NodeId> {
    match outcome {
        Outcome::Case(number) => cases.get(number as usize).copied(),
        _ => None,
    }
}

fn if_branch(outcome: Outcome, branches: &[NodeId]) -> Option<NodeId> {
    match outcome {
        Outcome::Branch(number) => branches.get(number as usize).copied(),
        _ => None,
    }
}

fn if_joined(outcome: Outcome, joined: Node) -> Option<NodeId> {
    match outcome {
        Outcome::Joined => Some(joined.id()),
        _ => None,
    }
}

fn def_of(id: NodeId) -> &'static NodeDef {
    def(Node::of(id))
}

fn next_of(id: NodeId, outcome: Outcome) -> Option<NodeId> {
    next(Node::of(id), outcome)
}
