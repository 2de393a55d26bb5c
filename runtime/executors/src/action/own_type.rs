//! Action types of extensions: a struct whose fields are the elements of an action. `#[action_type]` of `hpdlc-flow` implements
//! [`ActionType`]; the author implements [`Run`] or [`Remote`](super::Remote).

use std::{path::PathBuf, time::Duration};

use super::{
    DataMap, Uri,
    data::Data,
    error::{Result, error},
    schema::TypeSchema,
    value::Value,
};
use crate::action::{Action, Context};

/// A type of actions with a name and elements of its own.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no action type",
    label = "`#[action_type(element = \"...\", namespace = \"...\")]` is missing above the struct"
)]
pub trait ActionType: Sized {
    /// The name of the element.
    const ELEMENT: &'static str;

    /// The namespace of the element.
    const NAMESPACE: &'static str;

    /// What the process of an action does.
    const ACTION: &'static Action;

    /// Reads the elements of an action.
    ///
    /// # Errors
    ///
    /// An element is missing, unknown or there too often, or its text is no value of its type (`HPDL_ARGUMENT`).
    fn of_elements(elements: Elements<'_>) -> Result<Self>;

    /// The elements without the data, which [`Run`] or [`Remote`](super::Remote) says.
    fn schema() -> TypeSchema;
}

/// An action type whose work is done by the process of the action.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does no work of its own",
    label = "neither `Run` nor `Remote` is implemented for it"
)]
pub trait Run: ActionType {
    /// What the action gives to its workflow.
    type Data: Data;

    /// Does the work.
    ///
    /// # Errors
    ///
    /// Why it failed.
    fn run(&self, cx: &Context) -> Result<Self::Data>;
}

/// A value that an element can have: one text.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no value of an element",
    label = "neither a text, an address (`Uri`), a path, a number, a `bool`, a `Duration`, nor an enum with `#[derive(Data)]`",
    note = "an element that may be absent is `Option<...>`, one that may be there many times `Vec<...>`"
)]
pub trait ElementValue: Value {}

macro_rules! element_values {
    ($($type:ty)*) => {
        $(impl ElementValue for $type {})*
    };
}

element_values! {
    String Uri PathBuf Duration char bool f32 f64
    u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize
}

/// The elements of an action, as `name=text` each, in the order of the document. A name is that of the element, or in workflows
/// written in Rust that of the field.
#[derive(Debug)]
pub struct Elements<'a> {
    left: Vec<(&'a str, &'a str)>,
}

impl<'a> Elements<'a> {
    /// # Errors
    ///
    /// A text has no name (`HPDL_ARGUMENT`).
    pub fn of(texts: &'a [String]) -> Result<Elements<'a>> {
        let named = texts.iter().map(|text| {
            text.split_once('=').ok_or_else(|| {
                let problem = format!("`{text}` is no element: it is written as `name=text`");
                error("HPDL_ARGUMENT", problem)
            })
        });
        let left = named.collect::<Result<Vec<_>>>()?;
        Ok(Elements { left })
    }

    /// The texts of an element, which are then read.
    fn texts(&mut self, element: &str, field: &str) -> Vec<&'a str> {
        let is_it = |(name, _): &(&str, &str)| *name == element || *name == field;
        let found = self.left.iter().filter(|it| is_it(it));
        let found = found.map(|(_, text)| *text).collect();
        self.left.retain(|it| !is_it(it));
        found
    }

    /// An element that must be there once.
    ///
    /// # Errors
    ///
    /// It is missing, there twice, or its text is no value of the type (`HPDL_ARGUMENT`).
    pub fn one<T: ElementValue>(&mut self, element: &str, field: &str) -> Result<T> {
        let text = self
            .at_most_one(element, field)?
            .ok_or_else(|| error("HPDL_ARGUMENT", format!("element `{element}` is missing")))?;
        value(element, text)
    }

    /// An element that may be absent, or empty.
    ///
    /// # Errors
    ///
    /// It is there twice, or its text is no value of the type (`HPDL_ARGUMENT`).
    pub fn optional<T: ElementValue>(&mut self, element: &str, field: &str) -> Result<Option<T>> {
        let text = self.at_most_one(element, field)?;
        let text = text.filter(|text| !text.is_empty());
        text.map(|text| value(element, text)).transpose()
    }

    /// An element that may be there any number of times.
    ///
    /// # Errors
    ///
    /// A text is no value of the type (`HPDL_ARGUMENT`).
    pub fn repeated<T: ElementValue>(&mut self, element: &str, field: &str) -> Result<Vec<T>> {
        let texts = self.texts(element, field).into_iter();
        texts.map(|text| value(element, text)).collect()
    }

    /// All elements have been read, of which the type has `known` ones.
    ///
    /// # Errors
    ///
    /// There is another one (`HPDL_ARGUMENT`).
    pub fn end(self, known: &[&str]) -> Result<()> {
        let Some((name, _)) = self.left.first() else {
            return Ok(());
        };
        let problem = format!(
            "element `{name}` is not known: there are `{}`",
            known.join("`, `")
        );
        Err(error("HPDL_ARGUMENT", problem))
    }

    fn at_most_one(&mut self, element: &str, field: &str) -> Result<Option<&'a str>> {
        match self.texts(element, field)[..] {
            [] => Ok(None),
            [text] => Ok(Some(text)),
            [..] => {
                let problem = format!("element `{element}` is there more than once");
                Err(error("HPDL_ARGUMENT", problem))
            }
        }
    }
}

fn value<T: ElementValue>(element: &str, text: &str) -> Result<T> {
    T::of_text(Some(text))
        .map_err(|problem| error("HPDL_ARGUMENT", format!("element `{element}`: {problem}")))
}

/// Reads the elements of a type and does its work.
pub(super) fn run<T: Run>(cx: &Context, texts: &[String]) -> Result<DataMap> {
    let action = T::of_elements(Elements::of(texts)?)?;
    super::answer(action.run(cx))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copy(texts: &[&str]) -> std::result::Result<String, String> {
        let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
        let read = || {
            let mut elements = Elements::of(&texts)?;
            let source: Uri = elements.one("source-uri", "source_uri")?;
            let threads: Option<u32> = elements.optional("threads", "threads")?;
            let exclude: Vec<String> = elements.repeated("exclude", "exclude")?;
            elements.end(&["source-uri", "threads", "exclude"])?;
            Ok(format!("{source} {threads:?} {exclude:?}"))
        };
        let read: Result<String> = read();
        read.map_err(|error| error.to_string())
    }

    #[test]
    fn elements_are_read_by_their_names() {
        for (texts, expected) in [
            (&["source-uri=s3://a?b=c"][..], Ok("s3://a?b=c None []")),
            (
                &["exclude=b", "source_uri=s3://a", "exclude=a", "threads=4"],
                Ok(r#"s3://a Some(4) ["b", "a"]"#),
            ),
            (&["source-uri=a", "threads="], Ok("a None []")),
            (
                &["threads=4"],
                Err("HPDL_ARGUMENT: element `source-uri` is missing"),
            ),
            (
                &["source-uri=a", "source_uri=b"],
                Err("HPDL_ARGUMENT: element `source-uri` is there more than once"),
            ),
            (
                &["source-uri=a", "threads=four"],
                Err(
                    "HPDL_ARGUMENT: element `threads`: `four` is no u32: invalid digit found in string",
                ),
            ),
            (
                &["source-uri=a", "speed=4"],
                Err(
                    "HPDL_ARGUMENT: element `speed` is not known: there are `source-uri`, `threads`, `exclude`",
                ),
            ),
            (
                &["source"],
                Err("HPDL_ARGUMENT: `source` is no element: it is written as `name=text`"),
            ),
        ] {
            let found = copy(texts);
            let found = found.as_deref().map_err(String::as_str);
            assert_eq!(found, expected, "{texts:?}");
        }
    }
}
