//! The `email` action.

use super::v;
use crate::lower::schema::{
    ElementShape, TypeName, Version, Versions, one, parts::TEXT, vocabulary::Vocabulary,
};

const VERSIONS: &[Version] = &[v(0, 1), v(0, 2)];

const NEW: Versions = Versions::since(v(0, 2));

pub(super) static EMAIL: Vocabulary = Vocabulary {
    element: "email",
    shape: &ACTION,
    prefix: "uri:oozie:email-action:",
    versions: VERSIONS,
    others: &[],
};

static ACTION: ElementShape = ElementShape::elements(&[
    one("to", &TEXT).required(Versions::ALL),
    one("cc", &TEXT),
    one("bcc", &TEXT).allowed(NEW),
    one("subject", &TEXT).required(Versions::ALL),
    one("body", &TEXT).required(Versions::ALL),
    one("content_type", &TEXT).allowed(NEW),
    one("attachment", &TEXT).allowed(NEW),
])
.named(TypeName::Named("ACTION"));
