//! The tables of `uri:oozie:bundle:0.1` and `0.2`.

use super::{
    ContentModel, ElementShape, SimpleType, Version, Versions, many, one, optional,
    parts::{CONFIGURATION, PARAMETERS, TEXT},
    required,
    vocabulary::Vocabulary,
};

const V0_1: Version = Version::new(0, 1);
const V0_2: Version = Version::new(0, 2);

pub(crate) static BUNDLE: Vocabulary = Vocabulary {
    element: "bundle-app",
    shape: &BUNDLE_APP,
    prefix: "uri:oozie:bundle:",
    versions: &[V0_1, V0_2],
    others: &[],
};

static BUNDLE_APP: ElementShape = ElementShape::with(
    &[required("name", SimpleType::Any)],
    ContentModel::Elements(&[
        one("parameters", &PARAMETERS).allowed(Versions::since(V0_2)),
        one("controls", &CONTROLS),
        many("coordinator", &COORDINATOR).required(Versions::ALL),
    ]),
);

static CONTROLS: ElementShape = ElementShape::elements(&[one("kick-off-time", &TEXT)]);

static COORDINATOR: ElementShape = ElementShape::with(
    &[
        required("name", SimpleType::DataName).allowed(Versions::only(V0_1)),
        required("name", SimpleType::Any).allowed(Versions::since(V0_2)),
        optional("critical", SimpleType::Any),
        optional("enabled", SimpleType::Any).allowed(Versions::since(V0_2)),
    ],
    ContentModel::Elements(&[
        one("app-path", &TEXT).required(Versions::ALL),
        one("configuration", &CONFIGURATION),
    ]),
);
