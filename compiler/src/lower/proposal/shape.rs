//! The content of the elements of the dialect, by the syntax blocks of the proposal (its section 3).
//!
//! The proposal has no schema, and does not specify an order: none is required.

/// An element: its attributes, all of which are required, and its content.
pub(super) struct ProposalShape {
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
    Elements(&'static [ProposalChild]),
}

/// An element that may be a child of another one.
pub(super) struct ProposalChild {
    pub(super) name: &'static str,
    pub(super) shape: &'static ProposalShape,
    pub(super) least: usize,
    pub(super) most: usize,
}

const fn attribute(name: &'static str, holds: Holds) -> Attribute {
    Attribute { name, holds }
}

const fn elements(
    attributes: &'static [Attribute],
    children: &'static [ProposalChild],
) -> ProposalShape {
    ProposalShape {
        attributes,
        content: ProposalContent::Elements(children),
    }
}

const fn child(
    name: &'static str,
    shape: &'static ProposalShape,
    least: usize,
    most: usize,
) -> ProposalChild {
    ProposalChild {
        name,
        shape,
        least,
        most,
    }
}

const fn one(name: &'static str, shape: &'static ProposalShape) -> ProposalChild {
    child(name, shape, 1, 1)
}

const fn optional(name: &'static str, shape: &'static ProposalShape) -> ProposalChild {
    child(name, shape, 0, 1)
}

const fn many(name: &'static str, shape: &'static ProposalShape) -> ProposalChild {
    child(name, shape, 0, usize::MAX)
}

const fn some(name: &'static str, shape: &'static ProposalShape) -> ProposalChild {
    child(name, shape, 1, usize::MAX)
}

const NODE_NAME: &[Attribute] = &[attribute("name", Holds::Node)];
const TO: &[Attribute] = &[attribute("to", Holds::Node)];
const NAMED: &[Attribute] = &[attribute("name", Holds::Name)];

static TEXT: ProposalShape = ProposalShape {
    attributes: &[],
    content: ProposalContent::Text,
};
static EMPTY: ProposalShape = elements(&[], &[]);

/// The transition of a fork or a join.
static PLAIN_TRANSITION: ProposalShape = elements(TO, &[]);
/// The transition of a decision or an action.
static NAMED_TRANSITION: ProposalShape = elements(
    &[attribute("name", Holds::Name), attribute("to", Holds::Node)],
    &[],
);

pub(super) static ROOT: ProposalShape = elements(
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

static START: ProposalShape = elements(TO, &[]);
static END: ProposalShape = elements(NODE_NAME, &[]);
static FAIL: ProposalShape = elements(NODE_NAME, &[one("message", &TEXT)]);
static FORK: ProposalShape = elements(NODE_NAME, &[some("transition", &PLAIN_TRANSITION)]);
static JOIN: ProposalShape = elements(NODE_NAME, &[one("transition", &PLAIN_TRANSITION)]);
static DECISION: ProposalShape = elements(
    NODE_NAME,
    &[
        some("eval", &EVAL),
        one("default", &DEFAULT),
        some("transition", &NAMED_TRANSITION),
    ],
);
static EVAL: ProposalShape = ProposalShape {
    attributes: NAMED,
    content: ProposalContent::Text,
};
static DEFAULT: ProposalShape = elements(NAMED, &[]);

static HADOOP: ProposalShape = elements(
    NODE_NAME,
    &[
        optional("prepare", &PREPARE),
        optional("streaming", &STREAMING),
        optional("job-xml", &TEXT),
        optional("configuration", &CONFIGURATION),
        many("transition", &NAMED_TRANSITION),
    ],
);
static PREPARE: ProposalShape = elements(&[], &[many("delete", &PATH)]);
static PATH: ProposalShape = elements(&[attribute("path", Holds::Text)], &[]);
static STREAMING: ProposalShape = elements(
    &[],
    &[
        optional("mapper", &TEXT),
        optional("reducer", &TEXT),
        optional("files", &FILES),
        optional("cacheFiles", &FILES),
        optional("cacheArchives", &FILES),
    ],
);
static FILES: ProposalShape = elements(&[], &[many("file", &TEXT)]);
static CONFIGURATION: ProposalShape = elements(&[], &[many("property", &PROPERTY)]);
static PROPERTY: ProposalShape = elements(
    &[],
    &[
        one("name", &TEXT),
        one("value", &TEXT),
        optional("description", &TEXT),
    ],
);

static PIG: ProposalShape = elements(
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
static PARAMETERS: ProposalShape = elements(&[], &[many("param", &TEXT)]);

static HDFS: ProposalShape = elements(
    NODE_NAME,
    &[
        one("file-system", &TEXT),
        one("user", &TEXT),
        one("commands", &COMMANDS),
        many("transition", &NAMED_TRANSITION),
    ],
);
static COMMANDS: ProposalShape = elements(
    &[],
    &[
        many("delete", &PATH),
        many("mkdir", &PATH),
        many("move", &MOVE),
    ],
);
static MOVE: ProposalShape = elements(
    &[
        attribute("source", Holds::Text),
        attribute("target", Holds::Text),
    ],
    &[],
);

static SSH: ProposalShape = elements(
    NODE_NAME,
    &[
        one("host", &TEXT),
        one("command", &TEXT),
        many("args", &TEXT),
        optional("capture-output", &EMPTY),
        many("transition", &NAMED_TRANSITION),
    ],
);

static SUB_WORKFLOW: ProposalShape = elements(
    NODE_NAME,
    &[
        optional("host-url", &TEXT),
        one("hadoop-workflow", &TEXT),
        optional("configuration", &CONFIGURATION),
        many("transition", &NAMED_TRANSITION),
    ],
);

static HTTP: ProposalShape = elements(
    NODE_NAME,
    &[
        one("url", &TEXT),
        optional("post", &POST),
        one("mode", &TEXT),
        optional("capture-output", &EMPTY),
        many("transition", &NAMED_TRANSITION),
    ],
);
static POST: ProposalShape = ProposalShape {
    attributes: &[attribute("content-type", Holds::Text)],
    content: ProposalContent::Text,
};

static EMAIL: ProposalShape = elements(
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
