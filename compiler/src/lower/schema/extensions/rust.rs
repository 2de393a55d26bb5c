//! The `rust` action. Its schema is hpdlc's own: Oozie has no such action.

use super::v;
use crate::lower::schema::{
    ElementShape, SimpleType, TypeName, Versions, many, one,
    parts::{CONFIGURATION, TEXT},
    vocabulary::Vocabulary,
};

pub(super) static RUST: Vocabulary = Vocabulary {
    element: "rust",
    shape: &ACTION,
    prefix: "uri:hpdl:rust-action:",
    versions: &[v(0, 1)],
    others: &[],
};

static ACTION: ElementShape = ElementShape::elements(&[
    one("function", &FUNCTION).required(Versions::ALL),
    many("argument", &TEXT),
    one("configuration", &CONFIGURATION),
])
.named(TypeName::Named("ACTION"));

/// The compiler has to know which functions a program needs.
static FUNCTION: ElementShape = ElementShape::text(SimpleType::FunctionName);
