// Compiled by hpdlc from `bundle.xml`.

use ::hpdlc_runtime::core::definition::NodeId;
use ::hpdlc_runtime::table::{
    App, Next, Outside, Parameter, Row, Template, Uses, definitions,
};

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
    functions: &[],
    rows: &ROWS,
    definitions: &definitions(&ROWS, [&nodes::NODES]),
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
    /// The number of the node in the engine: its position in the document.
    const fn id(self) -> NodeId {
        NodeId(self as u32)
    }
}

/// The number of each node, the number of its file, and its transitions.
static ROWS: [Row; 4] = [
    Row(Node::Start.id(), 0, Next::Ok(Node::Copy.id())),
    Row(Node::Copy.id(), 0, Next::OkOrError(Node::End.id(), Node::Failed.id())),
    Row(Node::Failed.id(), 0, Next::None),
    Row(Node::End.id(), 0, Next::None),
];
