// Compiled by hpdlc from `hazards/workflow.xml`.

use ::hpdlc_runtime::core::definition::{NodeId, Outcome};
use ::hpdlc_runtime::table::{App, NodeDef, Outside, Parameter, Template, Uses};

mod nodes;
/// The names of the properties that the texts read.
#[allow(non_upper_case_globals)]
mod p;

/// The file, as it was given to the compiler.
const SOURCE: &str = "hazards/child/workflow.xml";

/// The application, for the runtime.
pub(super) static APP: App = App {
    name: Template::Outside(&Outside {
        file: SOURCE,
        line: 1,
        text: Template::Text(0, "golden hazards"),
    }),
    source: SOURCE,
    folder: "child",
    parameters: &[
        Parameter {
            name: "title",
            default: None,
            is_optional: false,
            r#type: "string",
            description: None,
            uses: &[Uses { file: SOURCE, places: "4:20" }],
        },
    ],
    config_default: &[],
    global: &[],
    slas: &[],
    lines: &[2, 3, 6],
    start: Node::Start.id(),
    joins: &[],
    def: def_of,
    next: next_of,
};

/// The nodes, in the order of the document.
enum Node {
    /// The start node, line 2.
    Start,
    /// The kill node `never`, line 3.
    Never,
    /// The end node `end`, line 6.
    End,
}

impl Node {
    const ALL: &'static [Node; 3] = &[Node::Start, Node::Never, Node::End];

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
        Node::Never => &nodes::NEVER,
        Node::End => &nodes::END,
    }
}

/// Where a node leads.
fn next(node: &Node, outcome: Outcome) -> Option<NodeId> {
    match node {
        Node::Start => if_ok(outcome, Node::End),
        Node::Never => None,
        Node::End => None,
    }
}

fn if_ok(outcome: Outcome, ok: Node) -> Option<NodeId> {
    match outcome {
        Outcome::Ok => Some(ok.id()),
        _ => None,
    }
}

fn def_of(id: NodeId) -> &'static NodeDef {
    def(Node::of(id))
}

fn next_of(id: NodeId, outcome: Outcome) -> Option<NodeId> {
    next(Node::of(id), outcome)
}
