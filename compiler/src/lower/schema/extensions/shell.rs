//! The `shell` action.

use super::v;
use crate::lower::schema::{
    ElementShape, TypeName, Version, Versions, many, one,
    parts::{CLUSTER, CONFIGURATION, FLAG, LAUNCHER, PREPARE, TEXT},
    vocabulary::Vocabulary,
};

const VERSIONS: &[Version] = &[v(0, 1), v(0, 2), v(0, 3), v(1, 0)];

pub(super) static SHELL: Vocabulary = Vocabulary {
    element: "shell",
    shape: &ACTION,
    prefix: "uri:oozie:shell-action:",
    versions: VERSIONS,
    others: &[],
};

static ACTION: ElementShape = ElementShape::elements(&[
    CLUSTER.required(Versions::until(v(0, 2))),
    one("name-node", &TEXT).required(Versions::until(v(0, 2))),
    one("prepare", &PREPARE),
    LAUNCHER,
    many("job-xml", &TEXT).repeated(Versions::since(v(0, 2))),
    one("configuration", &CONFIGURATION),
    one("exec", &TEXT).required(Versions::ALL),
    many("argument", &TEXT),
    many("env-var", &TEXT),
    many("file", &TEXT),
    many("archive", &TEXT),
    one("capture-output", &FLAG),
])
.named(TypeName::Named("ACTION"));
