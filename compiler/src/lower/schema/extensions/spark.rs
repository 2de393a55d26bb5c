//! The `spark` action.

use super::v;
use crate::lower::schema::{
    ElementShape, TypeName, Version, Versions, many, one,
    parts::{CLUSTER, CONFIGURATION, LAUNCHER, PREPARE, TEXT},
    vocabulary::Vocabulary,
};

const VERSIONS: &[Version] = &[v(0, 1), v(0, 2), v(1, 0)];

pub(super) static SPARK: Vocabulary = Vocabulary {
    element: "spark",
    shape: &ACTION,
    prefix: "uri:oozie:spark-action:",
    versions: VERSIONS,
    others: &[],
};

static ACTION: ElementShape = ElementShape::elements(&[
    CLUSTER.required(Versions::until(v(0, 1))),
    one("name-node", &TEXT).required(Versions::until(v(0, 1))),
    one("prepare", &PREPARE),
    LAUNCHER,
    many("job-xml", &TEXT),
    one("configuration", &CONFIGURATION),
    one("master", &TEXT).required(Versions::ALL),
    one("mode", &TEXT),
    one("name", &TEXT).required(Versions::ALL),
    one("class", &TEXT),
    one("jar", &TEXT).required(Versions::ALL),
    one("spark-opts", &TEXT),
    many("arg", &TEXT),
    many("file", &TEXT).allowed(Versions::since(v(0, 2))),
    many("archive", &TEXT).allowed(Versions::since(v(0, 2))),
])
.named(TypeName::Named("ACTION"));
