//! The tables of `uri:oozie:workflow:0.1` to `1.0`: the application and its nodes.

use super::{
    Accepts, Alternative, ContentModel, ElementShape, SimpleType, TypeName, Version, Versions,
    choice, many, member, one, optional,
    parts::{CLUSTER, CONFIGURATION, LAUNCHER, PARAMETERS, PROPERTY, TEXT, text_with},
    required, sla,
    vocabulary::{GlobalElement, Vocabulary},
};

mod actions;
mod fs;

use self::{
    actions::{EMAIL, HTTP, JAVA, MAP_REDUCE, PIG, SSH, SUB_WORKFLOW},
    fs::FS,
};

pub(crate) use self::actions::HTTP_POST;

const V0_1: Version = Version::new(0, 1);
const V0_2: Version = Version::new(0, 2);
const V0_2_5: Version = Version::patch(0, 2, 5);
const V0_3: Version = Version::new(0, 3);
const V0_4: Version = Version::new(0, 4);
const V0_4_5: Version = Version::patch(0, 4, 5);
const V0_5: Version = Version::new(0, 5);
const V1_0: Version = Version::new(1, 0);

pub(crate) static WORKFLOW: Vocabulary = Vocabulary {
    element: "workflow-app",
    shape: &WORKFLOW_APP,
    prefix: "uri:oozie:workflow:",
    versions: &[V0_1, V0_2, V0_2_5, V0_3, V0_4, V0_4_5, V0_5, V1_0],
    others: &[
        global("switch", &SWITCH),
        global("kill", &KILL),
        global("map-reduce", &MAP_REDUCE),
        global("pig", &PIG),
        GlobalElement {
            name: "ssh",
            shape: &SSH,
            versions: Versions::until(V0_1),
        },
        global("sub-workflow", &SUB_WORKFLOW),
        global("fs", &FS),
        global("java", &JAVA),
    ],
};

const fn global(name: &'static str, shape: &'static ElementShape) -> GlobalElement {
    GlobalElement {
        name,
        shape,
        versions: Versions::ALL,
    }
}

static SLA_BLOCKS: [Alternative; 2] = sla::blocks(Versions::since(V0_2), Versions::since(V0_5));

static WORKFLOW_APP: ElementShape = ElementShape::with(
    &[required("name", SimpleType::NotEmpty)],
    ContentModel::Elements(&[
        one("parameters", &PARAMETERS).allowed(Versions::since(V0_4)),
        one("global", &GLOBAL).allowed(Versions::since(V0_4)),
        one("credentials", &CREDENTIALS).allowed(Versions::since(V0_2_5)),
        one("start", &TO).required(Versions::ALL),
        choice(&[
            member("decision", &DECISION),
            member("fork", &FORK),
            member("join", &JOIN),
            member("kill", &KILL),
            member("action", &ACTION),
        ])
        .repeated(Versions::ALL),
        one("end", &END).required(Versions::ALL),
        choice(&SLA_BLOCKS),
    ]),
);

static GLOBAL: ElementShape = ElementShape::elements(&[
    CLUSTER,
    one("name-node", &TEXT),
    LAUNCHER,
    many("job-xml", &TEXT),
    one("configuration", &CONFIGURATION),
]);

static CREDENTIALS: ElementShape = ElementShape::elements(&[many("credential", &CREDENTIAL)]);

static CREDENTIAL: ElementShape = ElementShape::with(
    &[
        required("name", SimpleType::Any),
        required("type", SimpleType::Any),
    ],
    ContentModel::Elements(&[many("property", &PROPERTY)]),
);

/// `start` and `default`.
static TO: ElementShape = ElementShape::attributes(&[required("to", SimpleType::NodeName)]);

/// `ok` and `error`.
static TRANSITION: ElementShape = ElementShape::attributes(&[required("to", SimpleType::NodeName)])
    .named(TypeName::Named("ACTION_TRANSITION"));

static END: ElementShape = ElementShape::attributes(&[required("name", SimpleType::NodeName)]);

static JOIN: ElementShape = ElementShape::attributes(&[
    required("name", SimpleType::NodeName),
    required("to", SimpleType::NodeName),
]);

static KILL: ElementShape = ElementShape::with(
    &[required("name", SimpleType::NodeName)],
    ContentModel::Elements(&[one("message", &TEXT).required(Versions::ALL)]),
);

static FORK: ElementShape = ElementShape::with(
    &[required("name", SimpleType::NodeName)],
    ContentModel::Elements(&[many("path", &PATH).required(Versions::ALL).at_least(2)]),
);

static PATH: ElementShape = ElementShape::attributes(&[required("start", SimpleType::NodeName)])
    .named(TypeName::Named("FORK_TRANSITION"));

static DECISION: ElementShape = ElementShape::with(
    &[required("name", SimpleType::NodeName)],
    ContentModel::Elements(&[one("switch", &SWITCH).required(Versions::ALL)]),
);

static SWITCH: ElementShape = ElementShape::elements(&[
    many("case", &CASE).required(Versions::ALL),
    one("default", &TO).required(Versions::ALL),
]);

pub(crate) static CASE: ElementShape = text_with(&[required("to", SimpleType::NodeName)]);

pub(crate) static ACTION: ElementShape = ElementShape::with(
    &[
        required("name", SimpleType::NodeName),
        optional("cred", SimpleType::Any).allowed(Versions::since(V0_2_5)),
        optional("retry-max", SimpleType::Any).allowed(Versions::since(V0_3)),
        optional("retry-interval", SimpleType::Any).allowed(Versions::since(V0_3)),
        optional("retry-policy", SimpleType::RetryPolicy).allowed(Versions::since(V0_5)),
    ],
    ContentModel::Elements(&[
        choice(&[
            member("map-reduce", &MAP_REDUCE),
            member("pig", &PIG),
            member("ssh", &SSH).allowed(Versions::until(V0_1)),
            member("sub-workflow", &SUB_WORKFLOW),
            member("fs", &FS),
            member("http", &HTTP).allowed(Versions::until(V0_1)),
            member("email", &EMAIL).allowed(Versions::until(V0_1)),
            member("java", &JAVA),
            // The shape is that of the schema of the body's namespace.
            Alternative::of(Accepts::Extension, &TEXT),
        ])
        .required(Versions::ALL),
        one("ok", &TRANSITION).required(Versions::ALL),
        one("error", &TRANSITION).required(Versions::ALL),
        choice(&SLA_BLOCKS),
    ]),
);
