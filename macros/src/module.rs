//! What the modules of workflows, coordinators and bundles have in common.

use std::{ops::Range, path::PathBuf};

use hpdlc::{
    build::{self, DocumentMessage},
    diagnostics::Level,
    rust::{Document, Mistake, Offsets, Parameter, PassedField, Place, Shadow},
};
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use syn::{Attribute, ItemFn, ext::IdentExt, spanned::Spanned};

use crate::{bridge, item, source::Source, warning::warning};

/// A function as it was read.
pub(crate) struct Read<'r> {
    /// The name of its attribute.
    pub(crate) what: &'static str,
    pub(crate) function: &'r ItemFn,
    pub(crate) mistakes: &'r [Mistake],
    /// What rustc checks in place of the function.
    pub(crate) shadow: &'r Shadow,
    /// Whether the module has it, if there is one.
    pub(crate) is_shadow_inside: bool,
    pub(crate) document: Option<&'r Document>,
    /// The module without a program; whether rustc has to say why.
    pub(crate) stub: &'r dyn Fn(bool) -> TokenStream,
}

/// A compiled document, without tokens in memory.
struct Compiled {
    /// The text of its items.
    program: String,
    inputs: Vec<PathBuf>,
    messages: Vec<DocumentMessage>,
}

/// The function below an attribute, or the error in place of it.
pub(crate) fn function(
    what: &str,
    before: &str,
    item: &TokenStream,
) -> Result<ItemFn, TokenStream> {
    let function: ItemFn = syn::parse2(item.clone()).map_err(|error| {
        let message = format!("`#[{what}]` belongs before {before}: {error}");
        item::other(item, error.span(), &message)
    })?;
    match function.sig.receiver() {
        // It stands in an `impl`, where there are no modules.
        Some(receiver) => {
            let message =
                format!("`#[{what}]` belongs before {before} without `self`, outside of `impl`");
            Err(syn::Error::new(receiver.span(), message).into_compile_error())
        }
        None => Ok(function),
    }
}

/// Expands to the module of a function, or to its mistakes; in both cases with what rustc checks in place of the function.
pub(crate) fn expanded(
    read: &Read<'_>,
    source: Option<Source>,
    in_memory: impl FnOnce(&Document, Source) -> build::Document,
    module: impl FnOnce(&TokenStream, &Document) -> TokenStream,
) -> TokenStream {
    let Some(document) = read.document else {
        let errors = mistakes(read.mistakes);
        let shadow = shadow_after(read.mistakes, read.shadow);
        let stub = (read.stub)(read.mistakes.is_empty());
        return quote!(#errors #shadow #stub);
    };
    let Some(source) = source else {
        let message = format!(
            "the file of this {} is not known: it cannot be made by another macro",
            read.what
        );
        let name = read.function.sig.ident.span();
        let error = syn::Error::new(name, message).into_compile_error();
        let (imports, shadow) = (read.shadow.imports(), read.shadow.item());
        let stub = (read.stub)(false);
        // rust-analyzer tells macros no file, and needs only the types.
        return quote! {
            #[allow(unexpected_cfgs)]
            const _: () = {
                #[cfg(not(rust_analyzer))]
                #error
            };
            #imports
            #shadow
            #stub
        };
    };
    let imports = read.shadow.imports();
    let made = in_memory(document, source);
    let embedded = bridge::in_memory(|| {
        build::embed_document(&made).map(|embedded| Compiled {
            program: through_flow(embedded.tokens).to_string(),
            inputs: embedded.inputs,
            messages: embedded.messages,
        })
    });
    match embedded {
        Ok(compiled) => {
            let warnings = messages(&compiled.messages, document);
            let shadow = (!read.is_shadow_inside).then(|| read.shadow.item());
            let module = module(&program(&compiled), document);
            quote!(#warnings #imports #shadow #module)
        }
        Err(found) => {
            let errors = messages(&found, document);
            let (shadow, stub) = (read.shadow.item(), (read.stub)(false));
            quote!(#errors #imports #shadow #stub)
        }
    }
}

/// The name of an item beside the module of a function.
pub(crate) fn beside(what: &str, name: &Ident) -> Ident {
    format_ident!("{what}_OF_{}", name.unraw().to_string().to_uppercase())
}

/// The module with the program that was compiled.
fn program(compiled: &Compiled) -> TokenStream {
    let program = bridge::parsed(&compiled.program);
    let inputs = compiled
        .inputs
        .iter()
        .map(|path| path.display().to_string());
    quote! {
        mod program {
            #program
            // rustc tracks a file only if the program includes it.
            const _: &[&[u8]] = &[#(::core::include_bytes!(#inputs)),*];
        }
    }
}

/// The errors of reading.
fn mistakes(mistakes: &[Mistake]) -> TokenStream {
    let errors = mistakes
        .iter()
        .map(|mistake| mistake.place.error(&mistake.message));
    quote!(#(#errors)*)
}

/// What rustc checks after mistakes. What is ours to say should not be said twice; editors need the code in any case.
fn shadow_after(mistakes: &[Mistake], shadow: &Shadow) -> TokenStream {
    let shadow = shadow.item();
    let is_said_twice = mistakes.iter().any(|it| it.rustc_reports_it);
    match is_said_twice {
        true => quote! {
            #[allow(unexpected_cfgs)]
            const _: () = {
                #[cfg(rust_analyzer)]
                #shadow
            };
        },
        false => shadow,
    }
}

/// The ranges of a document, and those of the Rust file that they come from.
pub(crate) fn pieces(document: &Document, offsets: &Offsets<'_>) -> Vec<(Range<u32>, Range<u32>)> {
    let pieces = document.pieces.iter();
    pieces
        .map(|(range, place)| (range.clone(), offsets.range(place)))
        .collect()
}

/// The errors and warnings of a document.
fn messages(messages: &[DocumentMessage], document: &Document) -> TokenStream {
    messages
        .iter()
        .map(|message| {
            let range = message.range.as_ref();
            let place: Place = range.map_or(document.whole, |it| document.place_of(it));
            match message.level {
                Level::Error => place.error(&message.text),
                Level::Warning | Level::Note => warning(&message.text, place.from),
            }
        })
        .collect()
}

/// The attributes of the function that its module keeps.
pub(crate) fn docs(function: &ItemFn) -> Vec<&Attribute> {
    let attributes = function.attrs.iter();
    attributes
        .filter(|it| it.path().is_ident("doc") || it.path().is_ident("allow"))
        .collect()
}

/// Whether what is started, by its parameters, calls the property of a field what is passed; `what` it is.
pub(crate) fn passed_check(params: &Ident, passed: &PassedField, what: &str) -> TokenStream {
    let (field, property) = (passed.name.unraw().to_string(), &passed.property);
    let message = format!(
        "the parameter `{field}` of the {what} is not the property `{property}`: write `#[property(\"...\")]` before it here, as the {what} does"
    );
    quote_spanned! {passed.name.span()=>
        const _: () = ::core::assert!(
            ::hpdlc_flow::runtime::table::linked::is_property(
                <#params as ::hpdlc_flow::Started>::PROPERTIES, #field, #property
            ),
            #message
        );
    }
}

/// Whether what is started is a workflow.
pub(crate) fn workflow_check(params: &Ident, message: &str) -> TokenStream {
    quote_spanned! {params.span()=>
        const _: () = ::core::assert!(
            ::hpdlc_flow::runtime::table::linked::is_workflow(
                <#params as ::hpdlc_flow::Started>::PROGRAM
            ),
            #message
        );
    }
}

/// The functions by which a program runs jobs; `Params`, `PROGRAM` and `ACTIONS` are beside them.
pub(crate) fn functions() -> TokenStream {
    quote! {
        /// Must be the first statement of `main`: actions run in processes that start here.
        pub fn init() -> ::hpdlc_flow::runtime::Runtime {
            ::hpdlc_flow::runtime::init_with(
                ::hpdlc_flow::runtime::Parts::ALL.with_actions(ACTIONS),
            )
        }

        /// Runs a new job to its end.
        ///
        /// # Errors
        ///
        /// The job could not be run, or not be followed to its end. A job that was killed or has failed is a result.
        pub fn run(
            runtime: &::hpdlc_flow::runtime::Runtime,
            params: Params,
        ) -> ::core::result::Result<::hpdlc_flow::runtime::Finished, ::hpdlc_flow::runtime::RunError> {
            runtime.run(&PROGRAM, params.properties())
        }

        /// Recovers the jobs whose process has died, and drives them until none of them runs.
        ///
        /// # Errors
        ///
        /// The store or the machine fails.
        pub fn recover(
            runtime: &::hpdlc_flow::runtime::Runtime,
        ) -> ::core::result::Result<::std::vec::Vec<::hpdlc_flow::runtime::Finished>, ::hpdlc_flow::runtime::RunError> {
            runtime.recover(&PROGRAM)
        }

        /// Does what the arguments of this process ask for: `run`, `submit`, `info` and the others.
        pub fn command_line(runtime: &::hpdlc_flow::runtime::Runtime) -> ::std::process::ExitCode {
            runtime.command_line(&PROGRAM)
        }
    }
}

/// What a module has for those that start it.
pub(crate) fn started() -> TokenStream {
    quote! {
        impl ::hpdlc_flow::Started for Params {
            const PROGRAM: &'static ::hpdlc_flow::runtime::table::Program = &PROGRAM;
            const ACTIONS: ::hpdlc_flow::runtime::action::Actions = ACTIONS;
            const PLACES: &'static [(&'static str, &'static str)] = PLACES;
            const PROPERTIES: &'static [(&'static str, &'static str)] = PROPERTIES;
        }
    }
}

/// What makes the parameters of a coordinator something that a bundle can start.
pub(crate) fn startable() -> TokenStream {
    quote!(impl ::hpdlc_flow::Startable for Params {})
}

/// A module without a program, so that a mistake in the function is no mistake in the code around it. If the mistake
/// `is_left_to_rustc`, the build fails even where rustc finds none.
pub(crate) fn stub(
    function: &ItemFn,
    parameters: &[Parameter],
    is_left_to_rustc: bool,
) -> TokenStream {
    let name = &function.sig.ident;
    let visibility = &function.vis;
    let params = params(parameters);
    let started = started();
    // Said by rustc after everything else, and only if it has found nothing.
    let unsaid = is_left_to_rustc.then(|| {
        let problem = format!(
            "hpdlc does not understand `{name}` and left it to rustc, which found no mistake: report it with this function"
        );
        // Of a function with a type parameter, rustc evaluates it only after all checks.
        quote! {
            fn unsaid<T>() {
                const { ::core::panic!(#problem) }
            }
            unsaid::<()>();
        }
    });
    quote! {
        #[allow(dead_code, missing_docs, unreachable_code, unused_variables)]
        #visibility mod #name {
            pub const XML: &str = "";
            pub static ACTIONS: ::hpdlc_flow::runtime::action::Actions = &[];
            pub const PLACES: &[(&str, &str)] = &[];
            pub static PROGRAM: ::hpdlc_flow::runtime::table::Program =
                ::hpdlc_flow::runtime::table::Program::EMPTY;
            #params
            #started
            pub fn init() -> ::hpdlc_flow::runtime::Runtime {
                #unsaid
                ::core::unreachable!()
            }
            pub fn run(
                runtime: &::hpdlc_flow::runtime::Runtime,
                params: Params,
            ) -> ::core::result::Result<::hpdlc_flow::runtime::Finished, ::hpdlc_flow::runtime::RunError> {
                ::core::unreachable!()
            }
            pub fn recover(
                runtime: &::hpdlc_flow::runtime::Runtime,
            ) -> ::core::result::Result<::std::vec::Vec<::hpdlc_flow::runtime::Finished>, ::hpdlc_flow::runtime::RunError> {
                ::core::unreachable!()
            }
            pub fn command_line(runtime: &::hpdlc_flow::runtime::Runtime) -> ::std::process::ExitCode {
                ::core::unreachable!()
            }
        }
    }
}

/// The arguments of a job, with the types of the function.
pub(crate) fn params(parameters: &[Parameter]) -> TokenStream {
    let fields = parameters.iter().map(|parameter| {
        let Parameter {
            name,
            rust_type,
            has_default,
            docs,
            ..
        } = parameter;
        if *has_default {
            quote!(#(#docs)* pub #name: ::core::option::Option<#rust_type>)
        } else {
            quote!(#(#docs)* pub #name: #rust_type)
        }
    });
    let all_have_defaults = parameters.iter().all(|it| it.has_default);
    let default = all_have_defaults.then(|| quote!(Default,));
    let pushes = parameters.iter().map(|parameter| {
        let Parameter {
            name,
            property,
            has_default,
            ..
        } = parameter;
        if *has_default {
            quote! {
                if let ::core::option::Option::Some(value) = &self.#name {
                    properties.push((#property, ::std::string::ToString::to_string(value)));
                }
            }
        } else {
            quote!(properties.push((#property, ::std::string::ToString::to_string(&self.#name)));)
        }
    });
    let fields_of_properties = parameters.iter().map(|parameter| {
        let field = parameter.name.unraw().to_string();
        let property = &parameter.property;
        quote!((#field, #property))
    });
    quote! {
        /// The fields of `Params`, and the properties that they are.
        #[doc(hidden)]
        pub const PROPERTIES: &[(&str, &str)] = &[#(#fields_of_properties),*];

        /// The properties of a job.
        #[derive(Clone, Debug, #default PartialEq)]
        pub struct Params {
            #(#fields,)*
        }

        impl Params {
            /// The properties that are set, by name.
            pub fn properties(&self) -> ::std::vec::Vec<(&'static str, ::std::string::String)> {
                #[allow(unused_mut)]
                let mut properties = ::std::vec::Vec::new();
                #(#pushes)*
                properties
            }
        }
    }
}

/// Generated code with the runtime that the crate of workflows exports, so that authors depend on that crate alone.
pub(crate) fn through_flow(tokens: TokenStream) -> TokenStream {
    let mut out = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Ident(name) if name == "hpdlc_runtime" => {
                let span = name.span();
                out.extend(quote_spanned!(span=> hpdlc_flow::runtime));
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), through_flow(group.stream()));
                inner.set_span(group.span());
                out.push(TokenTree::Group(inner));
            }
            other => out.push(other),
        }
    }
    out.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_beside_a_module_have_names_whatever_its_own_is() {
        for name in ["daily", "r#type"] {
            let name: Ident = syn::parse_str(name).expect("it is a name");
            let beside = beside("ACTIONS", &name).to_string();
            let plain = name.unraw().to_string().to_uppercase();
            assert_eq!(beside, format!("ACTIONS_OF_{plain}"));
        }
    }
}
