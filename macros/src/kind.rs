//! What the manifest of an extension says of a value: by the name of its type, since the texts of all other types are just texts.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{GenericArgument, PathArguments, PathSegment, Type};

/// The `ValueKind` of a type.
pub(crate) fn of(r#type: &Type) -> TokenStream {
    if let Some(inner) = inner_of(r#type, "Option") {
        return of(inner);
    }
    let name = last_segment(r#type).map(|last| last.ident.to_string());
    let kind = match name.as_deref().unwrap_or_default() {
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => quote!(Int),
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => quote!(Int),
        "f32" | "f64" => quote!(Float),
        "bool" => quote!(Bool),
        "Uri" => quote!(Uri),
        "Duration" => quote!(Duration),
        _ => quote!(Text),
    };
    quote!(::hpdlc_flow::runtime::action::ValueKind::#kind)
}

/// The `ValueType` of a type of a function of expressions.
pub(crate) fn with_occurrence(r#type: &Type) -> TokenStream {
    let value = of(r#type);
    let occurs = match inner_of(r#type, "Option") {
        Some(_) => quote!(Optional),
        None => quote!(One),
    };
    quote! {
        ::hpdlc_flow::runtime::function::ValueType {
            value: #value,
            occurs: ::hpdlc_flow::runtime::function::Occurs::#occurs,
        }
    }
}

/// The `T` of `Vec<T>` or `Option<T>`, as `outer` says.
pub(crate) fn inner_of<'t>(r#type: &'t Type, outer: &str) -> Option<&'t Type> {
    let last = last_segment(r#type).filter(|last| last.ident == outer)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    match arguments.args.first() {
        Some(GenericArgument::Type(inner)) => Some(inner),
        _ => None,
    }
}

fn last_segment(r#type: &Type) -> Option<&PathSegment> {
    match r#type {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    }
}
