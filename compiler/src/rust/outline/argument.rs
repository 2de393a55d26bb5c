//! Parts of an expression that are arguments of its function by themselves: literals in a call, and calls of Oozie's functions.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Expr, parse_quote};

use crate::rust::{
    document::quoted,
    place::Place,
    value::{Code, Type},
};

/// An argument that stands for a part of the expression.
#[derive(Clone)]
pub(super) struct Argument {
    pub(super) name: Ident,
    /// What stands in its place.
    pub(super) replacement: Expr,
    pub(super) code: Code,
    pub(super) statement: TokenStream,
}

impl Argument {
    /// A literal in a call, which the function reads as the type of its parameter.
    pub(super) fn of_literal(n: usize, text: String, of: Type, place: Place) -> Argument {
        let code = match of {
            Type::Text => quoted(&text),
            _ => text,
        };
        Argument::new("literal", n, vec![(code, Some(place))], of)
    }

    /// A call of a function of Oozie.
    pub(super) fn of_call(n: usize, code: Code, of: Type, place: Place) -> Argument {
        let mut code = code;
        if let Some((_, first)) = code.first_mut() {
            *first = Some(place);
        }
        let mut argument = Argument::new("call", n, code, of);
        if of == Type::Number {
            // Whole numbers, as the crate of workflows declares them.
            let name = &argument.name;
            argument.statement =
                quote!(let #name: i64 = hpdl_arguments.written(stringify!(#name))?;);
        }
        argument
    }

    fn new(what: &str, n: usize, code: Code, of: Type) -> Argument {
        let name = format_ident!("hpdl_{what}_{}", n + 1);
        let text = name.to_string();
        let r#type = match of {
            Type::Text => quote!(: ::std::string::String),
            Type::Bool => quote!(: bool),
            Type::Number | Type::Field => TokenStream::new(),
        };
        let statement = quote!(let #name #r#type = hpdl_arguments.written(#text)?;);
        let replacement = match (what, of) {
            ("literal", Type::Text) => parse_quote!(&*#name),
            _ => parse_quote!(#name),
        };
        Argument {
            name,
            replacement,
            code,
            statement,
        }
    }
}
