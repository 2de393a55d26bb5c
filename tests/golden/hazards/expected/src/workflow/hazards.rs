// Compiled by hpdlc from `hazards/workflow.xml`.

use ::hpdlc_runtime::core::definition::NodeId;
use ::hpdlc_runtime::core::el::results;
use ::hpdlc_runtime::core::el::functions::{Needs, basic, wf};
use ::hpdlc_runtime::core::el::error::ElError;
use ::hpdlc_runtime::core::el::scope::{Scope, variable};
use ::hpdlc_runtime::core::el::value::Value;
use ::hpdlc_runtime::table::{
    App, Next, Outside, Parameter, ParameterDefault, Part, Placed, Property, Row, Sla,
    SlaTexts, Template, Uses, definitions,
};

mod nodes;
/// The names of the properties that the texts read.
#[allow(non_upper_case_globals)]
mod p;

/// The file, as it was given to the compiler.
const SOURCE: &str = "hazards/workflow.xml";

/// The application, for the runtime.
pub(super) static APP: App = App {
    name: Template::Outside(&Outside {
        file: SOURCE,
        line: 3,
        text: Template::Parts(
            0,
            21,
            "golden hazards ${wf-name}",
            &[
                Part::Text("golden hazards "),
                Part::Code(Needs::Nothing, &[p::name, p::wf, "wf-name"], app_name),
            ],
        ),
    }),
    source: SOURCE,
    folder: "",
    parameters: &[
        Parameter {
            name: "blank",
            default: Some(ParameterDefault::Declared(11, "")),
            is_optional: false,
            r#type: "string",
            description: None,
            uses: &[Uses { file: SOURCE, places: "91:37" }],
        },
        Parameter {
            name: "day",
            default: None,
            is_optional: false,
            r#type: "date",
            description: None,
            uses: &[Uses { file: SOURCE, places: "164:33 198:29" }],
        },
        Parameter {
            name: "flag",
            default: Some(ParameterDefault::Configured("false")),
            is_optional: false,
            r#type: "boolean",
            description: None,
            uses: &[Uses { file: SOURCE, places: "45:31 47:47 103:30 178:155" }],
        },
        Parameter {
            name: "größe.in-MB",
            default: Some(ParameterDefault::Declared(7, "10")),
            is_optional: true,
            r#type: "number",
            description: None,
            uses: &[Uses { file: SOURCE, places: "43:40 48:40 63:38 134:38" }],
        },
        Parameter {
            name: "input-dir",
            default: Some(ParameterDefault::Declared(22, "a")),
            is_optional: true,
            r#type: "string",
            description: None,
            uses: &[Uses { file: SOURCE, places: "98:46" }],
        },
        Parameter {
            name: "inputDir",
            default: Some(ParameterDefault::Declared(26, "b")),
            is_optional: false,
            r#type: "string",
            description: None,
            uses: &[Uses { file: SOURCE, places: "97:37 98:60" }],
        },
        Parameter {
            name: "name",
            default: None,
            is_optional: false,
            r#type: "number",
            description: None,
            uses: &[Uses { file: SOURCE, places: "3:41" }],
        },
        Parameter {
            name: "nameNode",
            default: None,
            is_optional: false,
            r#type: "uri",
            description: None,
            uses: &[
                Uses {
                    file: SOURCE,
                    places: "30:22 44:48 44:84 56:33 57:32 106:24 122:28",
                },
            ],
        },
        Parameter {
            name: "quoted",
            default: Some(ParameterDefault::Declared(15, "\"{r#\"\\\"}\"")),
            is_optional: false,
            r#type: "string",
            description: None,
            uses: &[Uses { file: SOURCE, places: "90:70" }],
        },
        Parameter {
            name: "retries",
            default: None,
            is_optional: false,
            r#type: "integer",
            description: None,
            uses: &[Uses { file: SOURCE, places: "52:39" }],
        },
        Parameter {
            name: "title",
            default: None,
            is_optional: false,
            r#type: "string",
            description: None,
            uses: &[Uses { file: SOURCE, places: "167:45" }],
        },
        Parameter {
            name: "type",
            default: None,
            is_optional: false,
            r#type: "number",
            description: None,
            uses: &[
                Uses {
                    file: SOURCE,
                    places: "31:27 43:85 48:85 54:38 92:39 93:32 99:25 123:54 142:27 143:29 156:37 185:32",
                },
                Uses { file: "hazards/config-default.xml", places: "8:18" },
            ],
        },
        Parameter {
            name: "wf",
            default: None,
            is_optional: false,
            r#type: "number",
            description: None,
            uses: &[Uses { file: SOURCE, places: "3:38" }],
        },
    ],
    config_default: &[
        Property::Template(
            "flag",
            Template::Outside(&Outside {
                file: "hazards/config-default.xml",
                line: 4,
                text: Template::Text(0, "false"),
            }),
        ),
        Property::Template(
            "derived",
            Template::Outside(&Outside {
                file: "hazards/config-default.xml",
                line: 8,
                text: Template::Around(0, 16, "", p::r#type, "-default"),
            }),
        ),
    ],
    global: &[
        Property::Template(
            "global.property",
            Template::Outside(&Outside {
                file: SOURCE,
                line: 35,
                text: Template::Parts(
                    0,
                    24,
                    "${concat(wf:user(), '!')}",
                    &[Part::Call(&basic::CONCAT, &[Part::Call(&wf::USER, &[]), Part::Text("!")])],
                ),
            }),
        ),
    ],
    slas: &[
        Sla {
            node: None,
            texts: SlaTexts {
                nominal_time: Some(Template::Outside(&Outside {
                    file: SOURCE,
                    line: 198,
                    text: Template::Property(0, 27, p::day),
                })),
                should_end: Some(Template::Outside(&Outside {
                    file: SOURCE,
                    line: 199,
                    text: Template::Parts(
                        0,
                        25,
                        "${10 * MINUTES}",
                        &[Part::Code(Needs::Nothing, &[p::MINUTES], sla_should_end)],
                    ),
                })),
                max_duration: Some(Template::Outside(&Outside {
                    file: SOURCE,
                    line: 200,
                    text: Template::Property(0, 27, p::DAYS),
                })),
                alert_events: Some(Template::Outside(&Outside {
                    file: SOURCE,
                    line: 201,
                    text: Template::Text(0, "start_miss,end_miss"),
                })),
                ..SlaTexts::EMPTY
            },
        },
        Sla {
            node: Some(Node::AB4.id()),
            texts: SlaTexts {
                nominal_time: Some(Template::Property(15, 31, p::day)),
                should_start: Some(Template::Parts(
                    16,
                    31,
                    "${10 * MINUTES}",
                    &[Part::Code(Needs::Nothing, &[p::MINUTES], sla_should_end)],
                )),
                should_end: Some(Template::Text(17, "90")),
                alert_contact: Some(Template::Text(19, "ann@example.com")),
                notification_msg: Some(Template::Placed(&Placed {
                    text: Template::Around(18, 35, "a & ", p::title, ""),
                    expressions: &[(0, 43)],
                })),
                app_name: Some(Template::Text(14, "the { of \"it\"")),
                dev_contact: Some(Template::Text(20, "")),
                qa_contact: Some(Template::Text(21, "")),
                se_contact: Some(Template::Text(22, "")),
                ..SlaTexts::EMPTY
            },
        },
    ],
    lines: &[39, 41, 52, 113, 119, 131, 140, 149, 174, 175, 182, 190, 193, 196],
    start: Node::Start.id(),
    joins: &[(Node::Fork.id(), Node::Join.id())],
    functions: &[],
    rows: &ROWS,
    definitions: &definitions(&ROWS, [&nodes::NODES]),
};

/// `wf-name`
pub(super) fn app_name(scope: &dyn Scope) -> Result<Value, ElError> {
    results::subtract(variable(scope, "wf"), variable(scope, "name"))
}

/// `10 * MINUTES`
pub(super) fn sla_should_end(scope: &dyn Scope) -> Result<Value, ElError> {
    results::multiply(Ok(Value::Long(10)), variable(scope, "MINUTES"))
}

/// From `hazards/workflow.xml:30`.
pub(super) static GLOBAL_NAME_NODE: Outside = Outside {
    file: SOURCE,
    line: 30,
    text: Template::Property(0, 20, p::nameNode),
};

/// From `hazards/workflow.xml:31`.
pub(super) static GLOBAL_JOB_XML_1: Outside = Outside {
    file: SOURCE,
    line: 31,
    text: Template::Around(0, 18, "global-", p::r#type, ".xml"),
};

/// The nodes, in the order of the document.
enum Node {
    /// The start node, line 39.
    Start,
    /// The decision node `Self`, line 41.
    Self_,
    /// The shell action `match`, line 52.
    Match,
    /// The fork node `fork`, line 113.
    Fork,
    /// The fs action `a-b`, line 119.
    AB,
    /// The java action `a_b`, line 131.
    AB2,
    /// The java action `A-B`, line 140.
    AB3,
    /// The sub-workflow action `aB`, line 149.
    AB4,
    /// The join node `join`, line 174.
    Join,
    /// The decision node `crate`, line 175.
    Crate,
    /// The shell action `load_as_long_as_a_name_may_be_as_long_as_a_name_may_be_as_long_as_a_name_may_be_as_long_as_a_name_may_be_as_long_as_a_name_mayxx`, line 182.
    LoadAsLongAsANameMayBeAsLongAsANameMayBeAsLongAsANameMayBeAsLongAsANameMayBeAsLongAsANameMayxx,
    /// The kill node `match-failed`, line 190.
    MatchFailed,
    /// The kill node `_`, line 193.
    Node,
    /// The end node `Node`, line 196.
    Node2,
}

impl Node {
    /// The number of the node in the engine: its position in the document.
    const fn id(self) -> NodeId {
        NodeId(self as u32)
    }
}

/// The number of each node, the number of its file, and its transitions.
static ROWS: [Row; 14] = [
    Row(Node::Start.id(), 0, Next::Ok(Node::Self_.id())),
    Row(
        Node::Self_.id(),
        0,
        Next::Case(&[
            Node::Match.id(),
            Node::Fork.id(),
            Node::Fork.id(),
            Node::Fork.id(),
            Node::Fork.id(),
            Node::Crate.id(),
            Node::Node2.id(),
        ]),
    ),
    Row(Node::Match.id(), 0, Next::OkOrError(Node::Fork.id(), Node::MatchFailed.id())),
    Row(
        Node::Fork.id(),
        0,
        Next::Branch(&[Node::AB.id(), Node::AB2.id(), Node::AB3.id(), Node::AB4.id()]),
    ),
    Row(Node::AB.id(), 0, Next::OkOrError(Node::Join.id(), Node::MatchFailed.id())),
    Row(Node::AB2.id(), 0, Next::OkOrError(Node::Join.id(), Node::MatchFailed.id())),
    Row(Node::AB3.id(), 0, Next::OkOrError(Node::Join.id(), Node::MatchFailed.id())),
    Row(Node::AB4.id(), 0, Next::OkOrError(Node::Join.id(), Node::MatchFailed.id())),
    Row(Node::Join.id(), 0, Next::Joined(Node::Crate.id())),
    Row(
        Node::Crate.id(),
        0,
        Next::Case(&[
            Node::Node.id(),
            Node::LoadAsLongAsANameMayBeAsLongAsANameMayBeAsLongAsANameMayBeAsLongAsANameMayBeAsLongAsANameMayxx.id(),
            Node::Node2.id(),
        ]),
    ),
    Row(
        Node::LoadAsLongAsANameMayBeAsLongAsANameMayBeAsLongAsANameMayBeAsLongAsANameMayBeAsLongAsANameMayxx.id(),
        0,
        Next::OkOrError(Node::Node2.id(), Node::MatchFailed.id()),
    ),
    Row(Node::MatchFailed.id(), 0, Next::None),
    Row(Node::Node.id(), 0, Next::None),
    Row(Node::Node2.id(), 0, Next::None),
];
