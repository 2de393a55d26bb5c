//! The tables of `uri:oozie:coordinator:0.1` to `0.5`.

use super::{
    Alternative, ContentModel, Shape, TypeName, Value, Version, Versions, choice, many, member,
    one, optional,
    parts::{CONFIGURATION, PARAMETERS, TEXT},
    required, sla,
    vocabulary::{Global, Vocabulary},
};

const V0_1: Version = Version::new(0, 1);
const V0_2: Version = Version::new(0, 2);
const V0_3: Version = Version::new(0, 3);
const V0_4: Version = Version::new(0, 4);
const V0_5: Version = Version::new(0, 5);

pub(crate) static COORDINATOR: Vocabulary = Vocabulary {
    element: "coordinator-app",
    shape: &COORDINATOR_APP,
    prefix: "uri:oozie:coordinator:",
    versions: &[V0_1, V0_2, V0_3, V0_4, V0_5],
    others: &[Global {
        name: "datasets",
        shape: &DATASETS,
        versions: Versions::ALL,
    }],
};

static COORDINATOR_APP: Shape = Shape::with(
    &[
        required("name", Value::Any),
        required("frequency", Value::Any),
        required("start", Value::Any),
        required("end", Value::Any),
        required("timezone", Value::Any),
    ],
    ContentModel::Elements(&[
        one("parameters", &PARAMETERS).allowed(Versions::since(V0_4)),
        one("controls", &CONTROLS),
        one("datasets", &DATASETS),
        one("input-events", &INPUT_EVENTS),
        one("input-logic", &INPUT_LOGIC).allowed(Versions::since(V0_5)),
        one("output-events", &OUTPUT_EVENTS),
        one("action", &ACTION).required(Versions::ALL),
    ]),
);

static CONTROLS: Shape = Shape::elements(&[
    one("timeout", &TEXT),
    one("concurrency", &TEXT),
    one("execution", &TEXT),
    one("throttle", &TEXT).allowed(Versions::since(V0_2)),
]);

static DATASETS: Shape = Shape::elements(&[
    many("include", &TEXT),
    choice(&[
        member("dataset", &DATASET),
        member("async-dataset", &ASYNC_DATASET),
    ])
    .repeated(Versions::ALL),
]);

static DATASET: Shape = Shape::with(
    &[
        required("name", Value::DataName),
        required("frequency", Value::Any),
        required("initial-instance", Value::Any),
        required("timezone", Value::Any),
    ],
    ContentModel::Elements(&[
        one("uri-template", &TEXT).required(Versions::ALL),
        one("done-flag", &TEXT),
    ]),
)
.named(TypeName::Named("SYNCDATASET"));

static ASYNC_DATASET: Shape = Shape::with(
    &[
        required("name", Value::DataName),
        required("sequence-type", Value::Any),
        required("initial-version", Value::Any),
    ],
    ContentModel::Elements(&[one("uri-template", &TEXT).required(Versions::ALL)]),
)
.named(TypeName::Named("ASYNCDATASET"));

/// Since 0.5 the events may also be an empty list, or logic, which Oozie ignores.
static INPUT_EVENTS: Shape = Shape::elements(&[choice(&[
    member("and", &LOGICAL_AND).allowed(Versions::since(V0_5)),
    member("or", &LOGICAL_OR).allowed(Versions::since(V0_5)),
    member("data-in", &DATA_IN).repeated(),
])
.required(Versions::until(V0_4))])
.named(TypeName::Named("INPUTEVENTS"));

static DATA_IN: Shape = Shape::with(
    &[
        required("name", Value::DataName),
        required("dataset", Value::Any),
    ],
    ContentModel::Elements(&[choice(&[
        member("instance", &TEXT).repeated(),
        Alternative::Sequence(&[
            one("start-instance", &TEXT).required(Versions::ALL),
            one("end-instance", &TEXT).required(Versions::ALL),
        ]),
    ])
    .required(Versions::ALL)]),
)
.named(TypeName::Named("DATAIN"));

static INPUT_LOGIC: Shape = Shape::elements(&[choice(&[
    member("and", &LOGICAL_AND),
    member("or", &LOGICAL_OR),
    member("combine", &COMBINE),
    member("data-in", &LOGICAL_DATA_IN),
])
.repeated(Versions::ALL)])
.named(TypeName::Named("INPUTLOGIC"));

static LOGICAL_MEMBERS: [Alternative; 4] = [
    member("and", &LOGICAL_AND),
    member("or", &LOGICAL_OR),
    member("data-in", &LOGICAL_DATA_IN),
    member("combine", &COMBINE),
];

static LOGICAL_AND: Shape = Shape::with(
    &[
        optional("name", Value::Any),
        optional("min", Value::Any),
        optional("wait", Value::Any),
    ],
    ContentModel::Elements(&[choice(&LOGICAL_MEMBERS).repeated(Versions::ALL)]),
)
.named(TypeName::Named("LOGICALAND"));

static LOGICAL_OR: Shape = Shape::with(
    &[
        optional("name", Value::Any),
        optional("min", Value::Any),
        optional("wait", Value::Any),
    ],
    ContentModel::Elements(&[choice(&LOGICAL_MEMBERS).repeated(Versions::ALL)]),
)
.named(TypeName::Named("LOGICALOR"));

static COMBINE: Shape = Shape::with(
    &[
        optional("name", Value::Any),
        optional("min", Value::Any),
        optional("wait", Value::Any),
    ],
    ContentModel::Elements(&[many("data-in", &LOGICAL_DATA_IN).at_least(2)]),
);

static LOGICAL_DATA_IN: Shape = Shape::attributes(&[
    optional("name", Value::Any),
    optional("min", Value::Any),
    optional("wait", Value::Any),
    required("dataset", Value::Any),
])
.named(TypeName::Named("LOGICALDATAIN"));

static OUTPUT_EVENTS: Shape =
    Shape::elements(&[many("data-out", &DATA_OUT).required(Versions::ALL)])
        .named(TypeName::Named("OUTPUTEVENTS"));

static DATA_OUT: Shape = Shape::with(
    &[
        required("name", Value::DataName),
        required("dataset", Value::Any),
        optional("nocleanup", Value::Boolean).allowed(Versions::since(V0_4)),
    ],
    ContentModel::Elements(&[one("instance", &TEXT).required(Versions::ALL)]),
)
.named(TypeName::Named("DATAOUT"));

static SLA_BLOCKS: [Alternative; 2] = sla::blocks(Versions::ALL, Versions::since(V0_4));

static ACTION: Shape = Shape::elements(&[
    one("workflow", &WORKFLOW).required(Versions::ALL),
    choice(&SLA_BLOCKS),
]);

static WORKFLOW: Shape = Shape::elements(&[
    one("app-path", &TEXT).required(Versions::ALL),
    one("configuration", &CONFIGURATION),
]);
