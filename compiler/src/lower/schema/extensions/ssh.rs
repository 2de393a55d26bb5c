//! The `ssh` action.

use super::v;
use crate::lower::schema::{
    ElementShape, TypeName, Version, Versions, choice, member, one,
    parts::{FLAG, TEXT},
    vocabulary::Vocabulary,
};

const VERSIONS: &[Version] = &[v(0, 1), v(0, 2)];

pub(super) static SSH: Vocabulary = Vocabulary {
    element: "ssh",
    shape: &ACTION,
    prefix: "uri:oozie:ssh-action:",
    versions: VERSIONS,
    others: &[],
};

static ACTION: ElementShape = ElementShape::elements(&[
    one("host", &TEXT).required(Versions::ALL),
    one("command", &TEXT).required(Versions::ALL),
    choice(&[
        member("args", &TEXT).repeated(),
        member("arg", &TEXT)
            .repeated()
            .allowed(Versions::since(v(0, 2))),
    ]),
    one("capture-output", &FLAG),
])
.named(TypeName::Named("ACTION"));
