//! The `git` action.

use super::v;
use crate::lower::schema::{
    ElementShape, TypeName, Version, Versions, one,
    parts::{CONFIGURATION, PREPARE, TEXT},
    vocabulary::Vocabulary,
};

const VERSIONS: &[Version] = &[v(1, 0)];

pub(super) static GIT: Vocabulary = Vocabulary {
    element: "git",
    shape: &ACTION,
    prefix: "uri:oozie:git-action:",
    versions: VERSIONS,
    others: &[],
};

static ACTION: ElementShape = ElementShape::elements(&[
    one("resource-manager", &TEXT),
    one("name-node", &TEXT).required(Versions::ALL),
    one("prepare", &PREPARE),
    one("git-uri", &TEXT).required(Versions::ALL),
    one("branch", &TEXT),
    one("key-path", &TEXT),
    one("destination-uri", &TEXT).required(Versions::ALL),
    one("configuration", &CONFIGURATION),
])
.named(TypeName::Named("ACTION"));
