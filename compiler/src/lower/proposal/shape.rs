//! The content of the elements of the dialect, by the syntax blocks of the proposal (its section 3).
//!
//! The proposal has no schema, and does not specify an order: none is required.

/// An element: its attributes, all of which are required, and its content.
pub(super) struct Shape {
    pub(super) attributes: &'static [Attribute],
    pub(super) content: ProposalContent,
}

pub(super) struct Attribute {
    pub(super) name: &'static str,
    pub(super) holds: Holds,
}

/// The type of an attribute's value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// Any text, which may be evaluated.
    Text,
    /// A name within its node, which is never evaluated.
    Name,
    /// The name of a node, which is never evaluated.
    Node,
}

pub(super) enum ProposalContent {
    Text,
    Elements(&'static [Child]),
}

/// An element that may be a child of another one.
pub(super) struct Child {
    pub(super) name: &'static str,
    pub(super) shape: &'static Shape,
    pub(super) least: usize,
    pub(super) most: usize,
}

const fn attribute(name: &'static str, holds: Holds) -> Attribute {
    Attribute { name, holds }
}

const fn elements(attributes: &'static [Attribute], children: &'static [Child]) -> Shape {
    Shape {
        attributes,
        content: ProposalContent::Elements(children),
    }
}

const fn child(name: &'static str, shape: &'static Shape, least: usize, most: usize) -> Child {
    Child {
        name,
        shape,
        least,
        most,
    }
}

const fn one(name: &'static str, shape: &'static Shape) -> Child {
    child(name, shape, 1, 1)
}

const fn optional(name: &'static str, shape: &'static Shape) -> Child {
    child(name, shape, 0, 1)
}

const fn many(name: &'static str, shape: &'static Shape) -> Child {
    child(name, shape, 0, usize::MAX)
}

const fn some(name: &'static str, shape: &'static Shape) -> Child {
    child(name, shape, 1, usize::MAX)
}

const NODE_NAME: &[Attribute] = &[attribute("name", Holds::Node)];
const TO: &[Attribute] = &[attribute("to", Holds::Node)];
const NAMED: &[Attribute] = &[attribute("name", Holds::Name)];

static TEXT: Shape = Shape {
    attributes: &[],
    content: ProposalContent::Text,
};
static EMPTY: Shape = elements(&[], &[]);

/// The transition of a fork or a join.
static PLAIN_TRANSITION: Shape = elements(TO, &[]);
/// The transition of a decision or an action.
static NAMED_TRANSITION: Shape = elements(
    &[attribute("name", Holds::Name), attribute("to", Holds::Node)],
    &[],
);

pub(super) static ROOT: Shape = elements(
    &[attribute("name", Holds::Text)],
    &[
        one("start", &START),
        many("hadoop", &HADOOP),
        many("pig", &PIG),
        many("hdfs", &HDFS),
        many("ssh", &SSH),
        many("sub-workflow", &SUB_WORKFLOW),
        many("http", &HTTP),
        many("email", &EMAIL),
        many("decision", &DECISION),
        many("fork", &FORK),
        many("join", &JOIN),
        many("fail", &FAIL),
        one("end", &END),
    ],
);

static START: Shape = elements(TO, &[]);
static END: Shape = elements(NODE_NAME, &[]);
static FAIL: Shape = elements(NODE_NAME, &[one("message", &TEXT)]);
static FORK: Shape = elements(NODE_NAME, &[some("transition", &PLAIN_TRANSITION)]);
static JOIN: Shape = elements(NODE_NAME, &[one("transition", &PLAIN_TRANSITION)]);
static DECISION: Shape = elements(
    NODE_NAME,
    &[
        some("eval", &EVAL),
        one("default", &DEFAULT),
        some("transition", &NAMED_TRANSITION),
    ],
);
static EVAL: Shape = Shape {
    attributes: NAMED,
    content: ProposalContent::Text,
};
static DEFAULT: Shape = elements(NAMED, &[]);

static HADOOP: Shape = elements(
    NODE_NAME,
    &[
        optional("prepare", &PREPARE),
        optional("streaming", &STREAMING),
        optional("job-xml", &TEXT),
        optional("configuration", &CONFIGURATION),
        many("transition", &NAMED_TRANSITION),
    ],
);
static PREPARE: Shape = elements(&[], &[many("delete", &PATH)]);
static PATH: Shape = elements(&[attribute("path", Holds::Text)], &[]);
static STREAMING: Shape = elements(
    &[],
    &[
        optional("mapper", &TEXT),
        optional("reducer", &TEXT),
        optional("files", &FILES),
        optional("cacheFiles", &FILES),
        optional("cacheArchives", &FILES),
    ],
);
static FILES: Shape = elements(&[], &[many("file", &TEXT)]);
static CONFIGURATION: Shape = elements(&[], &[many("property", &PROPERTY)]);
static PROPERTY: Shape = elements(
    &[],
    &[
        one("name", &TEXT),
        one("value", &TEXT),
        optional("description", &TEXT),
    ],
);

static PIG: Shape = elements(
    NODE_NAME,
    &[
        optional("prepare", &PREPARE),
        one("pig-host", &TEXT),
        one("pig-script", &TEXT),
        one("hadoop-user", &TEXT),
        optional("parameters", &PARAMETERS),
        optional("job-xml", &TEXT),
        optional("configuration", &CONFIGURATION),
        many("transition", &NAMED_TRANSITION),
    ],
);
static PARAMETERS: Shape = elements(&[], &[many("param", &TEXT)]);

static HDFS: Shape = elements(
    NODE_NAME,
    &[
        one("file-system", &TEXT),
        one("user", &TEXT),
        one("commands", &COMMANDS),
        many("transition", &NAMED_TRANSITION),
    ],
);
static COMMANDS: Shape = elements(
    &[],
    &[
        many("delete", &PATH),
        many("mkdir", &PATH),
        many("move", &MOVE),
    ],
);
static MOVE: Shape = elements(
    &[
        attribute("source", Holds::Text),
        attribute("target", Holds::Text),
    ],
    &[],
);

static SSH: Shape = elements(
    NODE_NAME,
    &[
        one("host", &TEXT),
        one("command", &TEXT),
        many("args", &TEXT),
        optional("capture-output", &EMPTY),
        many("transition", &NAMED_TRANSITION),
    ],
);

static SUB_WORKFLOW: Shape = elements(
    NODE_NAME,
    &[
        optional("host-url", &TEXT),
        one("hadoop-workflow", &TEXT),
        optional("configuration", &CONFIGURATION),
        many("transition", &NAMED_TRANSITION),
    ],
);

static HTTP: Shape = elements(
    NODE_NAME,
    &[
        one("url", &TEXT),
        optional("post", &POST),
        one("mode", &TEXT),
        optional("capture-output", &EMPTY),
        many("transition", &NAMED_TRANSITION),
    ],
);
static POST: Shape = Shape {
    attributes: &[attribute("content-type", Holds::Text)],
    content: ProposalContent::Text,
};

static EMAIL: Shape = elements(
    NODE_NAME,
    &[
        one("to", &TEXT),
        one("subject", &TEXT),
        one("message", &TEXT),
        many("transition", &NAMED_TRANSITION),
    ],
);

/// The types of action nodes.
pub(super) const ACTIONS: [&str; 7] = [
    "hadoop",
    "pig",
    "hdfs",
    "ssh",
    "sub-workflow",
    "http",
    "email",
];
