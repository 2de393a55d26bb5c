//! The `hive2` action.

use super::v;
use crate::lower::schema::{
    ElementShape, TypeName, Version, Versions, choice, many, member, one,
    parts::{CLUSTER, CONFIGURATION, LAUNCHER, PREPARE, TEXT},
    vocabulary::Vocabulary,
};

const VERSIONS: &[Version] = &[v(0, 1), v(0, 2), v(1, 0)];

pub(super) static HIVE2: Vocabulary = Vocabulary {
    element: "hive2",
    shape: &ACTION,
    prefix: "uri:oozie:hive2-action:",
    versions: VERSIONS,
    others: &[],
};

static ACTION: ElementShape = ElementShape::elements(&[
    CLUSTER,
    one("name-node", &TEXT),
    one("prepare", &PREPARE),
    LAUNCHER,
    many("job-xml", &TEXT),
    one("configuration", &CONFIGURATION),
    one("jdbc-url", &TEXT).required(Versions::ALL),
    one("password", &TEXT),
    choice(&[
        member("script", &TEXT),
        member("query", &TEXT).allowed(Versions::since(v(0, 2))),
    ])
    .required(Versions::ALL),
    many("param", &TEXT),
    many("argument", &TEXT),
    many("file", &TEXT),
    many("archive", &TEXT),
])
.named(TypeName::Named("ACTION"));
