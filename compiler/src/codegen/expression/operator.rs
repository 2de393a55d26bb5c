//! Operators: on plain Rust types if both operands have them, otherwise on values.

use hpdlc_core::el::ast::BinaryOp;
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use super::operand::{Operand, OperandType, Shape};

pub(super) fn negate(operand: Operand) -> Operand {
    match operand.kind {
        OperandType::Long => {
            let long = operand.plain();
            Operand::simple(OperandType::Long, quote!(ops::negate_long(#long)))
        }
        OperandType::Double => {
            let double = operand.within(Shape::Prefix);
            Operand::shaped(OperandType::Double, Shape::Prefix, quote!(-#double))
        }
        OperandType::Bool
        | OperandType::Text
        | OperandType::Str
        | OperandType::NullableText
        | OperandType::TextMap
        | OperandType::Null
        | OperandType::Variable
        | OperandType::Value => {
            let value = operand.value();
            Operand::fallible(OperandType::Value, quote!(ops::negate(&#value)))
        }
    }
}

pub(super) fn not(operand: Operand) -> Operand {
    if operand.kind == OperandType::Bool {
        let bool = operand.within(Shape::Prefix);
        return Operand::shaped(OperandType::Bool, Shape::Prefix, quote!(!#bool));
    }
    let value = operand.value();
    Operand::fallible(OperandType::Bool, quote!(ops::not(&#value)))
}

pub(super) fn empty(operand: Operand) -> Operand {
    match operand.kind {
        OperandType::Text
        | OperandType::Str
        | OperandType::TextMap
        | OperandType::Variable
        | OperandType::Value => {
            let atom = operand.atom();
            Operand::simple(OperandType::Bool, quote!(#atom.is_empty()))
        }
        OperandType::NullableText => {
            let atom = operand.atom();
            Operand::simple(
                OperandType::Bool,
                quote!(#atom.unwrap_or_default().is_empty()),
            )
        }
        OperandType::Bool | OperandType::Long | OperandType::Double | OperandType::Null => {
            let value = operand.value();
            Operand::simple(OperandType::Bool, quote!(#value.is_empty()))
        }
    }
}

/// `+ - * / %`
pub(super) fn arithmetic(op: BinaryOp, left: Operand, right: Operand) -> Operand {
    if left.kind == OperandType::Long && right.kind == OperandType::Long {
        let (left_long, right_long) = (left.plain(), right.plain());
        let on_longs = |function: TokenStream| {
            Operand::simple(
                OperandType::Long,
                quote!(ops::#function(#left_long, #right_long)),
            )
        };
        match op {
            BinaryOp::Add => return on_longs(quote!(add_long)),
            BinaryOp::Subtract => return on_longs(quote!(subtract_long)),
            BinaryOp::Multiply => return on_longs(quote!(multiply_long)),
            BinaryOp::Modulo => {
                let tokens = quote!(ops::modulo_long(#left_long, #right_long));
                return Operand::fallible(OperandType::Long, tokens);
            }
            BinaryOp::Divide
            | BinaryOp::Less
            | BinaryOp::Greater
            | BinaryOp::LessOrEqual
            | BinaryOp::GreaterOrEqual
            | BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::And
            | BinaryOp::Or => {}
        }
    }
    // Two Longs get here only for a division.
    if let (Some(left_double), Some(right_double)) = (left.double(), right.double()) {
        let (left_double, right_double) = (left_double.plain(), right_double.plain());
        let on_doubles = |function: TokenStream| {
            let tokens = quote!(ops::#function(#left_double, #right_double));
            Operand::simple(OperandType::Double, tokens)
        };
        match op {
            BinaryOp::Add => return on_doubles(quote!(add_double)),
            BinaryOp::Subtract => return on_doubles(quote!(subtract_double)),
            BinaryOp::Multiply => return on_doubles(quote!(multiply_double)),
            BinaryOp::Divide => return on_doubles(quote!(divide_double)),
            BinaryOp::Modulo => return on_doubles(quote!(modulo_double)),
            BinaryOp::Less
            | BinaryOp::Greater
            | BinaryOp::LessOrEqual
            | BinaryOp::GreaterOrEqual
            | BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::And
            | BinaryOp::Or => {}
        }
    }
    by_values(op, OperandType::Value, &left, &right)
}

/// `< > <= >=`
pub(super) fn order(op: BinaryOp, left: Operand, right: Operand) -> Operand {
    let symbol = match op {
        BinaryOp::Less => quote!(<),
        BinaryOp::Greater => quote!(>),
        BinaryOp::LessOrEqual => quote!(<=),
        BinaryOp::GreaterOrEqual => quote!(>=),
        BinaryOp::Multiply
        | BinaryOp::Divide
        | BinaryOp::Modulo
        | BinaryOp::Add
        | BinaryOp::Subtract
        | BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::And
        | BinaryOp::Or => return by_values(op, OperandType::Bool, &left, &right),
    };
    if left.kind == OperandType::Long && right.kind == OperandType::Long {
        return comparison(&left, &symbol, &right);
    }
    match (left.double(), right.double()) {
        (Some(left), Some(right)) => comparison(&left, &symbol, &right),
        (None, _) | (_, None) => by_values(op, OperandType::Bool, &left, &right),
    }
}

fn comparison(left: &Operand, symbol: &TokenStream, right: &Operand) -> Operand {
    let (left, right) = (left.within(Shape::Prefix), right.within(Shape::Prefix));
    Operand::shaped(
        OperandType::Bool,
        Shape::Comparison,
        quote!(#left #symbol #right),
    )
}

/// `==` and `!=`
pub(super) fn equality(left: Operand, right: Operand, is_equal: bool) -> Operand {
    let symbol = if is_equal { quote!(==) } else { quote!(!=) };
    let op = if is_equal {
        BinaryOp::Equal
    } else {
        BinaryOp::NotEqual
    };
    let plain = |left: TokenStream, right: TokenStream| {
        Operand::shaped(
            OperandType::Bool,
            Shape::Comparison,
            quote!(#left #symbol #right),
        )
    };
    match (left.kind, right.kind) {
        (OperandType::Long, OperandType::Long)
        | (OperandType::Bool, OperandType::Bool)
        | (OperandType::Text, OperandType::Text | OperandType::Str)
        | (OperandType::Str, OperandType::Text) => comparison(&left, &symbol, &right),
        (OperandType::Variable, OperandType::Text | OperandType::Str | OperandType::Variable)
        | (OperandType::Text | OperandType::Str, OperandType::Variable) => {
            plain(text_atom(&left), text_atom(&right))
        }
        (OperandType::NullableText, OperandType::Str) => {
            let (left, right) = (left.atom(), right.plain());
            plain(quote!(#left.as_deref()), quote!(Some(#right)))
        }
        (OperandType::Str, OperandType::NullableText) => {
            let (left, right) = (left.plain(), right.atom());
            plain(quote!(Some(#left)), quote!(#right.as_deref()))
        }
        (OperandType::NullableText, OperandType::Text | OperandType::Variable) => {
            let (left, right) = (left.atom(), right.text());
            plain(left, quote!(Some(#right)))
        }
        (OperandType::Text | OperandType::Variable, OperandType::NullableText) => {
            let (left, right) = (left.text(), right.atom());
            plain(quote!(Some(#left)), right)
        }
        (OperandType::NullableText, OperandType::NullableText) => {
            comparison(&left, &symbol, &right)
        }
        (OperandType::NullableText, OperandType::Null) => null_test(&left, is_equal),
        (OperandType::Null, OperandType::NullableText) => null_test(&right, is_equal),
        (OperandType::Double, OperandType::Double | OperandType::Long)
        | (OperandType::Long, OperandType::Double) => match (left.double(), right.double()) {
            (Some(left), Some(right)) => comparison(&left, &symbol, &right),
            (None, _) | (_, None) => by_values(op, OperandType::Bool, &left, &right),
        },
        (
            OperandType::Bool
            | OperandType::Long
            | OperandType::Double
            | OperandType::Text
            | OperandType::Str
            | OperandType::NullableText
            | OperandType::TextMap
            | OperandType::Null
            | OperandType::Variable
            | OperandType::Value,
            _,
        ) => by_values(op, OperandType::Bool, &left, &right),
    }
}

/// A `String` or a literal, as an operand of `==`.
fn text_atom(operand: &Operand) -> TokenStream {
    match operand.kind {
        // A block at the beginning of a statement would be parsed as a statement, and `==` could not follow.
        OperandType::Str | OperandType::Text => operand.within(Shape::Prefix),
        OperandType::Bool
        | OperandType::Long
        | OperandType::Double
        | OperandType::NullableText
        | OperandType::TextMap
        | OperandType::Null
        | OperandType::Variable
        | OperandType::Value => operand.text(),
    }
}

fn null_test(operand: &Operand, is_equal: bool) -> Operand {
    let atom = operand.atom();
    let tokens = if is_equal {
        quote!(#atom.is_none())
    } else {
        quote!(#atom.is_some())
    };
    Operand::simple(OperandType::Bool, tokens)
}

/// `&&` and `||`: Rust's also short-circuit, so a `?` on the right side only takes effect if that side is evaluated.
pub(super) fn logic(op: BinaryOp, left: Operand, right: Operand) -> Operand {
    let (shape, symbol) = if op == BinaryOp::And {
        (Shape::And, quote!(&&))
    } else {
        (Shape::Or, quote!(||))
    };
    let (left, right) = (left.bool().within(shape), right.bool().within(shape));
    Operand::shaped(OperandType::Bool, shape, quote!(#left #symbol #right))
}

/// `? :`, of the common type of its branches if there is one, otherwise a `Value`.
pub(super) fn conditional(condition: Operand, then: Operand, otherwise: Operand) -> Operand {
    let condition = condition.bool().plain();
    let (kind, then, otherwise) = match (then.kind, otherwise.kind) {
        (
            OperandType::Text | OperandType::Str | OperandType::Variable,
            OperandType::Text | OperandType::Str | OperandType::Variable,
        ) => (OperandType::Text, then.text(), otherwise.text()),
        (left, right) if left == right => (left, then.typed(), otherwise.typed()),
        _ => (OperandType::Value, then.value(), otherwise.value()),
    };
    Operand::shaped(
        kind,
        Shape::Block,
        quote!(if #condition { #then } else { #otherwise }),
    )
}

/// `base[index]`. If the base is null, the index is not evaluated.
pub(super) fn index(base: Operand, index: Operand) -> Operand {
    match (base.kind, index.kind) {
        (OperandType::TextMap, OperandType::Str) => entry(&base, &index.plain()),
        (
            OperandType::Bool
            | OperandType::Long
            | OperandType::Double
            | OperandType::Text
            | OperandType::Str
            | OperandType::TextMap
            | OperandType::NullableText
            | OperandType::Null
            | OperandType::Variable
            | OperandType::Value,
            _,
        ) => {
            let (base, index) = (base.value(), index.value());
            let tokens = quote! {
                match #base {
                    Value::Null => Value::Null,
                    base => ops::index(&base, &#index)?,
                }
            };
            Operand::shaped(OperandType::Value, Shape::Block, tokens)
        }
    }
}

/// `base.name`
pub(super) fn property(base: Operand, name: &str) -> Operand {
    if base.kind == OperandType::TextMap {
        return entry(&base, &quote!(#name));
    }
    let value = base.value();
    Operand::fallible(OperandType::Value, quote!(ops::property(&#value, #name)))
}

fn entry(base: &Operand, key: &TokenStream) -> Operand {
    let map = base.atom();
    Operand::simple(OperandType::NullableText, quote!(#map.get(#key).cloned()))
}

fn by_values(op: BinaryOp, kind: OperandType, left: &Operand, right: &Operand) -> Operand {
    let function = match op {
        BinaryOp::Multiply => quote!(multiply),
        BinaryOp::Divide => quote!(divide),
        BinaryOp::Modulo => quote!(modulo),
        BinaryOp::Add => quote!(add),
        BinaryOp::Subtract => quote!(subtract),
        BinaryOp::Less => quote!(less),
        BinaryOp::Greater => quote!(greater),
        BinaryOp::LessOrEqual => quote!(less_or_equal),
        BinaryOp::GreaterOrEqual => quote!(greater_or_equal),
        BinaryOp::Equal => quote!(equal),
        BinaryOp::NotEqual => quote!(not_equal),
        BinaryOp::And | BinaryOp::Or => return logic(op, left.clone(), right.clone()),
    };
    let right_result = right.result();
    // A `?` on the right would return before the operator has checked for an error on the left.
    let tokens = if (left.gives_result() || right.gives_result()) && !may_return(&right_result) {
        let left = left.result();
        quote!(results::#function(#left, #right_result))
    } else {
        let (left, right) = (left.value(), right.value());
        quote!(ops::#function(&#left, &#right))
    };
    Operand::fallible(kind, tokens)
}

/// Whether the tokens contain a `?`.
fn may_return(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Punct(punct) => punct.as_char() == '?',
        TokenTree::Group(group) => may_return(&group.stream()),
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    })
}
