//! Operators: over plain types where both operands have them, over values where not.

use hpdlc_core::el::ast::BinaryOp;
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use super::operand::{Kind, Operand, Shape};

pub(super) fn negate(operand: Operand) -> Operand {
    match operand.kind {
        Kind::Long => {
            let long = operand.plain();
            Operand::simple(Kind::Long, quote!(ops::negate_long(#long)))
        }
        Kind::Double => {
            let double = operand.within(Shape::Prefix);
            Operand::shaped(Kind::Double, Shape::Prefix, quote!(-#double))
        }
        Kind::Bool
        | Kind::Text
        | Kind::Str
        | Kind::NullableText
        | Kind::TextMap
        | Kind::Null
        | Kind::Variable
        | Kind::Value => {
            let value = operand.value();
            Operand::fallible(Kind::Value, quote!(ops::negate(&#value)))
        }
    }
}

pub(super) fn not(operand: Operand) -> Operand {
    if operand.kind == Kind::Bool {
        let bool = operand.within(Shape::Prefix);
        return Operand::shaped(Kind::Bool, Shape::Prefix, quote!(!#bool));
    }
    let value = operand.value();
    Operand::fallible(Kind::Bool, quote!(ops::not(&#value)))
}

pub(super) fn empty(operand: Operand) -> Operand {
    match operand.kind {
        Kind::Text | Kind::Str | Kind::TextMap | Kind::Variable | Kind::Value => {
            let atom = operand.atom();
            Operand::simple(Kind::Bool, quote!(#atom.is_empty()))
        }
        Kind::NullableText => {
            let atom = operand.atom();
            Operand::simple(Kind::Bool, quote!(#atom.unwrap_or_default().is_empty()))
        }
        Kind::Bool | Kind::Long | Kind::Double | Kind::Null => {
            let value = operand.value();
            Operand::simple(Kind::Bool, quote!(#value.is_empty()))
        }
    }
}

/// `+ - * / %`
pub(super) fn arithmetic(op: BinaryOp, left: Operand, right: Operand) -> Operand {
    if left.kind == Kind::Long && right.kind == Kind::Long {
        let (left_long, right_long) = (left.plain(), right.plain());
        let on_longs = |function: TokenStream| {
            Operand::simple(Kind::Long, quote!(ops::#function(#left_long, #right_long)))
        };
        match op {
            BinaryOp::Add => return on_longs(quote!(add_long)),
            BinaryOp::Subtract => return on_longs(quote!(subtract_long)),
            BinaryOp::Multiply => return on_longs(quote!(multiply_long)),
            BinaryOp::Modulo => {
                let tokens = quote!(ops::modulo_long(#left_long, #right_long));
                return Operand::fallible(Kind::Long, tokens);
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
    // Two Longs come here to be divided only.
    if let (Some(left_double), Some(right_double)) = (left.double(), right.double()) {
        let (left_double, right_double) = (left_double.plain(), right_double.plain());
        let on_doubles = |function: TokenStream| {
            let tokens = quote!(ops::#function(#left_double, #right_double));
            Operand::simple(Kind::Double, tokens)
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
    by_values(op, Kind::Value, &left, &right)
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
        | BinaryOp::Or => return by_values(op, Kind::Bool, &left, &right),
    };
    if left.kind == Kind::Long && right.kind == Kind::Long {
        return comparison(&left, &symbol, &right);
    }
    match (left.double(), right.double()) {
        (Some(left), Some(right)) => comparison(&left, &symbol, &right),
        (None, _) | (_, None) => by_values(op, Kind::Bool, &left, &right),
    }
}

fn comparison(left: &Operand, symbol: &TokenStream, right: &Operand) -> Operand {
    let (left, right) = (left.within(Shape::Prefix), right.within(Shape::Prefix));
    Operand::shaped(Kind::Bool, Shape::Comparison, quote!(#left #symbol #right))
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
        Operand::shaped(Kind::Bool, Shape::Comparison, quote!(#left #symbol #right))
    };
    match (left.kind, right.kind) {
        (Kind::Long, Kind::Long)
        | (Kind::Bool, Kind::Bool)
        | (Kind::Text, Kind::Text | Kind::Str)
        | (Kind::Str, Kind::Text) => comparison(&left, &symbol, &right),
        (Kind::Variable, Kind::Text | Kind::Str | Kind::Variable)
        | (Kind::Text | Kind::Str, Kind::Variable) => plain(text_atom(&left), text_atom(&right)),
        (Kind::NullableText, Kind::Str) => {
            let (left, right) = (left.atom(), right.plain());
            plain(quote!(#left.as_deref()), quote!(Some(#right)))
        }
        (Kind::Str, Kind::NullableText) => {
            let (left, right) = (left.plain(), right.atom());
            plain(quote!(Some(#left)), quote!(#right.as_deref()))
        }
        (Kind::NullableText, Kind::Text | Kind::Variable) => {
            let (left, right) = (left.atom(), right.text());
            plain(left, quote!(Some(#right)))
        }
        (Kind::Text | Kind::Variable, Kind::NullableText) => {
            let (left, right) = (left.text(), right.atom());
            plain(quote!(Some(#left)), right)
        }
        (Kind::NullableText, Kind::NullableText) => comparison(&left, &symbol, &right),
        (Kind::NullableText, Kind::Null) => null_test(&left, is_equal),
        (Kind::Null, Kind::NullableText) => null_test(&right, is_equal),
        (Kind::Double, Kind::Double | Kind::Long) | (Kind::Long, Kind::Double) => {
            match (left.double(), right.double()) {
                (Some(left), Some(right)) => comparison(&left, &symbol, &right),
                (None, _) | (_, None) => by_values(op, Kind::Bool, &left, &right),
            }
        }
        (
            Kind::Bool
            | Kind::Long
            | Kind::Double
            | Kind::Text
            | Kind::Str
            | Kind::NullableText
            | Kind::TextMap
            | Kind::Null
            | Kind::Variable
            | Kind::Value,
            _,
        ) => by_values(op, Kind::Bool, &left, &right),
    }
}

/// A `String` or a literal, to stand beside `==`.
fn text_atom(operand: &Operand) -> TokenStream {
    match operand.kind {
        // A block that stands first in a statement would be one of its own, and `==` could not follow.
        Kind::Str | Kind::Text => operand.within(Shape::Prefix),
        Kind::Bool
        | Kind::Long
        | Kind::Double
        | Kind::NullableText
        | Kind::TextMap
        | Kind::Null
        | Kind::Variable
        | Kind::Value => operand.text(),
    }
}

fn null_test(operand: &Operand, is_equal: bool) -> Operand {
    let atom = operand.atom();
    let tokens = if is_equal {
        quote!(#atom.is_none())
    } else {
        quote!(#atom.is_some())
    };
    Operand::simple(Kind::Bool, tokens)
}

/// `&&` and `||`: Rust's are lazy too, and a `?` on the right side is only met where that side is evaluated.
pub(super) fn logic(op: BinaryOp, left: Operand, right: Operand) -> Operand {
    let (shape, symbol) = if op == BinaryOp::And {
        (Shape::And, quote!(&&))
    } else {
        (Shape::Or, quote!(||))
    };
    let (left, right) = (left.bool().within(shape), right.bool().within(shape));
    Operand::shaped(Kind::Bool, shape, quote!(#left #symbol #right))
}

/// `? :`, of the type of its branches where that is one.
pub(super) fn conditional(condition: Operand, then: Operand, otherwise: Operand) -> Operand {
    let condition = condition.bool().plain();
    let (kind, then, otherwise) = match (then.kind, otherwise.kind) {
        (Kind::Text | Kind::Str | Kind::Variable, Kind::Text | Kind::Str | Kind::Variable) => {
            (Kind::Text, then.text(), otherwise.text())
        }
        (left, right) if left == right => (left, then.typed(), otherwise.typed()),
        _ => (Kind::Value, then.value(), otherwise.value()),
    };
    Operand::shaped(
        kind,
        Shape::Block,
        quote!(if #condition { #then } else { #otherwise }),
    )
}

/// `base[index]`. Below null, the index is not evaluated.
pub(super) fn index(base: Operand, index: Operand) -> Operand {
    match (base.kind, index.kind) {
        (Kind::TextMap, Kind::Str) => entry(&base, &index.plain()),
        (
            Kind::Bool
            | Kind::Long
            | Kind::Double
            | Kind::Text
            | Kind::Str
            | Kind::TextMap
            | Kind::NullableText
            | Kind::Null
            | Kind::Variable
            | Kind::Value,
            _,
        ) => {
            let (base, index) = (base.value(), index.value());
            let tokens = quote! {
                match #base {
                    Value::Null => Value::Null,
                    base => ops::index(&base, &#index)?,
                }
            };
            Operand::shaped(Kind::Value, Shape::Block, tokens)
        }
    }
}

/// `base.name`
pub(super) fn property(base: Operand, name: &str) -> Operand {
    if base.kind == Kind::TextMap {
        return entry(&base, &quote!(#name));
    }
    let value = base.value();
    Operand::fallible(Kind::Value, quote!(ops::property(&#value, #name)))
}

fn entry(base: &Operand, key: &TokenStream) -> Operand {
    let map = base.atom();
    Operand::simple(Kind::NullableText, quote!(#map.get(#key).cloned()))
}

fn by_values(op: BinaryOp, kind: Kind, left: &Operand, right: &Operand) -> Operand {
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
    // A `?` on the right would return before the operator has looked at a failure on the left.
    let tokens = if (left.gives_result() || right.gives_result()) && !may_return(&right_result) {
        let left = left.result();
        quote!(results::#function(#left, #right_result))
    } else {
        let (left, right) = (left.value(), right.value());
        quote!(ops::#function(&#left, &#right))
    };
    Operand::fallible(kind, tokens)
}

/// Whether there is a `?`.
fn may_return(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Punct(punct) => punct.as_char() == '?',
        TokenTree::Group(group) => may_return(&group.stream()),
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    })
}
