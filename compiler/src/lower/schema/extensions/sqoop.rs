//! The `sqoop` action.

use super::v;
use crate::lower::schema::{
    ElementShape, TypeName, Version, Versions, choice, many, member, one,
    parts::{CLUSTER, CONFIGURATION, LAUNCHER, PREPARE, TEXT},
    vocabulary::Vocabulary,
};

const VERSIONS: &[Version] = &[v(0, 2), v(0, 3), v(0, 4), v(1, 0)];

pub(super) static SQOOP: Vocabulary = Vocabulary {
    element: "sqoop",
    shape: &ACTION,
    prefix: "uri:oozie:sqoop-action:",
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
    choice(&[member("command", &TEXT), member("arg", &TEXT).repeated()]).required(Versions::ALL),
    many("file", &TEXT),
    many("archive", &TEXT),
])
.named(TypeName::Named("ACTION"));
