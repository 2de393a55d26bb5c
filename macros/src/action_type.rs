//! The expansion of `#[action_type]`: a struct as the elements of an action, read from texts and described for the compiler.

mod fields;
mod names;

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{
    Fields, ItemStruct, LitStr,
    parse::{Parse, ParseStream, Parser},
    spanned::Spanned,
};

use self::fields::{Element, Occurs};
use crate::{item, mistakes::Mistakes, summary};

/// What is written in the parentheses of the attribute.
#[derive(Default)]
struct Options {
    element: Option<LitStr>,
    namespace: Option<LitStr>,
}

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> syn::Result<Options> {
        let mut options = Options::default();
        while !input.is_empty() {
            let name: syn::Ident = input.parse()?;
            let place = match name.to_string().as_str() {
                "element" => &mut options.element,
                "namespace" => &mut options.namespace,
                _ => {
                    let problem =
                        "an action type has `element = \"...\"` and `namespace = \"...\"`";
                    return Err(syn::Error::new(name.span(), problem));
                }
            };
            if place.is_some() {
                let problem = format!("`{name}` is said twice");
                return Err(syn::Error::new(name.span(), problem));
            }
            let said = |error: syn::Error| {
                syn::Error::new(error.span(), format!("this is a text: `{name} = \"...\"`"))
            };
            input.parse::<syn::Token![=]>().map_err(said)?;
            *place = Some(input.parse().map_err(said)?);
            if !input.is_empty() {
                input.parse::<syn::Token![,]>().map_err(|error| {
                    syn::Error::new(error.span(), "a comma is missing before this")
                })?;
            }
        }
        Ok(options)
    }
}

/// Expands to the struct and its implementations, or to the mistakes; then the struct is left, so that rustc still knows it.
pub(crate) fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut written: ItemStruct = match syn::parse2(item.clone()) {
        Ok(written) => written,
        Err(error) => {
            let problem = "`#[action_type]` belongs above a struct, whose fields are the elements of the action";
            return item::other(&item, error.span(), problem);
        }
    };
    let implemented = implementations(options, &written);
    for field in &mut written.fields {
        field.attrs.retain(|it| !it.path().is_ident("element"));
    }
    let implemented = implemented.unwrap_or_else(|mistakes| {
        let (mistakes, stub) = (mistakes.into_compile_error(), stub(&written));
        quote!(#mistakes #stub)
    });
    quote!(#written #implemented)
}

/// The implementation for a struct with mistakes: that it is an action type is none.
fn stub(written: &ItemStruct) -> Option<TokenStream> {
    let name = &written.ident;
    written.generics.params.is_empty().then(|| {
        quote! {
            #[automatically_derived]
            impl ::hpdlc_flow::runtime::action::ActionType for #name {
                const ELEMENT: &'static str = "";
                const NAMESPACE: &'static str = "";
                const ACTION: &'static ::hpdlc_flow::runtime::action::Action = ::hpdlc_flow::NO_ACTION;

                fn of_elements(
                    _: ::hpdlc_flow::runtime::action::Elements<'_>,
                ) -> ::hpdlc_flow::runtime::action::Result<#name> {
                    ::std::unreachable!()
                }

                fn schema() -> ::hpdlc_flow::runtime::action::TypeSchema {
                    ::std::unreachable!()
                }
            }

            impl #name {
                #[allow(dead_code)]
                pub const ACTION: ::hpdlc_flow::runtime::action::Action = *::hpdlc_flow::NO_ACTION;
                #[allow(dead_code)]
                pub const PLACE: &str = "";
            }
        }
    })
}

fn implementations(options: TokenStream, written: &ItemStruct) -> syn::Result<TokenStream> {
    let mut mistakes = Mistakes::default();
    let options = mistakes.of(Parser::parse2(Options::parse, options));
    let options = options.map(|options| checked(&mut mistakes, options, written));
    if !written.generics.params.is_empty() {
        let problem = "an action type has no type parameters and no lifetimes: its elements are texts of the workflow, each of one type";
        mistakes.add(&written.generics, problem);
    }
    let elements = match &written.fields {
        Fields::Named(fields) => fields::read(&mut mistakes, fields),
        Fields::Unnamed(fields) => {
            mistakes.add(fields, "elements are found by names: give the fields names");
            Vec::new()
        }
        Fields::Unit => {
            let problem =
                "an action type without elements is written with braces: `struct Name {}`";
            mistakes.add(&written.ident, problem);
            Vec::new()
        }
    };
    mistakes.none()?;
    let Some((Some(element), Some(namespace))) = options else {
        return Ok(TokenStream::new());
    };
    Ok(items(written, &element, &namespace, &elements))
}

/// The options, without those that are missing or wrong.
fn checked(
    mistakes: &mut Mistakes,
    options: Options,
    written: &ItemStruct,
) -> (Option<LitStr>, Option<LitStr>) {
    let Options { element, namespace } = options;
    if let (None, None) = (&element, &namespace) {
        let problem = "an action type has an element and a namespace: `#[action_type(element = \"s3-copy\", namespace = \"uri:acme:s3-copy:1.0\")]`";
        mistakes.add(&written.ident, problem);
        return (None, None);
    }
    match &element {
        Some(element) => {
            if let Err(problem) = names::check_type(&element.value()) {
                mistakes.add(element, problem);
            }
        }
        None => {
            let problem =
                "the name of the element is missing: `#[action_type(element = \"s3-copy\", ...)]`";
            mistakes.add(&written.ident, problem);
        }
    }
    match &namespace {
        Some(namespace) => {
            if let Err(problem) = names::check_namespace(&namespace.value()) {
                mistakes.add(namespace, problem);
            }
        }
        None => {
            let problem = "the namespace is missing: `#[action_type(..., namespace = \"uri:acme:s3-copy:1.0\")]`";
            mistakes.add(&written.ident, problem);
        }
    }
    (element, namespace)
}

fn items(
    written: &ItemStruct,
    element: &LitStr,
    namespace: &LitStr,
    elements: &[Element<'_>],
) -> TokenStream {
    let name = &written.ident;
    let conditions: Vec<_> = written
        .attrs
        .iter()
        .filter(|it| it.path().is_ident("cfg"))
        .collect();
    let known = elements.iter().map(|it| &it.name);
    let reads = elements.iter().map(|element| {
        let Element {
            field,
            name,
            r#type,
            occurs,
            ..
        } = element;
        // A type that no element can have is an error of rustc at this place.
        let place = r#type.span();
        let method = match occurs {
            Occurs::One => quote_spanned!(place=> one),
            Occurs::Optional => quote_spanned!(place=> optional),
            Occurs::Repeated => quote_spanned!(place=> repeated),
        };
        let spelled = element.field_name();
        quote_spanned!(place=> #field: elements.#method::<#r#type>(#name, #spelled)?)
    });
    let schemas = elements.iter().map(|element| {
        let Element {
            name,
            kind,
            occurs,
            summary,
            ..
        } = element;
        let occurs = match occurs {
            Occurs::One => quote!(One),
            Occurs::Optional => quote!(Optional),
            Occurs::Repeated => quote!(Repeated),
        };
        quote! {
            ::hpdlc_flow::runtime::action::ElementSchema {
                name: #name,
                value: #kind,
                occurs: ::hpdlc_flow::runtime::action::Occurs::#occurs,
                summary: #summary,
            }
        }
    });
    let summary = summary::of(&written.attrs);
    let action_documentation = format!(" The action of the type `{name}`.");
    // The type has one of both traits: rustc finds out which.
    let entry = quote_spanned! {name.span()=>
        ::hpdlc_flow::runtime::action::action_of::<_, #name>()
    };
    quote! {
        #(#conditions)*
        #[automatically_derived]
        impl ::hpdlc_flow::runtime::action::ActionType for #name {
            const ELEMENT: &'static str = #element;
            const NAMESPACE: &'static str = #namespace;
            const ACTION: &'static ::hpdlc_flow::runtime::action::Action = &#entry;

            #[allow(unused_mut)]
            fn of_elements(
                mut elements: ::hpdlc_flow::runtime::action::Elements<'_>,
            ) -> ::hpdlc_flow::runtime::action::Result<#name> {
                let read = #name { #(#reads,)* };
                elements.end(&[#(#known),*])?;
                ::std::result::Result::Ok(read)
            }

            fn schema() -> ::hpdlc_flow::runtime::action::TypeSchema {
                ::hpdlc_flow::runtime::action::TypeSchema {
                    element: #element,
                    namespace: #namespace,
                    summary: #summary,
                    elements: ::std::vec![#(#schemas),*],
                    data: ::std::option::Option::None,
                }
            }
        }

        #(#conditions)*
        impl #name {
            #[doc = #action_documentation]
            #[allow(dead_code)]
            pub const ACTION: ::hpdlc_flow::runtime::action::Action =
                *<#name as ::hpdlc_flow::runtime::action::ActionType>::ACTION;

            /// Where it is.
            #[doc(hidden)]
            #[allow(dead_code)]
            pub const PLACE: &str = ::core::module_path!();
        }
    }
}

#[cfg(test)]
mod tests;
