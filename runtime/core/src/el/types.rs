//! The types of expressions.

use crate::el::value::Value;

/// The static type of an expression, if it has a value at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Null,
    Bool,
    Long,
    Double,
    /// A text that is not null.
    Text,
    /// A text or null.
    NullableText,
    /// A map, never null.
    Map,
    /// Anything.
    Object,
}

impl Type {
    /// Whether a value of this type may be null.
    pub fn is_nullable(self) -> bool {
        match self {
            Type::Null | Type::NullableText | Type::Object => true,
            Type::Bool | Type::Long | Type::Double | Type::Text | Type::Map => false,
        }
    }

    /// The union of two types.
    pub(super) fn or(self, other: Type) -> Type {
        match (self, other) {
            (left, right) if left == right => left,
            (Type::Null | Type::Text | Type::NullableText, Type::NullableText)
            | (Type::NullableText, Type::Null | Type::Text)
            | (Type::Null, Type::Text)
            | (Type::Text, Type::Null) => Type::NullableText,
            _ => Type::Object,
        }
    }

    /// Whether `value` is of this type.
    pub fn admits(self, value: &Value) -> bool {
        match value {
            Value::Null => self.is_nullable(),
            Value::Bool(_) => matches!(self, Type::Bool | Type::Object),
            Value::Long(_) => matches!(self, Type::Long | Type::Object),
            Value::Double(_) => matches!(self, Type::Double | Type::Object),
            Value::Text(_) => matches!(self, Type::Text | Type::NullableText | Type::Object),
            Value::Map(_) => matches!(self, Type::Map | Type::Object),
        }
    }
}
