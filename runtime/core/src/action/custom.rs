//! An action of a type that an extension defines. Oozie has none of these types.

use crate::action::{Empty, Field, Fields, Form, TypedBody, Value};

/// A body whose elements are those that are written: only the extension knows what they mean.
#[derive(Clone, Debug)]
pub struct Custom<F: Form> {
    /// The name of the body's element.
    pub type_name: &'static str,
    /// The name by which the program knows what runs it, such as `acme::s3-copy`; empty if no extension does.
    pub function: &'static str,
    /// In the order of the schema.
    pub elements: F::List<CustomElement<F>>,
}

/// The elements of one name.
#[derive(Clone, Debug)]
pub struct CustomElement<F: Form> {
    pub name: &'static str,
    pub texts: F::List<F::Text>,
}

impl<F: Form> Custom<F> {
    /// An action without elements that nothing runs.
    pub const EMPTY: Custom<F> = Custom {
        type_name: "",
        function: "",
        elements: <F::List<CustomElement<F>> as Empty>::EMPTY,
    };
}

impl<F: Form> Fields<F> for Custom<F> {
    fn name(&self) -> &'static str {
        "Custom"
    }

    fn fields(&self) -> Vec<Field<'_, F>> {
        let Custom {
            type_name,
            function,
            elements,
        } = self;
        [
            ("type_name", Value::Name(type_name)),
            ("function", Value::Name(function)),
            ("elements", Value::Elements(elements)),
        ]
        .into_iter()
        .map(|(name, value)| Field { name, value })
        .collect()
    }
}

impl<F: Form> TypedBody<F> for Custom<F> {
    fn type_name(&self) -> &'static str {
        self.type_name
    }
}
