// Compiled by hpdlc from `bundle.xml`.

use ::hpdlc_runtime::core::definition::NodeId;
use ::hpdlc_runtime::table::{App, Next, Outside, Row, Template, definitions};

mod nodes;

/// The file, as it was given to the compiler.
const SOURCE: &str = "rollup/workflow/workflow.xml";

/// The application, for the runtime.
pub(super) static APP: App = App {
    name: Template::Outside(&Outside {
        file: SOURCE,
        line: 1,
        text: Template::Text(0, "roll-up"),
    }),
    source: SOURCE,
    folder: "rollup/workflow",
    parameters: &[],
    config_default: &[],
    global: &[],
    slas: &[],
    lines: &[2, 3],
    start: Node::Start.id(),
    joins: &[],
    functions: &[],
    rows: &ROWS,
    definitions: &definitions(&ROWS, [&nodes::NODES]),
};

/// The nodes, in the order of the document.
enum Node {
    /// The start node, line 2.
    Start,
    /// The end node `end`, line 3.
    End,
}

impl Node {
    /// The number of the node in the engine: its position in the document.
    const fn id(self) -> NodeId {
        NodeId(self as u32)
    }
}

/// The number of each node, the number of its file, and its transitions.
static ROWS: [Row; 2] = [
    Row(Node::Start.id(), 0, Next::Ok(Node::End.id())),
    Row(Node::End.id(), 0, Next::None),
];
