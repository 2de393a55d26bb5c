//! What an extension gives to workflows in XML: action types and functions, as its manifest describes them.

use hpdlc_core::extension::{Occurs, ValueKind, ValueType};
use serde::Deserialize;

use crate::model::own_function::{DescribedFunction, OwnFunction};

/// An extension.
#[derive(Clone, Debug, Deserialize)]
pub struct Extension {
    /// That of its crate, and what the names of its functions begin with.
    pub name: String,
    #[serde(default)]
    pub types: Vec<CustomType>,
    #[serde(default)]
    pub actions: Vec<CustomFunction>,
    /// Those that expressions call.
    #[serde(default)]
    pub functions: Vec<ExpressionFunction>,
}

impl Extension {
    /// The keys of the data of its action or type of that name, such as `acme::count`; `None` if they are not known.
    pub fn data_keys(&self, function: &str) -> Option<&[String]> {
        let name = function.strip_prefix(&self.name)?.strip_prefix("::")?;
        let action = self.actions.iter().find(|it| it.name == name);
        let r#type = || self.types.iter().find(|it| it.element == name);
        match action {
            Some(action) => action.data.as_deref(),
            None => r#type()?.data.as_deref(),
        }
    }

    /// What expressions can call, for a program that is linked with the crate.
    pub fn own_functions(&self) -> impl Iterator<Item = OwnFunction> {
        self.functions.iter().map(|function| OwnFunction {
            prefix: function.prefix.clone(),
            name: function.name.clone(),
            n_arguments: function.arguments.len(),
            path: format!("*::{}::hpdl_functions::{}", self.name, function.name),
            described: Some(DescribedFunction {
                extension: self.name.clone(),
                arguments: function.arguments.iter().map(|it| it.r#type).collect(),
                result: function.result,
            }),
        })
    }

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

/// A function of an extension, which expressions call.
#[derive(Clone, Debug, Deserialize)]
pub struct ExpressionFunction {
    pub name: String,
    pub prefix: String,
    pub arguments: Vec<ExpressionArgument>,
    pub result: ValueType,
}

impl ExpressionFunction {
    /// As written in an expression.
    pub fn full_name(&self) -> String {
        format!("{}:{}", self.prefix, self.name)
    }
}

#[derive(Clone, Debug, Deserialize)]
pub struct ExpressionArgument {
    #[serde(flatten)]
    pub r#type: ValueType,
}
