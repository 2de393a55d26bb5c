//! Values that must have a form: node names, booleans, numbers.

use std::fmt;

use crate::{
    diagnostics::Sink,
    lower::{
        check::{
            expression_in_name::ExpressionInName,
            invalid_node_name::{InvalidNodeName, NameFault},
            invalid_value::InvalidValue,
            unknown_retry_policies::UnknownRetryPolicy,
        },
        schema::Value,
    },
    source::{Span, Spanned},
    syntax::xml::Decoded,
};

/// The longest node name, in characters (`ParamChecker.validateActionName`).
const LONGEST_NODE_NAME: usize = 128;

/// What has the value, for messages.
#[derive(Clone, Copy, Debug)]
pub(super) enum Subject<'n> {
    Attribute(&'n str),
    Element(&'n str),
}

impl fmt::Display for Subject<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Attribute(name) => write!(f, "the `{name}` attribute"),
            Subject::Element(name) => write!(f, "the `{name}` element"),
        }
    }
}

/// Reports a text that is not a `value`.
pub(super) fn check(
    value: Value,
    subject: Subject<'_>,
    text: &Decoded<'_>,
    span: Span,
    sink: &mut Sink,
) {
    let written = text.as_str();
    let trimmed = written.trim();
    let has_expression = || written.contains("${");
    let expected = match value {
        Value::Any => return,
        Value::NotEmpty => unless(!written.is_empty(), "a text that is not empty"),
        Value::NodeName => return check_node_name(subject, text, span, sink),
        Value::Boolean => unless(
            matches!(trimmed, "true" | "false" | "1" | "0"),
            "`true` or `false`",
        ),
        Value::Short => unless(
            trimmed.parse::<i16>().is_ok(),
            "a whole number from -32768 to 32767",
        ),
        Value::UnsignedInt => unless(
            trimmed.parse::<u32>().is_ok(),
            "a whole number from 0 to 4294967295",
        ),
        // Java's `Integer.parseInt` does not trim.
        Value::Integer => unless(
            has_expression() || written.parse::<i32>().is_ok(),
            "a whole number",
        ),
        Value::RetryPolicy => {
            let is_known = ["periodic", "exponential"]
                .iter()
                .any(|policy| policy.eq_ignore_ascii_case(written));
            if !is_known && !has_expression() {
                sink.emit(UnknownRetryPolicy {
                    policy: Spanned::new(written.to_owned(), span),
                });
            }
            return;
        }
    };
    if let Some(expected) = expected {
        sink.emit(InvalidValue {
            subject: subject.to_string(),
            found: Spanned::new(written.to_owned(), span),
            expected,
            refuses_expressions: has_expression(),
        });
    }
}

fn unless(is_valid: bool, expected: &'static str) -> Option<&'static str> {
    (!is_valid).then_some(expected)
}

fn check_node_name(subject: Subject<'_>, text: &Decoded<'_>, span: Span, sink: &mut Sink) {
    let name = text.as_str();
    if let Some(fault) = name_fault(name) {
        if name.contains("${") {
            sink.emit(ExpressionInName {
                subject: subject.to_string(),
                text: span,
            });
            return;
        }
        let place = match fault {
            NameFault::Character { at, character } => text.span_of(at..at + character.len_utf8()),
            NameFault::Empty | NameFault::TooLong { .. } => span,
        };
        sink.emit(InvalidNodeName {
            name: Spanned::new(name.to_owned(), span),
            fault,
            place,
        });
    }
}

/// Whether a node can have that name.
pub(crate) fn is_node_name(name: &str) -> bool {
    name_fault(name).is_none()
}

fn name_fault(name: &str) -> Option<NameFault> {
    if name.is_empty() {
        return Some(NameFault::Empty);
    }
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let starts_right = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    if starts_right && name.len() <= LONGEST_NODE_NAME && name.bytes().all(is_plain) {
        return None;
    }
    let wrong = name.char_indices().find(|(at, c)| {
        let is_letter = c.is_ascii_alphabetic() || *c == '_';
        let is_later = *at > 0 && (c.is_ascii_digit() || *c == '-');
        !(is_letter || is_later)
    });
    if let Some((at, character)) = wrong {
        return Some(NameFault::Character { at, character });
    }
    let length = name.len();
    (length > LONGEST_NODE_NAME).then_some(NameFault::TooLong {
        length,
        most: LONGEST_NODE_NAME,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_names_have_their_form() {
        let character = |at, character| Some(NameFault::Character { at, character });
        for (name, expected) in [
            ("a", None),
            ("_a-1", None),
            ("", Some(NameFault::Empty)),
            ("1a", character(0, '1')),
            ("-a", character(0, '-')),
            ("a b", character(1, ' ')),
            ("aé", character(1, 'é')),
            (":start:", character(0, ':')),
        ] {
            assert_eq!(name_fault(name), expected, "{name}");
        }
        assert_eq!(name_fault(&"a".repeat(128)), None);
        assert_eq!(
            name_fault(&"a".repeat(129)),
            Some(NameFault::TooLong {
                length: 129,
                most: 128
            })
        );
    }
}
