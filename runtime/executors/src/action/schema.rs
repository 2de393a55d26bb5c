//! What an extension says of its actions and types, for the compiler.

pub use hpdlc_core::extension::{Occurs, ValueKind};
use serde::Serialize;

/// The description of an action.
#[derive(Clone, Copy, Debug)]
pub enum Schema {
    /// It is in no manifest.
    Unknown,
    Function(fn() -> FunctionSchema),
    Type(fn() -> TypeSchema),
}

/// An action type: an element with elements in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TypeSchema {
    pub element: &'static str,
    pub namespace: &'static str,
    pub summary: &'static str,
    pub elements: Vec<ElementSchema>,
    /// The keys of its data, if they are known.
    pub data: Option<Vec<&'static str>>,
}

/// An element of an action type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ElementSchema {
    pub name: &'static str,
    pub value: ValueKind,
    pub occurs: Occurs,
    pub summary: &'static str,
}

/// An action that is a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FunctionSchema {
    pub arguments: Vec<ArgumentSchema>,
    /// The keys of its data, if they are known.
    pub data: Option<Vec<&'static str>>,
}

/// An argument of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArgumentSchema {
    pub name: &'static str,
    pub value: ValueKind,
}
