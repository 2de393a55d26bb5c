//! The expansion of `#[action]`: a function that workflows can call, as data for the runtime and as a shadow for rustc.
//!
//! The function moves into a module of its own name, where it can be called like any other: `count::count(...)`. Beside it is
//! `count::ACTION`, which decodes the arguments of a `rust` action, calls it, and encodes what it returns. What workflows call is
//! the shadow `count(...)`, which has the types of the function and never runs.

mod signature;

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::{
    Attribute, ItemFn, Visibility,
    ext::IdentExt,
    parse::{Parse, ParseStream, Parser},
    spanned::Spanned,
};

use self::signature::Signature;
use crate::{item, kind, paths};

/// What is written in the parentheses of the attribute.
#[derive(Debug, Default)]
struct Options {
    is_idempotent: bool,
}

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> syn::Result<Options> {
        let mut options = Options::default();
        let names = input.parse_terminated(syn::Ident::parse_any, syn::Token![,])?;
        for name in names {
            if name != "idempotent" || options.is_idempotent {
                let problem = "`#[action]` has one option, `#[action(idempotent)]`: a call whose end is not known is made again";
                return Err(syn::Error::new(name.span(), problem));
            }
            options.is_idempotent = true;
        }
        Ok(options)
    }
}

/// Expands to the module and the shadow, or to the mistakes; then the function is left as it is, so that rustc still knows it.
pub(crate) fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    let function: ItemFn = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            let problem = "`#[action]` belongs above a function";
            return item::other(&item, error.span(), problem);
        }
    };
    let read = Parser::parse2(Options::parse, options);
    match (read, Signature::read(&function)) {
        (Ok(options), Ok(signature)) => items(&options, &signature, &function),
        (read, signature) => {
            let mistakes = [read.err(), signature.err()].into_iter().flatten();
            let mistakes = mistakes.map(syn::Error::into_compile_error);
            quote!(#function #(#mistakes)*)
        }
    }
}

fn items(options: &Options, signature: &Signature<'_>, function: &ItemFn) -> TokenStream {
    let visibility = &function.vis;
    let name = &function.sig.ident;
    let (everywhere, documentation) = (of(&function.attrs, "cfg"), of(&function.attrs, "doc"));
    let call = call(signature);
    let idempotent = options.is_idempotent.then(|| quote!(.idempotent()));
    let static_documentation = format!(" [`{name}()`] as workflows call it.");

    let parameters = signature.parameters.iter().map(|parameter| {
        let (name, r#type) = (parameter.name, parameter.r#type);
        // The wrong argument of a call is an error of rustc that names this bound.
        quote_spanned!(r#type.span()=> #name: impl ::hpdlc_flow::Gives<#r#type>)
    });
    let data = signature.data();
    let shadow = quote! {
        #(#everywhere)*
        #(#documentation)*
        #[allow(unused_variables, dead_code)]
        #visibility fn #name(#(#parameters),*) -> ::hpdlc_flow::Pending<#data> {
            ::hpdlc_flow::Pending::new()
        }
    };

    let mut itself = function.clone();
    itself.vis = Visibility::Public(syn::token::Pub(name.span()));
    itself
        .attrs
        .retain(|attribute| !attribute.path().is_ident("cfg"));
    let itself = paths::one_module_deeper(quote!(#itself));
    let output = paths::one_module_deeper(data.clone());
    quote! {
        #(#everywhere)*
        #(#documentation)*
        #[allow(dead_code)]
        #visibility mod #name {
            #[allow(unused_imports)]
            use super::*;

            #itself

            #[doc = " The data that it gives."]
            pub type Output = #output;

            /// What an extension lists.
            #[doc(hidden)]
            pub struct Named;

            impl ::hpdlc_flow::runtime::action::NamedAction for Named {
                const ITSELF: &'static ::hpdlc_flow::runtime::action::Action = &ACTION;
            }

            #[doc = #static_documentation]
            pub static ACTION: ::hpdlc_flow::runtime::action::Action =
                ::hpdlc_flow::runtime::action::Action::of::<__HpdlCall>() #idempotent;

            /// Where it is.
            #[doc(hidden)]
            #[allow(dead_code)]
            pub const PLACE: &str = ::core::module_path!();

            #call
        }

        #shadow
    }
}

/// The call with texts. Its name hides no type of the author.
fn call(signature: &Signature<'_>) -> TokenStream {
    let name = signature.name;
    let n = signature.parameters.len();
    let names = signature.parameters.iter().map(|parameter| {
        let name = parameter.name.unraw().to_string();
        (format_ident!("_{name}", span = parameter.name.span()), name)
    });
    let (variables, texts): (Vec<_>, Vec<_>) = names.unzip();
    let context = signature.has_context.then(|| quote!(context,));
    let call = quote!(#name(#context #(#variables),*));
    let called = if signature.is_async {
        quote! {
            ::hpdlc_flow::runtime::action::block_on(async {
                #call.await.map_err(::hpdlc_flow::runtime::action::Error::from)
            })
        }
    } else {
        quote!(#call.map_err(::hpdlc_flow::runtime::action::Error::from))
    };
    // A type that no argument can have is an error of rustc at this place.
    let takes = signature.parameters.iter().zip(&texts).map(|(it, text)| {
        let (span, r#type) = (it.r#type.span(), it.r#type);
        let r#type = paths::one_module_deeper(quote!(#r#type));
        quote_spanned!(span=> arguments.take::<#r#type>(#text)?)
    });
    let data = paths::one_module_deeper(signature.data());
    let kinds = signature.parameters.iter().map(|it| kind::of(it.r#type));
    quote! {
        struct __HpdlCall;

        #[allow(unused_variables, unused_mut)]
        impl ::hpdlc_flow::runtime::action::FunctionCall for __HpdlCall {
            type Data = #data;

            fn call(
                context: &::hpdlc_flow::runtime::action::Context,
                texts: &[::std::string::String],
            ) -> ::hpdlc_flow::runtime::action::Result<#data> {
                let mut arguments = ::hpdlc_flow::runtime::action::Arguments::of(texts, #n)?;
                #(let #variables = #takes;)*
                #called
            }

            fn arguments() -> ::std::vec::Vec<::hpdlc_flow::runtime::action::ArgumentSchema> {
                ::std::vec![
                    #(::hpdlc_flow::runtime::action::ArgumentSchema { name: #texts, value: #kinds },)*
                ]
            }
        }
    }
}

fn of<'a>(attributes: &'a [Attribute], name: &str) -> Vec<&'a Attribute> {
    let attributes = attributes.iter();
    attributes
        .filter(|attribute| attribute.path().is_ident(name))
        .collect()
}

#[cfg(test)]
mod tests;
