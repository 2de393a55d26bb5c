//! What an extension gives to workflows in XML: action types and functions, as its manifest describes them.

use hpdlc_core::extension::{Occurs, ValueKind};
use serde::Deserialize;

/// An extension.
#[derive(Clone, Debug, Deserialize)]
pub struct Extension {
    /// That of its crate, and what the names of its functions begin with.
    pub name: String,
    #[serde(default)]
    pub types: Vec<CustomType>,
    #[serde(default)]
    pub actions: Vec<CustomFunction>,
}

impl Extension {
    /// Whether a function of that name, such as `acme::count`, is one of this extension.
    pub fn has(&self, function: &str) -> bool {
        function
            .strip_prefix(&self.name)
            .is_some_and(|rest| rest.starts_with("::"))
    }
}

/// An action type that an extension defines.
#[derive(Clone, Debug, Deserialize)]
pub struct CustomType {
    /// The name of the body's element.
    pub element: String,
    /// With a version at its end.
    pub namespace: String,
    #[serde(default)]
    pub summary: String,
    /// In the order that they are written in.
    pub elements: Vec<CustomElementType>,
    /// The keys of its data, if they are known.
    #[serde(default)]
    pub data: Option<Vec<String>>,
}

/// An element of such a type.
#[derive(Clone, Debug, Deserialize)]
pub struct CustomElementType {
    pub name: String,
    pub value: ValueKind,
    pub occurs: Occurs,
    #[serde(default)]
    pub summary: String,
}

/// A function of an extension, which `rust` actions call.
#[derive(Clone, Debug, Deserialize)]
pub struct CustomFunction {
    pub name: String,
    pub arguments: Vec<CustomArgument>,
    /// The keys of its data, if they are known.
    #[serde(default)]
    pub data: Option<Vec<String>>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct CustomArgument {
    pub name: String,
    pub value: ValueKind,
}
