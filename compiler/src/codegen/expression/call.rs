//! Function calls.

use hpdlc_core::el::{
    functions::{self, Dialect, Needs},
    types::Type,
};
use proc_macro2::TokenStream;
use quote::quote;

use super::{
    depth,
    operand::{Operand, OperandType},
};
use crate::codegen::{names, own_functions};

/// The call of a function: directly of the Rust function if all parameters are texts, otherwise through its entry in the table.
///
/// A function without prefix that is unknown and a wrong number of arguments have been reported; the call then returns the interpreter's
/// error.
pub(super) fn function(prefix: Option<&str>, name: &str, args: Vec<Operand>) -> Operand {
    if let (None, "firstNotNull", [first, second]) = (prefix, name, args.as_slice()) {
        let (first, second) = (first.value(), second.value());
        let tokens = quote!(functions::basic::first_not_null(#first, #second));
        return Operand::simple(OperandType::Value, tokens);
    }
    if let Some(function) = depth::called(prefix, name) {
        return Operand::fallible(OperandType::Value, quote!(#function(scope)));
    }
    functions::find(prefix, name)
        // The functions of the proposal of 2009 are few and rarely called: they have no Rust function of their own.
        .filter(|function| {
            function.is_of(Dialect::Oozie)
                && function.params.len() == args.len()
                && function.params.iter().all(|param| *param == Type::Text)
        })
        .and_then(|function| direct(function, &args))
        .unwrap_or_else(|| match prefix {
            Some(prefix) if functions::find(Some(prefix), name).is_none() => {
                own(prefix, name, &args)
            }
            _ => by_table(prefix, name, &args),
        })
}

/// The call of a function of the program. Another unknown function has been reported.
fn own(prefix: &str, name: &str, args: &[Operand]) -> Operand {
    let function = own_functions::path(prefix, name);
    let args: Vec<TokenStream> = args.iter().map(Operand::value).collect();
    let tokens = quote!(functions::call(#function, scope, vec![#(#args),*]));
    Operand::fallible(OperandType::Value, tokens)
}

/// `functions::wf::conf(scope, "queue")`. Functions without prefix take the scope only for the clock, and fail only for a
/// regular expression or a result that is too long.
fn direct(function: &functions::Function, args: &[Operand]) -> Option<Operand> {
    let module = names::ident(function.prefix.unwrap_or("basic"));
    let ident = names::ident(&snake(function.name));
    let asks_scope = function.needs != Needs::Nothing;
    let scope = asks_scope.then(|| quote!(scope));
    let args = scope
        .into_iter()
        .chain(args.iter().map(Operand::text_argument));
    let tokens = quote!(functions::#module::#ident(#(#args),*));
    let is_fallible = function.prefix.is_some()
        || matches!(
            function.name,
            "concat" | "replaceAll" | "appendAll" | "urlEncode"
        );
    let operand = if is_fallible {
        Operand::fallible
    } else {
        Operand::simple
    };
    Some(operand(kind(function)?, tokens))
}

/// The type that the Rust function returns.
fn kind(function: &functions::Function) -> Option<OperandType> {
    match function.result {
        Type::Bool => Some(OperandType::Bool),
        Type::Long => Some(OperandType::Long),
        Type::Double => Some(OperandType::Double),
        Type::Text => Some(OperandType::Text),
        Type::NullableText => Some(OperandType::NullableText),
        Type::Map if function.full_name() == "wf:actionData" => Some(OperandType::TextMap),
        Type::Map | Type::Object | Type::Null => None,
    }
}

fn by_table(prefix: Option<&str>, name: &str, args: &[Operand]) -> Operand {
    let prefix = match prefix {
        Some(prefix) => quote!(Some(#prefix)),
        None => quote!(None),
    };
    let args: Vec<TokenStream> = args.iter().map(Operand::value).collect();
    Operand::fallible(
        OperandType::Value,
        quote!(call(scope, #prefix, #name, &[#(#args),*])),
    )
}

/// `appPath` to `app_path`.
pub(crate) fn snake(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    snake
}
