//! The tables of `uri:oozie:coordinator:0.1` to `0.5`.

use super::{
    Alternative, ContentModel, ElementShape, SimpleType, TypeName, Version, Versions, choice, many,
    member, one, optional,
    parts::{CONFIGURATION, PARAMETERS, TEXT},
    required, sla,
    vocabulary::{GlobalElement, Vocabulary},
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
    others: &[GlobalElement {
        name: "datasets",
        shape: &DATASETS,
        versions: Versions::ALL,
    }],
};

static COORDINATOR_APP: ElementShape = ElementShape::with(
    &[
        required("name", SimpleType::Any),
        required("frequency", SimpleType::Any),
        required("start", SimpleType::Any),
        required("end", SimpleType::Any),
        required("timezone", SimpleType::Any),
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

static CONTROLS: ElementShape = ElementShape::elements(&[
    one("timeout", &TEXT),
    one("concurrency", &TEXT),
    one("execution", &TEXT),
    one("throttle", &TEXT).allowed(Versions::since(V0_2)),
]);

static DATASETS: ElementShape = ElementShape::elements(&[
    many("include", &TEXT),
    choice(&[
        member("dataset", &DATASET),
        member("async-dataset", &ASYNC_DATASET),
    ])
    .repeated(Versions::ALL),
]);

static DATASET: ElementShape = ElementShape::with(
    &[
        required("name", SimpleType::DataName),
        required("frequency", SimpleType::Any),
        required("initial-instance", SimpleType::Any),
        required("timezone", SimpleType::Any),
    ],
    ContentModel::Elements(&[
        one("uri-template", &TEXT).required(Versions::ALL),
        one("done-flag", &TEXT),
    ]),
)
.named(TypeName::Named("SYNCDATASET"));

static ASYNC_DATASET: ElementShape = ElementShape::with(
    &[
        required("name", SimpleType::DataName),
        required("sequence-type", SimpleType::Any),
        required("initial-version", SimpleType::Any),
    ],
    ContentModel::Elements(&[one("uri-template", &TEXT).required(Versions::ALL)]),
)
.named(TypeName::Named("ASYNCDATASET"));

/// Since 0.5 the events may also be an empty list, or logic, which Oozie ignores.
static INPUT_EVENTS: ElementShape = ElementShape::elements(&[choice(&[
    member("and", &LOGICAL_AND).allowed(Versions::since(V0_5)),
    member("or", &LOGICAL_OR).allowed(Versions::since(V0_5)),
    member("data-in", &DATA_IN).repeated(),
])
.required(Versions::until(V0_4))])
.named(TypeName::Named("INPUTEVENTS"));

static DATA_IN: ElementShape = ElementShape::with(
    &[
        required("name", SimpleType::DataName),
        required("dataset", SimpleType::Any),
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

static INPUT_LOGIC: ElementShape = ElementShape::elements(&[choice(&[
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

static LOGICAL_AND: ElementShape = ElementShape::with(
    &[
        optional("name", SimpleType::Any),
        optional("min", SimpleType::Any),
        optional("wait", SimpleType::Any),
    ],
    ContentModel::Elements(&[choice(&LOGICAL_MEMBERS).repeated(Versions::ALL)]),
)
.named(TypeName::Named("LOGICALAND"));

static LOGICAL_OR: ElementShape = ElementShape::with(
    &[
        optional("name", SimpleType::Any),
        optional("min", SimpleType::Any),
        optional("wait", SimpleType::Any),
    ],
    ContentModel::Elements(&[choice(&LOGICAL_MEMBERS).repeated(Versions::ALL)]),
)
.named(TypeName::Named("LOGICALOR"));

static COMBINE: ElementShape = ElementShape::with(
    &[
        optional("name", SimpleType::Any),
        optional("min", SimpleType::Any),
        optional("wait", SimpleType::Any),
    ],
    ContentModel::Elements(&[many("data-in", &LOGICAL_DATA_IN).at_least(2)]),
);

static LOGICAL_DATA_IN: ElementShape = ElementShape::attributes(&[
    optional("name", SimpleType::Any),
    optional("min", SimpleType::Any),
    optional("wait", SimpleType::Any),
    required("dataset", SimpleType::Any),
])
.named(TypeName::Named("LOGICALDATAIN"));

static OUTPUT_EVENTS: ElementShape =
    ElementShape::elements(&[many("data-out", &DATA_OUT).required(Versions::ALL)])
        .named(TypeName::Named("OUTPUTEVENTS"));

static DATA_OUT: ElementShape = ElementShape::with(
    &[
        required("name", SimpleType::DataName),
        required("dataset", SimpleType::Any),
        optional("nocleanup", SimpleType::Boolean).allowed(Versions::since(V0_4)),
    ],
    ContentModel::Elements(&[one("instance", &TEXT).required(Versions::ALL)]),
)
.named(TypeName::Named("DATAOUT"));

static SLA_BLOCKS: [Alternative; 2] = sla::blocks(Versions::ALL, Versions::since(V0_4));

static ACTION: ElementShape = ElementShape::elements(&[
    one("workflow", &WORKFLOW).required(Versions::ALL),
    choice(&SLA_BLOCKS),
]);

static WORKFLOW: ElementShape = ElementShape::elements(&[
    one("app-path", &TEXT).required(Versions::ALL),
    one("configuration", &CONFIGURATION),
]);
