//! What an extension says of its elements and arguments, in its manifest: the runtime writes it, the compiler reads it.

use serde::{Deserialize, Serialize};

/// How often an element is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Occurs {
    One,
    Optional,
    Repeated,
}

/// The type of a value that a function of expressions takes or gives; what is optional may be empty, or null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueType {
    pub value: ValueKind,
    pub occurs: Occurs,
}

/// What the text of an element or an argument is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueKind {
    Text,
    Uri,
    Int,
    Float,
    Bool,
    Duration,
}

impl ValueKind {
    /// Whether a text without expressions is one.
    pub fn accepts(self, text: &str) -> bool {
        match self {
            ValueKind::Text => true,
            ValueKind::Uri => !text.is_empty() && !text.contains(char::is_whitespace),
            ValueKind::Int => text.parse::<i64>().is_ok() || text.parse::<u64>().is_ok(),
            ValueKind::Float => text.parse::<f64>().is_ok(),
            ValueKind::Bool => matches!(text, "true" | "false"),
            ValueKind::Duration => text
                .strip_suffix(['s', 'm', 'h', 'd'])
                .is_some_and(|number| {
                    number.bytes().all(|byte| byte.is_ascii_digit())
                        && number.parse::<u64>().is_ok()
                }),
        }
    }

    /// In words, with an article.
    pub fn described(self) -> &'static str {
        match self {
            ValueKind::Text => "a text",
            ValueKind::Uri => "a URI, which is not empty and has no blanks",
            ValueKind::Int => "a whole number",
            ValueKind::Float => "a number",
            ValueKind::Bool => "`true` or `false`",
            ValueKind::Duration => "a duration, such as `90s`, `15m`, `2h` or `1d`",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_their_form() {
        for (kind, valid, invalid) in [
            (ValueKind::Text, &["", "a b"][..], &[][..]),
            (
                ValueKind::Uri,
                &["s3a://b/k", "/data"],
                &["", "s3a://b/k l"],
            ),
            (
                ValueKind::Int,
                &["0", "-3", "18446744073709551615"],
                &["", "1.5", "x"],
            ),
            (ValueKind::Float, &["0", "-1.5", "1e3"], &["", "1,5"]),
            (ValueKind::Bool, &["true", "false"], &["", "TRUE", "1"]),
            (
                ValueKind::Duration,
                &["90s", "15m", "2h", "1d"],
                &["", "s", "90", "-1s", "+1s", "1.5h"],
            ),
        ] {
            for text in valid {
                assert!(kind.accepts(text), "{kind:?} {text}");
            }
            for text in invalid {
                assert!(!kind.accepts(text), "{kind:?} {text}");
            }
        }
    }
}
