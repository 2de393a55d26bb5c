//! The `distcp` action.

use super::v;
use crate::lower::schema::{
    ElementShape, TypeName, Version, Versions, many, one,
    parts::{CLUSTER, CONFIGURATION, LAUNCHER, PREPARE, TEXT},
    vocabulary::Vocabulary,
};

const VERSIONS: &[Version] = &[v(0, 1), v(0, 2), v(1, 0)];

pub(super) static DISTCP: Vocabulary = Vocabulary {
    element: "distcp",
    shape: &ACTION,
    prefix: "uri:oozie:distcp-action:",
    versions: VERSIONS,
    others: &[],
};

static ACTION: ElementShape = ElementShape::elements(&[
    CLUSTER.required(Versions::until(v(0, 1))),
    one("name-node", &TEXT).required(Versions::until(v(0, 1))),
    one("prepare", &PREPARE),
    LAUNCHER,
    one("configuration", &CONFIGURATION),
    one("java-opts", &TEXT),
    many("arg", &TEXT),
])
.named(TypeName::Named("ACTION"));
