//! The expansion of `#[coordinator]`: the program of the coordinator, joined with that of its workflow.

use std::path::PathBuf;

use hpdlc::{
    build::{self, DocumentKind, EmbeddedDocument},
    rust::{self, Coordinator, Document, Offsets},
};
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::ItemFn;

use crate::{module, source::Source};

/// Expands to the module of the coordinator, or to its mistakes; in both cases with what rustc checks in place of the function.
pub(crate) fn expand(
    arguments: TokenStream,
    item: TokenStream,
    source: Option<Source>,
) -> TokenStream {
    let function: ItemFn = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            let message = format!("`#[coordinator]` belongs before a `fn`: {error}");
            let error = syn::Error::new(error.span(), message).into_compile_error();
            return quote!(#error #item);
        }
    };
    let coordinator = rust::read_coordinator(arguments, &function);
    let shadow = &coordinator.shadow;
    let is_left_to_rustc = coordinator.document.is_none() && coordinator.mistakes.is_empty();
    let stub = || {
        let (stub, startable) = (
            module::stub(&function, &coordinator.parameters, is_left_to_rustc),
            module::startable(),
        );
        let name = &coordinator.name;
        quote! {
            #stub
            const _: () = {
                use #name::Params;
                #startable
            };
        }
    };
    let (Some(document), Some(workflow)) = (&coordinator.document, &coordinator.workflow) else {
        let errors = module::mistakes(&coordinator.mistakes);
        let shadow = module::shadow_after(&coordinator.mistakes, shadow);
        let stub = stub();
        return quote!(#errors #shadow #stub);
    };
    let Some(source) = source else {
        let message =
            "the file of this coordinator is not known: it cannot be made by another macro";
        let error = syn::Error::new(function.sig.ident.span(), message).into_compile_error();
        let stub = stub();
        return quote!(#error #shadow #stub);
    };
    match build::embed_document(&in_memory(&coordinator, document, workflow, source)) {
        Ok(embedded) => {
            let warnings = module::messages(&embedded.messages, document);
            let joined = joined(&coordinator, workflow);
            let module = module_of(&coordinator, &function, &embedded, &document.text);
            quote!(#warnings #shadow #joined #module)
        }
        Err(found) => {
            let errors = module::messages(&found, document);
            let stub = stub();
            quote!(#errors #shadow #stub)
        }
    }
}

fn in_memory(
    coordinator: &Coordinator,
    document: &Document,
    workflow: &syn::Path,
    source: Source,
) -> build::Document {
    let offsets = Offsets::new(&source.text);
    build::Document {
        functions: Vec::new(),
        kind: DocumentKind::Coordinator {
            workflow: rust::app_path(workflow),
        },
        pieces: module::pieces(document, &offsets),
        whole: offsets.range(&document.whole),
        text: document.text.clone(),
        files: None,
        config: coordinator
            .config
            .as_ref()
            .map(|path| PathBuf::from(path.value())),
        package: source.package,
        path: source.path,
        source: source.text,
    }
}

/// What the path of the workflow means here, outside of the module; and whether it calls its properties what the coordinator does.
fn joined(coordinator: &Coordinator, workflow: &syn::Path) -> TokenStream {
    let (started, actions) = (started(coordinator), actions(coordinator));
    let places = places(coordinator);
    let checks = coordinator.passed.iter().map(|passed| {
        let (name, property) = (passed.name.to_string(), &passed.property);
        let field = name.strip_prefix("r#").unwrap_or(&name);
        let message = format!(
            "the parameter `{field}` of the workflow is not the property `{property}`: write `#[property(\"...\")]` before it here, as the workflow does"
        );
        quote_spanned! {passed.name.span()=>
            const _: () = ::core::assert!(
                ::hpdlc_flow::runtime::table::linked::is_property(#workflow::PROPERTIES, #field, #property),
                #message
            );
        }
    });
    quote! {
        #[doc(hidden)]
        static #started: &::hpdlc_flow::runtime::table::Program = &#workflow::PROGRAM;
        #[doc(hidden)]
        static #actions: ::hpdlc_flow::runtime::action::Actions = #workflow::ACTIONS;
        #[doc(hidden)]
        const #places: &[(&str, &str)] = #workflow::PLACES;
        #(#checks)*
    }
}

fn started(coordinator: &Coordinator) -> proc_macro2::Ident {
    format_ident!(
        "WORKFLOW_OF_{}",
        coordinator.name.to_string().to_uppercase()
    )
}

fn actions(coordinator: &Coordinator) -> proc_macro2::Ident {
    format_ident!("ACTIONS_OF_{}", coordinator.name.to_string().to_uppercase())
}

fn places(coordinator: &Coordinator) -> proc_macro2::Ident {
    format_ident!("PLACES_OF_{}", coordinator.name.to_string().to_uppercase())
}

/// The module of the coordinator, named like the function.
fn module_of(
    coordinator: &Coordinator,
    function: &ItemFn,
    embedded: &EmbeddedDocument,
    document: &str,
) -> TokenStream {
    let name = &coordinator.name;
    let visibility = &function.vis;
    let docs = module::docs(function);
    let params = module::params(&coordinator.parameters);
    let functions = module::functions();
    let program = module::through_flow(embedded.tokens.clone());
    let inputs = embedded
        .inputs
        .iter()
        .map(|path| path.display().to_string());
    let (started, actions) = (started(coordinator), actions(coordinator));
    let places = places(coordinator);
    let startable = module::startable();
    quote! {
        #(#docs)*
        #visibility mod #name {
            mod program {
                #program
                // rustc tracks a file only if the program includes it.
                const _: &[&[u8]] = &[#(::core::include_bytes!(#inputs)),*];
            }

            use ::hpdlc_flow::runtime::table::linked;

            const BOTH: &[&::hpdlc_flow::runtime::table::Program] = &[&program::PROGRAM, super::#started];
            static FILES: [::hpdlc_flow::runtime::table::File; linked::file_count(BOTH)] = linked::files(BOTH);
            static HASH: [u8; 16] = linked::hash(BOTH);

            /// The compiled coordinator, and its workflow.
            pub static PROGRAM: ::hpdlc_flow::runtime::table::Program =
                linked::coordinator(&program::PROGRAM, super::#started, &FILES, linked::text(&HASH));

            /// The document that was compiled.
            pub const XML: &str = #document;

            /// The own actions of its workflow, by the names that its document has for them.
            pub static ACTIONS: ::hpdlc_flow::runtime::action::Actions = super::#actions;

            /// Where they are.
            #[doc(hidden)]
            pub const PLACES: &[(&str, &str)] = super::#places;

            #params

            #startable

            #functions
        }
    }
}
