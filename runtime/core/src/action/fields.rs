//! The fields of bodies as data, for code that handles all action types in the same way.

#[macro_use]
mod structs;

mod operation;
mod prepare;
mod settings;

use std::slice;

pub use self::{operation::FsOperation, prepare::PrepareOperation, settings::Settings};
use crate::action::{CustomElement, Form};

/// A field of a struct.
pub struct Field<'a, F: Form> {
    /// Its name in Rust.
    pub name: &'static str,
    pub value: Value<'a, F>,
}

/// The value of a field. Texts have the name of their element, which is a path where the element is in another one, or is an
/// attribute: `streaming/mapper`, `post@content-type`.
pub enum Value<'a, F: Form> {
    /// An element that the schema requires.
    Text(&'static str, &'a F::Text),
    /// An element that may be missing: one text or none.
    Optional(&'static str, &'a [F::Text]),
    /// An element that may be repeated, in the order of the document.
    List(&'static str, &'a [F::Text]),
    Flag(bool),
    /// A name that the compiler knows.
    Name(&'static str),
    /// The elements of a type of an extension.
    Elements(&'a [CustomElement<F>]),
    Settings(&'a Settings<F>),
    Configuration(&'a F::Configuration),
    Prepare(&'a [PrepareOperation<F>]),
    Operations(&'a [F::Operation]),
    Choice(Choice<'a, F>),
    /// A part with elements of its own.
    Struct(&'a dyn Fields<F>),
    OptionalStruct(Option<&'a dyn Fields<F>>),
}

/// A variant of an enum of elements that exclude each other.
pub struct Choice<'a, F: Form> {
    /// The name of the enum.
    pub name: &'static str,
    pub variant: &'static str,
    /// What the variant consists of. Nothing is written if it is empty.
    pub values: Vec<Value<'a, F>>,
}

/// A struct whose fields are known as data.
pub trait Fields<F: Form> {
    /// Its name in Rust.
    fn name(&self) -> &'static str;

    /// All fields, in the order of the schema.
    fn fields(&self) -> Vec<Field<'_, F>>;
}

/// An element with its texts, in the order of the document.
pub type ElementTexts<'a, F> = (&'static str, &'a [<F as Form>::Text]);

/// The body of an action.
pub trait TypedBody<F: Form>: Fields<F> {
    /// The name of its element, which is Oozie's name of the type.
    fn type_name(&self) -> &'static str;

    /// The settings of a Hadoop-style type; `None` for types that inherit nothing from `global`.
    fn settings(&self) -> Option<&Settings<F>> {
        self.fields()
            .into_iter()
            .find_map(|field| match field.value {
                Value::Settings(settings) => Some(settings),
                _ => None,
            })
    }

    /// The `prepare` block of a type that Oozie runs with its launcher (`JavaActionExecutor`); `None` for the others.
    fn prepare(&self) -> Option<&[PrepareOperation<F>]> {
        self.fields()
            .into_iter()
            .find_map(|field| match field.value {
                Value::Prepare(operations) => Some(operations),
                _ => None,
            })
    }

    /// What it does to files, one after the other.
    fn operations(&self) -> Vec<&FsOperation<F>> {
        let operations = self
            .fields()
            .into_iter()
            .find_map(|field| match field.value {
                Value::Operations(operations) => Some(operations),
                _ => None,
            });
        let operations = operations.unwrap_or_default();
        operations.iter().map(AsRef::as_ref).collect()
    }

    /// The elements that hold a text, besides those of its settings, in the order of the schema. One that is not written is left
    /// out.
    fn elements(&self) -> Vec<ElementTexts<'_, F>> {
        let mut elements = Vec::new();
        for field in self.fields() {
            if !matches!(field.value, Value::Settings(_)) {
                field.value.elements(&mut elements);
            }
        }
        elements
    }

    /// All texts: of its settings without their configuration, of its elements, and of what it does to files.
    fn texts(&self) -> Vec<&F::Text> {
        let mut texts = Vec::new();
        for field in self.fields() {
            field.value.texts(&mut texts);
        }
        texts
    }
}

impl<'a, F: Form> Value<'a, F> {
    /// Adds the elements that hold a text.
    fn elements(&self, found: &mut Vec<ElementTexts<'a, F>>) {
        match self {
            Value::Text(name, text) => found.push((name, slice::from_ref(*text))),
            Value::Optional(name, texts) | Value::List(name, texts) => {
                if !texts.is_empty() {
                    found.push((name, texts));
                }
            }
            Value::Settings(settings) => of_fields(*settings, found),
            Value::Struct(part) | Value::OptionalStruct(Some(part)) => of_fields(*part, found),
            Value::Choice(choice) => {
                for value in &choice.values {
                    value.elements(found);
                }
            }
            Value::Elements(elements) => {
                found.extend(elements.iter().map(|it| (it.name, &it.texts[..])));
            }
            Value::Flag(_)
            | Value::Name(_)
            | Value::Configuration(_)
            | Value::Prepare(_)
            | Value::Operations(_)
            | Value::OptionalStruct(None) => {}
        }
    }

    fn texts(&self, found: &mut Vec<&'a F::Text>) {
        match self {
            Value::Prepare(operations) => {
                found.extend(operations.iter().map(PrepareOperation::path))
            }
            Value::Operations(operations) => {
                for operation in *operations {
                    for (_, texts) in operation.as_ref().attributes() {
                        found.extend(texts);
                    }
                }
            }
            Value::Text(..)
            | Value::Optional(..)
            | Value::List(..)
            | Value::Flag(_)
            | Value::Name(_)
            | Value::Elements(_)
            | Value::Settings(_)
            | Value::Configuration(_)
            | Value::Choice(_)
            | Value::Struct(_)
            | Value::OptionalStruct(_) => {
                let mut elements = Vec::new();
                self.elements(&mut elements);
                found.extend(elements.into_iter().flat_map(|(_, texts)| texts));
            }
        }
    }
}

/// Adds the elements of a struct that hold a text.
fn of_fields<'a, F: Form>(
    fields: &'a (impl Fields<F> + ?Sized),
    found: &mut Vec<ElementTexts<'a, F>>,
) {
    for field in fields.fields() {
        field.value.elements(found);
    }
}
