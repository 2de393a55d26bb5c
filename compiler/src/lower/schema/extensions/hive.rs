//! The `hive` action.

use super::v;
use crate::lower::schema::{
    ElementShape, TypeName, Version, Versions, choice, many, member, one,
    parts::{CLUSTER, CONFIGURATION, LAUNCHER, PREPARE, TEXT},
    vocabulary::Vocabulary,
};

const VERSIONS: &[Version] = &[v(0, 2), v(0, 3), v(0, 4), v(0, 5), v(0, 6), v(1, 0)];

pub(super) static HIVE: Vocabulary = Vocabulary {
    element: "hive",
    shape: &ACTION,
    prefix: "uri:oozie:hive-action:",
    versions: VERSIONS,
    others: &[],
};

static ACTION: ElementShape = ElementShape::elements(&[
    CLUSTER.required(Versions::until(v(0, 3))),
    one("name-node", &TEXT).required(Versions::until(v(0, 3))),
    one("prepare", &PREPARE),
    LAUNCHER,
    many("job-xml", &TEXT).repeated(Versions::since(v(0, 3))),
    one("configuration", &CONFIGURATION),
    choice(&[
        member("script", &TEXT),
        member("query", &TEXT).allowed(Versions::since(v(0, 6))),
    ])
    .required(Versions::ALL),
    many("param", &TEXT),
    many("argument", &TEXT).allowed(Versions::since(v(0, 5))),
    many("file", &TEXT),
    many("archive", &TEXT),
])
.named(TypeName::Named("ACTION"));
