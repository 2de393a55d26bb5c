//! Values and coercions (commons-el's `Coercions`).

use std::{borrow::Cow, collections::BTreeMap, fmt};

use crate::{el::error::ElError, java};

/// The result of an expression.
///
/// Oozie's Integer results are [`Value::Long`] here; no rule distinguishes the two.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Value {
    #[default]
    Null,
    Bool(bool),
    Long(i64),
    Double(f64),
    Text(String),
    Map(BTreeMap<String, Value>),
}

impl Value {
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// The operator `empty`: null, the empty text, and the empty map.
    pub fn is_empty(&self) -> bool {
        match self {
            Value::Null => true,
            Value::Text(text) => text.is_empty(),
            Value::Map(map) => map.is_empty(),
            Value::Bool(_) | Value::Long(_) | Value::Double(_) => false,
        }
    }

    /// As text: null is empty, numbers have Java's format, a map is `{a=1, b=2}`.
    pub fn to_text(&self) -> Cow<'_, str> {
        match self {
            Value::Text(text) => Cow::Borrowed(text),
            Value::Null => Cow::Borrowed(""),
            Value::Bool(true) => Cow::Borrowed("true"),
            Value::Bool(false) => Cow::Borrowed("false"),
            Value::Long(value) => Cow::Owned(value.to_string()),
            Value::Double(value) => Cow::Owned(java::double_to_text(*value)),
            Value::Map(map) => Cow::Owned(map_to_text(map)),
        }
    }

    /// [`Value::to_text`] without a copy where the value is a text.
    pub fn into_text(self) -> String {
        match self {
            Value::Text(text) => text,
            other @ (Value::Null
            | Value::Bool(_)
            | Value::Long(_)
            | Value::Double(_)
            | Value::Map(_)) => other.to_text().into_owned(),
        }
    }

    /// As a boolean: null and every text but "true" in any case are false.
    ///
    /// # Errors
    ///
    /// Coercion, if it is a number or a map.
    pub fn to_bool(&self) -> Result<bool, ElError> {
        match self {
            Value::Null => Ok(false),
            Value::Bool(value) => Ok(*value),
            Value::Text(text) => Ok(java::parse_bool(text)),
            Value::Long(_) | Value::Double(_) | Value::Map(_) => Err(ElError::coercion(format!(
                "expected `true` or `false`, found {}",
                Described(self)
            ))),
        }
    }

    /// As an integer: null and the empty text are 0, a fraction is truncated.
    ///
    /// # Errors
    ///
    /// Coercion, if it is a boolean, a map, or a text that `Long.valueOf` refuses.
    pub fn to_long(&self) -> Result<i64, ElError> {
        match self {
            Value::Null => Ok(0),
            Value::Long(value) => Ok(*value),
            // Java's narrowing saturates and maps NaN to zero, as Rust's does.
            Value::Double(value) => Ok(*value as i64),
            Value::Text(text) if text.is_empty() => Ok(0),
            Value::Text(text) => java::parse_long(text).ok_or_else(|| {
                ElError::coercion(format!(
                    "expected a whole number, found {}",
                    Described(self)
                ))
            }),
            Value::Bool(_) | Value::Map(_) => Err(self.not_a_number()),
        }
    }

    /// As a floating-point number: null and the empty text are 0.
    ///
    /// # Errors
    ///
    /// Coercion, if it is a boolean, a map, or a text that `Double.valueOf` refuses.
    pub fn to_double(&self) -> Result<f64, ElError> {
        match self {
            Value::Null => Ok(0.0),
            Value::Long(value) => Ok(*value as f64),
            Value::Double(value) => Ok(*value),
            Value::Text(text) if text.is_empty() => Ok(0.0),
            Value::Text(text) => java::parse_double(text).ok_or_else(|| self.not_a_number()),
            Value::Bool(_) | Value::Map(_) => Err(self.not_a_number()),
        }
    }

    fn not_a_number(&self) -> ElError {
        ElError::coercion(format!("expected a number, found {}", Described(self)))
    }
}

fn map_to_text(map: &BTreeMap<String, Value>) -> String {
    let entries: Vec<String> = map
        .iter()
        .map(|(key, value)| match value {
            Value::Null => format!("{key}=null"),
            other => format!("{key}={}", other.to_text()),
        })
        .collect();
    format!("{{{}}}", entries.join(", "))
}

/// A value formatted for a message: "the text `abc`", "`1`", "null".
pub struct Described<'a>(pub &'a Value);

/// The maximum length of a text in a message, in characters.
const SHOWN_LENGTH: usize = 60;

impl fmt::Display for Described<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::Null => f.write_str("null"),
            Value::Map(map) if map.is_empty() => f.write_str("an empty map"),
            Value::Map(map) => {
                let keys: Vec<&str> = map.keys().take(5).map(String::as_str).collect();
                write!(f, "a map with `{}`", keys.join("`, `"))?;
                match map.len().saturating_sub(keys.len()) {
                    0 => Ok(()),
                    more => write!(f, ", and {more} more"),
                }
            }
            Value::Text(text) if text.is_empty() => f.write_str("an empty text"),
            Value::Text(text) => match text.char_indices().nth(SHOWN_LENGTH) {
                None => write!(f, "the text `{text}`"),
                Some((cut, _)) => write!(f, "the text `{}...`", &text[..cut]),
            },
            Value::Bool(_) | Value::Long(_) | Value::Double(_) => {
                write!(f, "`{}`", self.0.to_text())
            }
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::Long(value)
    }
}

impl From<i32> for Value {
    fn from(value: i32) -> Value {
        Value::Long(value.into())
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value::Double(value)
    }
}

impl From<String> for Value {
    fn from(value: String) -> Value {
        Value::Text(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Value {
        Value::Text(value.to_owned())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Null, Into::into)
    }
}

impl From<BTreeMap<String, String>> for Value {
    fn from(map: BTreeMap<String, String>) -> Value {
        Value::Map(
            map.into_iter()
                .map(|(key, text)| (key, Value::Text(text)))
                .collect(),
        )
    }
}

impl From<BTreeMap<String, Value>> for Value {
    fn from(map: BTreeMap<String, Value>) -> Value {
        Value::Map(map)
    }
}
