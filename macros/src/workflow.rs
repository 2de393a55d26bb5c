//! The expansion of `#[workflow]`, on tokens that exist outside rustc too, so that it is tested as a function.

use std::{ops::Range, path::PathBuf};

use hpdlc::{
    build::{self, DocumentMessage, EmbeddedDocument},
    diagnostics::Level,
    rust::{self, Offsets, Parameter, Place, Workflow},
};
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use syn::{ItemFn, LitStr};

use crate::warning::warning;

/// The file that the function stands in.
pub(crate) struct Source {
    /// The folder of the package.
    pub(crate) package: PathBuf,
    /// The file, below the package.
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// Expands to the module of the workflow, or to its mistakes; in both cases with what rustc checks in place of the function.
pub(crate) fn expand(
    arguments: TokenStream,
    item: TokenStream,
    source: Option<Source>,
) -> TokenStream {
    let function: ItemFn = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            let message = format!("`#[workflow]` belongs before an `async fn`: {error}");
            let error = syn::Error::new(error.span(), message).into_compile_error();
            return quote!(#error #item);
        }
    };
    let workflow = rust::read(arguments, &function);
    let shadow = &workflow.shadow;
    let Some(document) = &workflow.document else {
        let errors = workflow
            .mistakes
            .iter()
            .map(|mistake| mistake.place.error(&mistake.message));
        // What is ours to say should not be said twice; editors need the code in any case.
        let is_said_twice = workflow.mistakes.iter().any(|it| it.rustc_reports_it);
        let shadow = match is_said_twice {
            true => quote! {
                #[allow(unexpected_cfgs)]
                const _: () = {
                    #[cfg(rust_analyzer)]
                    #shadow
                };
            },
            false => shadow.clone(),
        };
        let stub = stub(&workflow, &function);
        return quote!(#(#errors)* #shadow #stub);
    };
    let Some(source) = source else {
        let message = "the file of this workflow is not known: it cannot be made by another macro";
        let error = syn::Error::new(function.sig.ident.span(), message).into_compile_error();
        let stub = stub(&workflow, &function);
        return quote!(#error #shadow #stub);
    };
    let offsets = Offsets::new(&source.text);
    let range_of = |place: &Place| offsets.range(place);
    let in_memory = build::Document {
        package: source.package,
        path: source.path,
        pieces: document
            .pieces
            .iter()
            .map(|(range, place)| (range.clone(), range_of(place)))
            .collect(),
        whole: range_of(&document.whole),
        text: document.text.clone(),
        files: workflow.settings.files.as_ref().map(path_of),
        config: workflow.settings.config.as_ref().map(path_of),
        source: source.text,
    };
    let place_of =
        |range: Option<&Range<u32>>| range.map_or(document.whole, |it| document.place_of(it));
    match build::embed_document(&in_memory) {
        Ok(embedded) => {
            let warnings = messages(&embedded.messages, &place_of);
            let module = module(&workflow, &function, &embedded, &document.text);
            quote!(#warnings #shadow #module)
        }
        Err(found) => {
            let errors = messages(&found, &place_of);
            let stub = stub(&workflow, &function);
            quote!(#errors #shadow #stub)
        }
    }
}

fn path_of(setting: &LitStr) -> PathBuf {
    PathBuf::from(setting.value())
}

fn messages(
    messages: &[DocumentMessage],
    place_of: &dyn Fn(Option<&Range<u32>>) -> Place,
) -> TokenStream {
    messages
        .iter()
        .map(|message| {
            let place = place_of(message.range.as_ref());
            match message.level {
                Level::Error => place.error(&message.text),
                Level::Warning | Level::Note => warning(&message.text, place.from),
            }
        })
        .collect()
}

/// The module of the workflow, named like the function.
fn module(
    workflow: &Workflow,
    function: &ItemFn,
    embedded: &EmbeddedDocument,
    document: &str,
) -> TokenStream {
    let Workflow { name, .. } = workflow;
    let visibility = &function.vis;
    let docs = docs(function);
    let params = params(&workflow.parameters);
    let program = through_flow(embedded.tokens.clone());
    let inputs = embedded
        .inputs
        .iter()
        .map(|path| path.display().to_string());
    let list = format_ident!("ACTIONS_OF_{}", name.to_string().to_uppercase());
    let actions = workflow.own_actions.iter().map(|action| {
        let (function, path) = (&action.function, &action.path);
        quote!((#function, &#path::ACTION))
    });
    let n_actions = workflow.own_actions.len();
    quote! {
        #[doc(hidden)]
        static #list: [(&str, &::hpdlc_flow::runtime::action::Action); #n_actions] = [#(#actions),*];

        #(#docs)*
        #visibility mod #name {
            mod program {
                #program
                // rustc tracks a file only if the program includes it.
                const _: &[&[u8]] = &[#(::core::include_bytes!(#inputs)),*];
            }

            pub use self::program::PROGRAM;

            /// The document that was compiled.
            pub const XML: &str = #document;

            /// The own actions that it calls, by the names that the document has for them.
            pub static ACTIONS: ::hpdlc_flow::runtime::action::Actions = &super::#list;

            #params

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
}

/// The same module without a program, so that a mistake in the workflow is no mistake in the code around it.
fn stub(workflow: &Workflow, function: &ItemFn) -> TokenStream {
    let Workflow { name, .. } = workflow;
    let visibility = &function.vis;
    let params = params(&workflow.parameters);
    quote! {
        #[allow(dead_code, missing_docs, unused_variables)]
        #visibility mod #name {
            pub const XML: &str = "";
            pub static ACTIONS: ::hpdlc_flow::runtime::action::Actions = &[];
            pub static PROGRAM: ::hpdlc_flow::runtime::table::Program =
                ::hpdlc_flow::runtime::table::Program::EMPTY;
            #params
            pub fn init() -> ::hpdlc_flow::runtime::Runtime {
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

fn docs(function: &ItemFn) -> Vec<&syn::Attribute> {
    let attributes = function.attrs.iter();
    attributes
        .filter(|it| it.path().is_ident("doc") || it.path().is_ident("allow"))
        .collect()
}

/// The arguments of a job, with the types of the function.
fn params(parameters: &[Parameter]) -> TokenStream {
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
    quote! {
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
fn through_flow(tokens: TokenStream) -> TokenStream {
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
