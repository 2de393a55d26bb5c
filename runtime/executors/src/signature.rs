//! What the manifest of an extension says of its functions of expressions.

use hpdlc_core::extension::ValueType;
use serde::Serialize;

/// What the manifest of an extension says of a function of expressions: `#[function]` makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Signature {
    pub name: &'static str,
    pub prefix: &'static str,
    pub summary: &'static str,
    pub arguments: &'static [Parameter],
    pub result: ValueType,
}

/// An argument of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Parameter {
    pub name: &'static str,
    #[serde(flatten)]
    pub r#type: ValueType,
}
