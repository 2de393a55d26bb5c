//! A piece of generated code with its Rust type, and the coercions of the expression language over such pieces.

use hpdlc_core::el::value::Value;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// The Rust type of a piece of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
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
    /// A property of the job: a `String` or a `Value`, as is needed. The tokens are its name alone.
    Variable,
    /// A `Value`.
    Value,
}

/// How loosely the parts of a piece of code hang together, which decides where it needs parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shape {
    /// A call, a path, a literal or a chain of methods.
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

/// A piece of code that is an expression of Rust.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    pub(super) kind: Kind,
    tokens: TokenStream,
    /// The tokens give a `Result`.
    is_fallible: bool,
    shape: Shape,
    /// The value of a constant of kind Long.
    long: Option<i64>,
}

impl Operand {
    pub(super) fn simple(kind: Kind, tokens: TokenStream) -> Operand {
        Operand::shaped(kind, Shape::Simple, tokens)
    }

    /// As [`Operand::simple`], of a `Result`.
    pub(super) fn fallible(kind: Kind, tokens: TokenStream) -> Operand {
        Operand {
            is_fallible: true,
            ..Operand::simple(kind, tokens)
        }
    }

    pub(super) fn shaped(kind: Kind, shape: Shape, tokens: TokenStream) -> Operand {
        Operand {
            kind,
            tokens,
            is_fallible: false,
            shape,
            long: None,
        }
    }

    pub(super) fn variable(name: &str) -> Operand {
        Operand::simple(Kind::Variable, quote!(#name))
    }

    /// Constants are never maps.
    pub(super) fn constant(value: &Value) -> Operand {
        match value {
            Value::Bool(value) => Operand::simple(Kind::Bool, quote!(#value)),
            Value::Long(value) => {
                let literal = Literal::i64_unsuffixed(*value);
                let shape = if *value < 0 {
                    Shape::Prefix
                } else {
                    Shape::Simple
                };
                Operand {
                    long: Some(*value),
                    ..Operand::shaped(Kind::Long, shape, quote!(#literal))
                }
            }
            Value::Double(value) => {
                let shape = if value.is_sign_negative() {
                    Shape::Prefix
                } else {
                    Shape::Simple
                };
                Operand::shaped(Kind::Double, shape, double(*value))
            }
            Value::Text(text) => Operand::simple(Kind::Str, quote!(#text)),
            Value::Null | Value::Map(_) => Operand::simple(Kind::Null, quote!(Value::Null)),
        }
    }

    /// An expression of the type that [`Operand::kind`] says; a variable is a `Value`.
    pub(super) fn plain(&self) -> TokenStream {
        let tokens = &self.tokens;
        if self.kind == Kind::Variable {
            quote!(variable(scope, #tokens)?)
        } else if self.is_fallible {
            quote!(#tokens?)
        } else {
            quote!(#tokens)
        }
    }

    /// As [`Operand::plain`], to stand before `.` or `as`.
    pub(super) fn atom(&self) -> TokenStream {
        self.within(Shape::Simple)
    }

    /// As [`Operand::plain`], to stand where something of `shape` may stand.
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
            Kind::Value | Kind::Variable | Kind::Null => plain,
            // With `from`, rustc would take a literal for an `i32`.
            Kind::Long => quote!(Value::Long(#plain)),
            Kind::Bool => quote!(Value::Bool(#plain)),
            Kind::Double => quote!(Value::Double(#plain)),
            Kind::Text | Kind::Str | Kind::NullableText | Kind::TextMap => {
                quote!(Value::from(#plain))
            }
        }
    }

    /// A `Result<Value, ElError>`.
    pub(super) fn result(&self) -> TokenStream {
        let tokens = &self.tokens;
        if self.kind == Kind::Variable {
            quote!(variable(scope, #tokens))
        } else if self.gives_result() {
            quote!(#tokens)
        } else {
            let value = self.value();
            quote!(Ok(#value))
        }
    }

    /// The code gives a `Result<Value, ElError>` by itself.
    pub(super) fn gives_result(&self) -> bool {
        self.kind == Kind::Variable || self.kind == Kind::Value && self.is_fallible
    }

    /// As [`Operand::plain`], where nothing else tells rustc that a number is an `i64`.
    pub(super) fn typed(&self) -> TokenStream {
        match self.long {
            Some(long) if i32::try_from(long).is_err() => {
                let literal = Literal::i64_suffixed(long);
                quote!(#literal)
            }
            Some(_) | None => self.plain(),
        }
    }

    /// A constant of kind Long as text. As code it has no type of its own, and what prints it would take it for an `i32`.
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
            Kind::Text => self.plain(),
            Kind::Variable => quote!(variable_text(scope, #tokens)?),
            Kind::Str | Kind::Bool | Kind::Long => {
                let atom = self.atom();
                quote!(#atom.to_string())
            }
            Kind::NullableText => {
                let atom = self.atom();
                quote!(#atom.unwrap_or_default())
            }
            Kind::Null => quote!(String::new()),
            Kind::Double | Kind::TextMap | Kind::Value => {
                let value = self.value();
                let value = if self.kind == Kind::Value {
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
            Kind::Str => self.plain(),
            Kind::Null => quote!(""),
            Kind::Bool
            | Kind::Long
            | Kind::Double
            | Kind::Text
            | Kind::NullableText
            | Kind::TextMap
            | Kind::Variable
            | Kind::Value => {
                let text = self.text();
                quote!(&#text)
            }
        }
    }

    /// A `bool`.
    pub(super) fn bool(&self) -> Operand {
        match self.kind {
            Kind::Bool => self.clone(),
            Kind::Value | Kind::Variable => {
                let atom = self.atom();
                Operand::fallible(Kind::Bool, quote!(#atom.to_bool()))
            }
            Kind::Long
            | Kind::Double
            | Kind::Text
            | Kind::Str
            | Kind::NullableText
            | Kind::TextMap
            | Kind::Null => {
                let value = self.value();
                Operand::fallible(Kind::Bool, quote!(#value.to_bool()))
            }
        }
    }

    /// An `f64`, of a number.
    pub(super) fn double(&self) -> Option<Operand> {
        match (self.kind, self.long) {
            (Kind::Double, _) => Some(self.clone()),
            // As Java widens it.
            (Kind::Long, Some(long)) => Some(Operand::constant(&Value::Double(long as f64))),
            (Kind::Long, None) => {
                let atom = self.atom();
                Some(Operand::shaped(
                    Kind::Double,
                    Shape::Cast,
                    quote!(#atom as f64),
                ))
            }
            (
                Kind::Bool
                | Kind::Text
                | Kind::Str
                | Kind::NullableText
                | Kind::TextMap
                | Kind::Null
                | Kind::Variable
                | Kind::Value,
                _,
            ) => None,
        }
    }

    /// Something that prints as the text of the value.
    pub(super) fn into_display(self) -> TokenStream {
        if let Some(text) = self.constant_text() {
            return quote!(#text);
        }
        match self.kind {
            Kind::Bool | Kind::Long | Kind::Text | Kind::Str => self.plain(),
            Kind::Double
            | Kind::NullableText
            | Kind::TextMap
            | Kind::Null
            | Kind::Variable
            | Kind::Value => self.text(),
        }
    }

    /// A `Result<String, ElError>`.
    pub(super) fn into_text_result(self) -> TokenStream {
        let tokens = &self.tokens;
        match self.kind {
            Kind::Text if self.is_fallible => quote!(#tokens),
            Kind::Value if self.is_fallible => quote!(results::text(#tokens)),
            Kind::Variable => quote!(variable_text(scope, #tokens)),
            Kind::Bool
            | Kind::Long
            | Kind::Double
            | Kind::Text
            | Kind::Str
            | Kind::NullableText
            | Kind::TextMap
            | Kind::Null
            | Kind::Value => {
                let text = self.text();
                quote!(Ok(#text))
            }
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

fn double(value: f64) -> TokenStream {
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
