// Compiled by hpdlc from `hazards/workflow.xml`.

use ::hpdlc_runtime::core::definition::NodeId;
use ::hpdlc_runtime::table::{
    App, Next, Outside, Parameter, Row, Template, Uses, definitions,
};

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
    functions: &[],
    rows: &ROWS,
    definitions: &definitions(&ROWS, [&nodes::NODES]),
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
    /// The number of the node in the engine: its position in the document.
    const fn id(self) -> NodeId {
        NodeId(self as u32)
    }
}

/// The number of each node, the number of its file, and its transitions.
static ROWS: [Row; 3] = [
    Row(Node::Start.id(), 0, Next::Ok(Node::End.id())),
    Row(Node::Never.id(), 0, Next::None),
    Row(Node::End.id(), 0, Next::None),
];
