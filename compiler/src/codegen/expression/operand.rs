//! A generated Rust expression with its type, and the coercions of the expression language on such expressions.

use hpdlc_core::el::value::Value;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// The Rust type of a generated expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OperandType {
    Bool,
    Long,
    Double,
    /// A `String`.
    Text,
    /// A literal, `&'static str`.
    Str,
    /// An `Option<String>`.
    NullableText,
    /// A `BTreeMap<String, String>`.
    TextMap,
    /// The literal `Value::Null`.
    Null,
    /// A property of the job: a `String` or a `Value`, as required. The tokens are only its name.
    Variable,
    /// A `Value`.
    Value,
}

/// The syntactic form of a generated expression, from the tightest to the loosest binding; it determines where
/// parentheses are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shape {
    /// A call, a path, a literal or a method chain.
    Simple,
    /// `!a`, `-a`
    Prefix,
    /// `a as f64`
    Cast,
    /// `a == b`
    Comparison,
    /// `a && b`
    And,
    /// `a || b`
    Or,
    /// `if` and `match`
    Block,
}

/// A generated Rust expression.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    pub(super) kind: OperandType,
    tokens: TokenStream,
    /// The tokens evaluate to a `Result`.
    is_fallible: bool,
    shape: Shape,
    /// The value of a constant of kind Long.
    long: Option<i64>,
}

impl Operand {
    pub(super) fn simple(kind: OperandType, tokens: TokenStream) -> Operand {
        Operand::shaped(kind, Shape::Simple, tokens)
    }

    /// Like [`Operand::simple`], for tokens that evaluate to a `Result`.
    pub(super) fn fallible(kind: OperandType, tokens: TokenStream) -> Operand {
        Operand {
            is_fallible: true,
            ..Operand::simple(kind, tokens)
        }
    }

    pub(super) fn shaped(kind: OperandType, shape: Shape, tokens: TokenStream) -> Operand {
        Operand {
            kind,
            tokens,
            is_fallible: false,
            shape,
            long: None,
        }
    }

    pub(super) fn variable(name: &str) -> Operand {
        Operand::simple(OperandType::Variable, quote!(#name))
    }

    /// Constants are never maps.
    pub(super) fn constant(value: &Value) -> Operand {
        match value {
            Value::Bool(value) => Operand::simple(OperandType::Bool, quote!(#value)),
            Value::Long(value) => {
                let literal = Literal::i64_unsuffixed(*value);
                let shape = if *value < 0 {
                    Shape::Prefix
                } else {
                    Shape::Simple
                };
                Operand {
                    long: Some(*value),
                    ..Operand::shaped(OperandType::Long, shape, quote!(#literal))
                }
            }
            Value::Double(value) => {
                let shape = if value.is_sign_negative() {
                    Shape::Prefix
                } else {
                    Shape::Simple
                };
                Operand::shaped(OperandType::Double, shape, double(*value))
            }
            Value::Text(text) => Operand::simple(OperandType::Str, quote!(#text)),
            Value::Null | Value::Map(_) => Operand::simple(OperandType::Null, quote!(Value::Null)),
        }
    }

    /// An expression of the type [`Operand::kind`]; a variable is a `Value`.
    pub(super) fn plain(&self) -> TokenStream {
        let tokens = &self.tokens;
        if self.kind == OperandType::Variable {
            quote!(variable(scope, #tokens)?)
        } else if self.is_fallible {
            quote!(#tokens?)
        } else {
            quote!(#tokens)
        }
    }

    /// Like [`Operand::plain`], for use before `.` or `as`.
    pub(super) fn atom(&self) -> TokenStream {
        self.within(Shape::Simple)
    }

    /// Like [`Operand::plain`], for a position that accepts expressions that bind as tightly as `shape`.
    pub(super) fn within(&self, shape: Shape) -> TokenStream {
        let plain = self.plain();
        if self.shape > shape {
            quote!((#plain))
        } else {
            plain
        }
    }

    /// A `Value`.
    pub(super) fn value(&self) -> TokenStream {
        let plain = self.plain();
        match self.kind {
            OperandType::Value | OperandType::Variable | OperandType::Null => plain,
            // With `from`, rustc would infer `i32` for a literal.
            OperandType::Long => quote!(Value::Long(#plain)),
            OperandType::Bool => quote!(Value::Bool(#plain)),
            OperandType::Double => quote!(Value::Double(#plain)),
            OperandType::Text
            | OperandType::Str
            | OperandType::NullableText
            | OperandType::TextMap => {
                quote!(Value::from(#plain))
            }
        }
    }

    /// A `Result<Value, ElError>`.
    pub(super) fn result(&self) -> TokenStream {
        let tokens = &self.tokens;
        if self.kind == OperandType::Variable {
            quote!(variable(scope, #tokens))
        } else if self.gives_result() {
            quote!(#tokens)
        } else {
            let value = self.value();
            quote!(Ok(#value))
        }
    }

    /// Whether the code itself evaluates to a `Result<Value, ElError>`.
    pub(super) fn gives_result(&self) -> bool {
        self.kind == OperandType::Variable || self.kind == OperandType::Value && self.is_fallible
    }

    /// Like [`Operand::plain`], where rustc cannot infer `i64` from the context.
    pub(super) fn typed(&self) -> TokenStream {
        match self.long {
            Some(long) if i32::try_from(long).is_err() => {
                let literal = Literal::i64_suffixed(long);
                quote!(#literal)
            }
            Some(_) | None => self.plain(),
        }
    }

    /// The text of a constant of kind Long. Its literal has no type suffix, and would be formatted as an `i32`.
    fn constant_text(&self) -> Option<String> {
        self.long.map(|value| value.to_string())
    }

    /// A `String`.
    pub(super) fn text(&self) -> TokenStream {
        if let Some(text) = self.constant_text() {
            return quote!(#text.to_owned());
        }
        let tokens = &self.tokens;
        match self.kind {
            OperandType::Text => self.plain(),
            OperandType::Variable => quote!(variable_text(scope, #tokens)?),
            OperandType::Str | OperandType::Bool | OperandType::Long => {
                let atom = self.atom();
                quote!(#atom.to_string())
            }
            OperandType::NullableText => {
                let atom = self.atom();
                quote!(#atom.unwrap_or_default())
            }
            OperandType::Null => quote!(String::new()),
            OperandType::Double | OperandType::TextMap | OperandType::Value => {
                let value = self.value();
                let value = if self.kind == OperandType::Value {
                    self.atom()
                } else {
                    value
                };
                quote!(#value.into_text())
            }
        }
    }

    /// A `&str`, for an argument.
    pub(super) fn text_argument(&self) -> TokenStream {
        if let Some(text) = self.constant_text() {
            return quote!(#text);
        }
        match self.kind {
            OperandType::Str => self.plain(),
            OperandType::Null => quote!(""),
            OperandType::Bool
            | OperandType::Long
            | OperandType::Double
            | OperandType::Text
            | OperandType::NullableText
            | OperandType::TextMap
            | OperandType::Variable
            | OperandType::Value => {
                let text = self.text();
                quote!(&#text)
            }
        }
    }

    /// A `bool`.
    pub(super) fn bool(&self) -> Operand {
        match self.kind {
            OperandType::Bool => self.clone(),
            OperandType::Value | OperandType::Variable => {
                let atom = self.atom();
                Operand::fallible(OperandType::Bool, quote!(#atom.to_bool()))
            }
            OperandType::Long
            | OperandType::Double
            | OperandType::Text
            | OperandType::Str
            | OperandType::NullableText
            | OperandType::TextMap
            | OperandType::Null => {
                let value = self.value();
                Operand::fallible(OperandType::Bool, quote!(#value.to_bool()))
            }
        }
    }

    /// An `f64`, if the operand is a number.
    pub(super) fn double(&self) -> Option<Operand> {
        match (self.kind, self.long) {
            (OperandType::Double, _) => Some(self.clone()),
            // As in Java's widening conversion.
            (OperandType::Long, Some(long)) => Some(Operand::constant(&Value::Double(long as f64))),
            (OperandType::Long, None) => {
                let atom = self.atom();
                Some(Operand::shaped(
                    OperandType::Double,
                    Shape::Cast,
                    quote!(#atom as f64),
                ))
            }
            (
                OperandType::Bool
                | OperandType::Text
                | OperandType::Str
                | OperandType::NullableText
                | OperandType::TextMap
                | OperandType::Null
                | OperandType::Variable
                | OperandType::Value,
                _,
            ) => None,
        }
    }

    /// A `Result<bool, ElError>`.
    pub(super) fn into_bool_result(self) -> TokenStream {
        let bool = self.bool();
        let tokens = &bool.tokens;
        if bool.is_fallible {
            quote!(#tokens)
        } else {
            quote!(Ok(#tokens))
        }
    }
}

pub(crate) fn double(value: f64) -> TokenStream {
    if value.is_nan() {
        quote!(f64::NAN)
    } else if value == f64::INFINITY {
        quote!(f64::INFINITY)
    } else if value == f64::NEG_INFINITY {
        quote!(f64::NEG_INFINITY)
    } else {
        let literal = Literal::f64_unsuffixed(value);
        quote!(#literal)
    }
}
