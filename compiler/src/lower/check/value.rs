//! Values with a required format: node names, booleans, numbers.

use std::fmt;

use crate::{
    lower::{
        check::{
            CheckMode, DocumentWalk,
            expression_in_name::ExpressionInName,
            invalid_node_name::{InvalidNodeName, NodeNameFault},
            invalid_value::InvalidValue,
            unknown_retry_policies::UnknownRetryPolicy,
        },
        schema::SimpleType,
    },
    source::{Span, Spanned},
    syntax::xml::Decoded,
};

/// The longest node name, in characters (`ParamChecker.validateActionName`).
const LONGEST_NODE_NAME: usize = 128;

/// What the value belongs to, for messages.
#[derive(Clone, Copy, Debug)]
pub(super) enum ValueSubject<'n> {
    Attribute(&'n str),
    Element(&'n str),
}

impl fmt::Display for ValueSubject<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueSubject::Attribute(name) => write!(f, "the `{name}` attribute"),
            ValueSubject::Element(name) => write!(f, "the `{name}` element"),
        }
    }
}

impl DocumentWalk<'_, '_> {
    /// Reports a text that is not a valid `value`.
    pub(super) fn value(
        &mut self,
        value: SimpleType,
        subject: ValueSubject<'_>,
        text: &Decoded<'_>,
        span: Span,
    ) {
        let written = text.as_str();
        let has_expression = || written.contains("${");
        let is_compiled = self.mode == CheckMode::Compile;
        let expected = match value {
            SimpleType::Any => return,
            SimpleType::NotEmpty => unless(
                !is_compiled || !written.is_empty(),
                "a text that is not empty",
            ),
            SimpleType::NodeName => return self.node_name(subject, text, span),
            SimpleType::DataName => unless(
                is_plain_name(written) && !written.starts_with('_'),
                "a letter with letters, digits, `_`, and `-` behind it",
            ),
            SimpleType::FunctionName => unless(
                is_function_name(written),
                "the name of a Rust function: letters, digits and `_`, or a path of such names",
            ),
            SimpleType::Boolean => unless(
                matches!(trimmed(written), "true" | "false" | "1" | "0"),
                "`true` or `false`",
            ),
            SimpleType::Short => unless(
                self.is_number::<i16>(written),
                "a whole number from -32768 to 32767",
            ),
            SimpleType::UnsignedInt => unless(
                self.is_number::<u32>(written),
                "a whole number from 0 to 4294967295",
            ),
            SimpleType::Custom(kind) => {
                unless(has_expression() || kind.accepts(written), kind.described())
            }
            SimpleType::RetryPolicy => {
                let is_known = ["periodic", "exponential"]
                    .iter()
                    .any(|policy| policy.eq_ignore_ascii_case(written));
                if is_compiled && !is_known && !has_expression() {
                    self.emit(UnknownRetryPolicy {
                        policy: Spanned::new(written.to_owned(), span),
                    });
                }
                return;
            }
        };
        if let Some(expected) = expected {
            self.emit(InvalidValue {
                subject: subject.to_string(),
                found: Spanned::new(written.to_owned(), span),
                expected,
                refuses_expressions: has_expression(),
            });
        }
    }

    /// Whether it is a number of that type in the syntax of XML Schema. Surrounding blanks are ignored by the standard, and
    /// rejected by libxml2, which also rejects a sign before a number that cannot be negative.
    pub(super) fn is_number<N: std::str::FromStr>(&self, written: &str) -> bool {
        let number = match self.mode {
            CheckMode::Compile => trimmed(written),
            CheckMode::SchemaOnly => written,
        };
        let is_signed = "-1".parse::<N>().is_ok();
        let may_start = is_signed || self.mode == CheckMode::Compile || !number.starts_with('+');
        may_start && number.parse::<N>().is_ok()
    }

    fn node_name(&mut self, subject: ValueSubject<'_>, text: &Decoded<'_>, span: Span) {
        let name = text.as_str();
        if self.mode == CheckMode::SchemaOnly && is_plain_name(name) {
            return;
        }
        let Some(fault) = name_fault(name) else {
            return;
        };
        if name.contains("${") {
            self.emit(ExpressionInName {
                subject: subject.to_string(),
                text: span,
            });
            return;
        }
        let place = match fault {
            NodeNameFault::Character { at, character } => {
                text.span_of(at..at + character.len_utf8())
            }
            NodeNameFault::Empty | NodeNameFault::TooLong { .. } => span,
        };
        self.emit(InvalidNodeName {
            name: Spanned::new(name.to_owned(), span),
            fault,
            place,
        });
    }
}

fn unless(is_valid: bool, expected: &'static str) -> Option<&'static str> {
    (!is_valid).then_some(expected)
}

/// Whether it is a Rust identifier, or several of them with `::` in between.
fn is_function_name(text: &str) -> bool {
    trimmed(text).split("::").all(|name| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        name.chars().all(is_part)
            && !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// Without XML white space at both ends.
pub(super) fn trimmed(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\n', '\r'])
}

/// Whether it matches `IDENTIFIER` of the workflow schemas.
fn is_plain_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.bytes().all(is_plain)
}

/// Whether it is a valid name of a node.
pub(crate) fn is_node_name(name: &str) -> bool {
    name_fault(name).is_none()
}

fn name_fault(name: &str) -> Option<NodeNameFault> {
    if name.is_empty() {
        return Some(NodeNameFault::Empty);
    }
    if name.len() <= LONGEST_NODE_NAME && is_plain_name(name) {
        return None;
    }
    let wrong = name.char_indices().find(|(at, c)| {
        let is_letter = c.is_ascii_alphabetic() || *c == '_';
        let is_later = *at > 0 && (c.is_ascii_digit() || *c == '-');
        !(is_letter || is_later)
    });
    if let Some((at, character)) = wrong {
        return Some(NodeNameFault::Character { at, character });
    }
    let length = name.len();
    (length > LONGEST_NODE_NAME).then_some(NodeNameFault::TooLong {
        length,
        most: LONGEST_NODE_NAME,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_names_have_their_form() {
        let character = |at, character| Some(NodeNameFault::Character { at, character });
        for (name, expected) in [
            ("a", None),
            ("_a-1", None),
            ("", Some(NodeNameFault::Empty)),
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
            Some(NodeNameFault::TooLong {
                length: 129,
                most: 128
            })
        );
    }
}
