// Compiled by hpdlc from `hello/workflow.xml`.

use ::hpdlc_runtime::core::definition::{NodeId, Outcome};
use ::hpdlc_runtime::table::{App, NodeDef, Outside, Parameter, Template, Uses};

mod nodes;
/// The names of the properties that the texts read.
#[allow(non_upper_case_globals)]
mod p;

/// The file, as it was given to the compiler.
const SOURCE: &str = "hello/workflow.xml";

/// The application, for the runtime.
pub(super) static APP: App = App {
    name: Template::Outside(&Outside {
        file: SOURCE,
        line: 1,
        text: Template::Text(0, "golden-hello"),
    }),
    source: SOURCE,
    folder: "",
    parameters: &[
        Parameter {
            name: "name",
            default: None,
            is_optional: false,
            r#type: "string",
            description: None,
            uses: &[Uses { file: SOURCE, places: "6:32" }],
        },
    ],
    config_default: &[],
    global: &[],
    slas: &[],
    lines: &[2, 3, 11, 14],
    start: Node::Start.id(),
    joins: &[],
    def: def_of,
    next: next_of,
};

/// The nodes, in the order of the document.
enum Node {
    /// The start node, line 2.
    Start,
    /// The shell action `greet`, line 3.
    Greet,
    /// The kill node `failed`, line 11.
    Failed,
    /// The end node `end`, line 14.
    End,
}

impl Node {
    const ALL: &'static [Node; 4] = &[Node::Start, Node::Greet, Node::Failed, Node::End];

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
        Node::Greet => &nodes::GREET,
        Node::Failed => &nodes::FAILED,
        Node::End => &nodes::END,
    }
}

/// Where a node leads.
fn next(node: &Node, outcome: Outcome) -> Option<NodeId> {
    match node {
        Node::Start => if_ok(outcome, Node::Greet),
        Node::Greet => if_ok_or_error(outcome, Node::End, Node::Failed),
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
