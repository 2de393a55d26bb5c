// Compiled by hpdlc from `hello/workflow.xml`.

use ::hpdlc_runtime::core::definition::NodeId;
use ::hpdlc_runtime::table::{
    App, Next, Outside, Parameter, Row, Template, Uses, definitions,
};

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
    functions: &[],
    rows: &ROWS,
    definitions: &definitions(&ROWS, [&nodes::NODES]),
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
    /// The number of the node in the engine: its position in the document.
    const fn id(self) -> NodeId {
        NodeId(self as u32)
    }
}

/// The number of each node, the number of its file, and its transitions.
static ROWS: [Row; 4] = [
    Row(Node::Start.id(), 0, Next::Ok(Node::Greet.id())),
    Row(Node::Greet.id(), 0, Next::OkOrError(Node::End.id(), Node::Failed.id())),
    Row(Node::Failed.id(), 0, Next::None),
    Row(Node::End.id(), 0, Next::None),
];
