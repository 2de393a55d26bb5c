// Compiled by hpdlc from `bundle.xml`.

use ::hpdlc_runtime::core::definition::{NodeId, Outcome};
use ::hpdlc_runtime::table::{App, NodeDef, Outside, Parameter, Template, Uses};

mod nodes;
/// The names of the properties that the texts read.
#[allow(non_upper_case_globals)]
mod p;

/// The file, as it was given to the compiler.
const SOURCE: &str = "ingest/workflow.xml";

/// The application, for the runtime.
pub(super) static APP: App = App {
    name: Template::Outside(&Outside { file: SOURCE, line: 1, text: Template::Text(0, "ingest") }),
    source: SOURCE,
    folder: "ingest",
    parameters: &[
        Parameter {
            name: "input",
            default: None,
            is_optional: false,
            r#type: "string",
            description: None,
            uses: &[Uses { file: SOURCE, places: "6:25" }],
        },
        Parameter {
            name: "mode",
            default: None,
            is_optional: false,
            r#type: "string",
            description: None,
            uses: &[Uses { file: SOURCE, places: "8:25" }],
        },
        Parameter {
            name: "output",
            default: None,
            is_optional: false,
            r#type: "string",
            description: None,
            uses: &[Uses { file: SOURCE, places: "7:25" }],
        },
    ],
    config_default: &[],
    global: &[],
    slas: &[],
    lines: &[2, 3, 13, 14],
    start: Node::Start.id(),
    joins: &[],
    def: def_of,
    next: next_of,
};

/// The nodes, in the order of the document.
enum Node {
    /// The start node, line 2.
    Start,
    /// The shell action `copy`, line 3.
    Copy,
    /// The kill node `failed`, line 13.
    Failed,
    /// The end node `end`, line 14.
    End,
}

impl Node {
    const ALL: &'static [Node; 4] = &[Node::Start, Node::Copy, Node::Failed, Node::End];

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
        Node::Copy => &nodes::COPY,
        Node::Failed => &nodes::FAILED,
        Node::End => &nodes::END,
    }
}

/// Where a node leads.
fn next(node: &Node, outcome: Outcome) -> Option<NodeId> {
    match node {
        Node::Start => if_ok(outcome, Node::Copy),
        Node::Copy => if_ok_or_error(outcome, Node::End, Node::Failed),
        Node::Failed => None,
        Node::End => None,
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

fn def_of(id: NodeId) -> &'static NodeDef {
    def(Node::of(id))
}

fn next_of(id: NodeId, outcome: Outcome) -> Option<NodeId> {
    next(Node::of(id), outcome)
}
