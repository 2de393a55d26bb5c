//! The tables of `uri:oozie:workflow:0.1` to `1.0`.

use super::{
    Accepts, Availability, Content, Group, Member, Shape, Value, Version, Versions, choice, many,
    member, one, optional, required,
};

pub(crate) const WORKFLOW_PREFIX: &str = "uri:oozie:workflow:";

const V0_1: Version = Version::new(0, 1);
const V0_2: Version = Version::new(0, 2);
const V0_2_5: Version = Version::patch(0, 2, 5);
const V0_3: Version = Version::new(0, 3);
const V0_4: Version = Version::new(0, 4);
const V0_4_5: Version = Version::patch(0, 4, 5);
const V0_5: Version = Version::new(0, 5);
const V1_0: Version = Version::new(1, 0);

pub(super) static TEXT: Shape = Shape::text(Value::Any);
pub(super) static FLAG: Shape = Shape::elements(&[]);
static UNSIGNED_INT: Shape = Shape::text(Value::UnsignedInt);
static UNCHECKED: Shape = Shape::with(&[], Content::Unchecked);

/// An SLA block. Its own schema is not read yet: the block is refused as a whole.
static SLA_INFO: Shape = Shape::with(&[], Content::Unchecked);

static SLA_MEMBERS: [Member; 1] = [Member {
    accepts: Accepts::Sla,
    shape: &SLA_INFO,
    is_repeated: false,
    availability: Availability {
        allowed: Versions::since(V0_2),
        tolerated: Versions::NONE,
    },
}];

const SLA: Group = choice(&SLA_MEMBERS);

pub(crate) static WORKFLOW_APP: Shape = Shape::with(
    &[required("name", Value::NotEmpty)],
    Content::Elements(&[
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
        SLA,
    ]),
);

static PARAMETERS: Shape = Shape::elements(&[many("property", &PARAMETER).required(Versions::ALL)]);

static PARAMETER: Shape = Shape::elements(&[
    one("name", &TEXT).required(Versions::ALL),
    one("value", &TEXT),
    one("description", &TEXT),
]);

/// A property whose value may not be left out.
static PROPERTY: Shape = Shape::elements(&[
    one("name", &TEXT).required(Versions::ALL),
    one("value", &TEXT).required(Versions::ALL),
    one("description", &TEXT),
]);

pub(crate) static CONFIGURATION: Shape =
    Shape::elements(&[many("property", &PROPERTY).required(Versions::ALL)]);

static GLOBAL: Shape = Shape::elements(&[
    CLUSTER,
    one("name-node", &TEXT),
    one("launcher", &LAUNCHER).allowed(Versions::since(V1_0)),
    many("job-xml", &TEXT),
    one("configuration", &CONFIGURATION),
]);

static CLUSTER_MEMBERS: [Member; 2] = [
    member("job-tracker", &TEXT),
    member("resource-manager", &TEXT).allowed(Versions::since(V1_0)),
];

/// `job-tracker`, and its newer spelling.
pub(super) const CLUSTER: Group = choice(&CLUSTER_MEMBERS);

pub(super) static LAUNCHER: Shape = Shape::elements(&[choice(&[
    member("memory.mb", &UNSIGNED_INT),
    member("vcores", &UNSIGNED_INT),
    member("java-opts", &TEXT),
    member("env", &TEXT),
    member("queue", &TEXT),
    member("sharelib", &TEXT),
    member("view-acl", &TEXT),
    member("modify-acl", &TEXT),
])
.repeated(Versions::ALL)]);

static CREDENTIALS: Shape = Shape::elements(&[many("credential", &CREDENTIAL)]);

static CREDENTIAL: Shape = Shape::with(
    &[required("name", Value::Any), required("type", Value::Any)],
    Content::Elements(&[many("property", &PROPERTY)]),
);

/// `start`, `default`, `ok` and `error`.
static TO: Shape = Shape::attributes(&[required("to", Value::NodeName)]);

static END: Shape = Shape::attributes(&[required("name", Value::NodeName)]);

static JOIN: Shape = Shape::attributes(&[
    required("name", Value::NodeName),
    required("to", Value::NodeName),
]);

static KILL: Shape = Shape::with(
    &[required("name", Value::NodeName)],
    Content::Elements(&[one("message", &TEXT).required(Versions::ALL)]),
);

static FORK: Shape = Shape::with(
    &[required("name", Value::NodeName)],
    Content::Elements(&[many("path", &PATH).required(Versions::ALL).at_least(2)]),
);

static PATH: Shape = Shape::attributes(&[required("start", Value::NodeName)]);

static DECISION: Shape = Shape::with(
    &[required("name", Value::NodeName)],
    Content::Elements(&[one("switch", &SWITCH).required(Versions::ALL)]),
);

static SWITCH: Shape = Shape::elements(&[
    many("case", &CASE).required(Versions::ALL),
    one("default", &TO).required(Versions::ALL),
]);

static CASE: Shape = Shape::with(
    &[required("to", Value::NodeName)],
    Content::Text(Value::Any),
);

pub(crate) static ACTION: Shape = Shape::with(
    &[
        required("name", Value::NodeName),
        optional("cred", Value::Any).allowed(Versions::since(V0_2_5)),
        optional("retry-max", Value::Integer).allowed(Versions::since(V0_3)),
        optional("retry-interval", Value::Integer).allowed(Versions::since(V0_3)),
        optional("retry-policy", Value::RetryPolicy).allowed(Versions::since(V0_5)),
    ],
    Content::Elements(&[
        choice(&[
            member("map-reduce", &UNCHECKED),
            member("pig", &UNCHECKED),
            member("ssh", &UNCHECKED).allowed(Versions::until(V0_1)),
            member("sub-workflow", &SUB_WORKFLOW),
            member("fs", &FS),
            member("http", &UNCHECKED).allowed(Versions::until(V0_1)),
            member("email", &UNCHECKED).allowed(Versions::until(V0_1)),
            member("java", &JAVA),
            Member {
                accepts: Accepts::Extension,
                shape: &UNCHECKED,
                is_repeated: false,
                availability: Availability::ALWAYS,
            },
        ])
        .required(Versions::ALL),
        one("ok", &TO).required(Versions::ALL),
        one("error", &TO).required(Versions::ALL),
        SLA,
    ]),
);

static SUB_WORKFLOW: Shape = Shape::elements(&[
    one("app-path", &TEXT).required(Versions::ALL),
    one("propagate-configuration", &FLAG),
    one("configuration", &CONFIGURATION),
]);

static JAVA: Shape = Shape::elements(&[
    CLUSTER.required(Versions::until(V0_3)),
    one("name-node", &TEXT).required(Versions::until(V0_3)),
    one("prepare", &PREPARE),
    one("launcher", &LAUNCHER).allowed(Versions::since(V1_0)),
    many("job-xml", &TEXT).repeated(Versions::since(V0_4)),
    one("configuration", &CONFIGURATION),
    one("main-class", &TEXT).required(Versions::ALL),
    choice(&[
        member("java-opts", &TEXT),
        member("java-opt", &TEXT)
            .repeated()
            .allowed(Versions::since(V0_4)),
    ]),
    many("arg", &TEXT),
    many("file", &TEXT),
    many("archive", &TEXT),
    one("capture-output", &FLAG),
]);

static FS: Shape = Shape::elements(&[
    one("name-node", &TEXT).allowed(Versions::since(V0_4)),
    many("job-xml", &TEXT).allowed(Versions::since(V0_4)),
    one("configuration", &CONFIGURATION).allowed(Versions::since(V0_4)),
    choice(&[
        member("delete", &DELETE),
        member("mkdir", &MKDIR),
        member("move", &MOVE),
        member("chmod", &CHMOD),
        member("touchz", &MKDIR).allowed(Versions::since(V0_4)),
        member("chgrp", &CHGRP).allowed(Versions::since(V0_4_5)),
        member("setrep", &SETREP)
            .allowed(Versions::only(V0_5))
            .tolerated(Versions::since(V1_0)),
    ])
    .repeated(Versions::ALL),
]);

pub(super) static PREPARE: Shape =
    Shape::elements(&[many("delete", &DELETE), many("mkdir", &MKDIR)]);

/// Trash is a matter of the core schema 0.5; the executor of 1.0 still reads the attribute.
static DELETE: Shape = Shape::attributes(&[
    required("path", Value::Any),
    optional("skip-trash", Value::Boolean)
        .allowed(Versions::only(V0_5))
        .tolerated(Versions::since(V1_0)),
]);

/// `mkdir` and `touchz`.
pub(super) static MKDIR: Shape = Shape::attributes(&[required("path", Value::Any)]);

static MOVE: Shape = Shape::attributes(&[
    required("source", Value::Any),
    required("target", Value::Any),
]);

static CHMOD: Shape = Shape::with(
    &[
        required("path", Value::Any),
        required("permissions", Value::Any),
        optional("dir-files", Value::Any),
    ],
    Content::Elements(&[one("recursive", &FLAG).allowed(Versions::since(V0_4))]),
);

static CHGRP: Shape = Shape::with(
    &[
        required("path", Value::Any),
        required("group", Value::Any),
        optional("dir-files", Value::Any),
    ],
    Content::Elements(&[one("recursive", &FLAG)]),
);

static SETREP: Shape = Shape::attributes(&[
    required("path", Value::Any),
    required("replication-factor", Value::Short),
]);
