//! The expansion of `#[workflow]`, on tokens that exist outside rustc too, so that it is tested as a function.

use std::path::PathBuf;

use hpdlc::{
    build::{self, DocumentKind, EmbeddedDocument, OwnFunction},
    rust::{self, Offsets, Workflow},
};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{ItemFn, LitStr, ext::IdentExt};

use crate::{module, source::Source};

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
        let errors = module::mistakes(&workflow.mistakes);
        let shadow = module::shadow_after(&workflow.mistakes, shadow);
        let stub = stub(&function, &workflow);
        return quote!(#errors #shadow #stub);
    };
    let Some(source) = source else {
        let message = "the file of this workflow is not known: it cannot be made by another macro";
        let error = syn::Error::new(function.sig.ident.span(), message).into_compile_error();
        let stub = stub(&function, &workflow);
        return quote!(#error #shadow #stub);
    };
    let offsets = Offsets::new(&source.text);
    let in_memory = build::Document {
        kind: DocumentKind::Workflow,
        package: source.package,
        path: source.path,
        pieces: module::pieces(document, &offsets),
        whole: offsets.range(&document.whole),
        text: document.text.clone(),
        files: workflow.settings.files.as_ref().map(path_of),
        config: workflow.settings.config.as_ref().map(path_of),
        functions: own_functions(&workflow),
        source: source.text,
    };
    match build::embed_document(&in_memory) {
        Ok(embedded) => {
            let warnings = module::messages(&embedded.messages, document);
            let module = module_of(&workflow, &function, &embedded, &document.text);
            quote!(#warnings #shadow #module)
        }
        Err(found) => {
            let errors = module::messages(&found, document);
            let stub = stub(&function, &workflow);
            quote!(#errors #shadow #stub)
        }
    }
}

/// The functions that were made of expressions: from the module `program` in that of the workflow, they are two modules up.
fn own_functions(workflow: &Workflow) -> Vec<OwnFunction> {
    let list = list_of_functions(workflow);
    let functions = workflow.functions.iter().enumerate();
    functions
        .map(|(n, function)| OwnFunction {
            prefix: workflow.prefix.clone(),
            name: function.name.clone(),
            n_arguments: function.n_arguments,
            path: format!("super::super::{list}[{n}]"),
        })
        .collect()
}

fn list_of_functions(workflow: &Workflow) -> Ident {
    format_ident!(
        "FUNCTIONS_OF_{}",
        workflow.name.unraw().to_string().to_uppercase()
    )
}

/// The module of the workflow, named like the function.
fn module_of(
    workflow: &Workflow,
    function: &ItemFn,
    embedded: &EmbeddedDocument,
    document: &str,
) -> TokenStream {
    let Workflow { name, .. } = workflow;
    let visibility = &function.vis;
    let docs = module::docs(function);
    let params = module::params(&workflow.parameters);
    let functions = module::functions();
    let program = module::through_flow(embedded.tokens.clone());
    let inputs = embedded
        .inputs
        .iter()
        .map(|path| path.display().to_string());
    let list = format_ident!("ACTIONS_OF_{}", name.unraw().to_string().to_uppercase());
    let outlined = outlined(workflow);
    let actions = workflow.own_actions.iter().map(|action| {
        let (function, path) = (&action.function, &action.path);
        quote!((#function, &#path::ACTION))
    });
    let n_actions = workflow.own_actions.len();
    let places = format_ident!("PLACES_OF_{}", name.unraw().to_string().to_uppercase());
    let own_places = workflow.own_actions.iter().map(|action| {
        let (function, path) = (&action.function, &action.path);
        quote!((#function, #path::PLACE))
    });
    quote! {
        #[doc(hidden)]
        static #list: [(&str, &::hpdlc_flow::runtime::action::Action); #n_actions] = [#(#actions),*];
        #[doc(hidden)]
        const #places: &[(&str, &str)] = &[#(#own_places),*];

        #outlined

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

            /// Where they are.
            #[doc(hidden)]
            pub const PLACES: &[(&str, &str)] = super::#places;

            #params

            #functions
        }
    }
}

fn stub(function: &ItemFn, workflow: &Workflow) -> TokenStream {
    let is_left_to_rustc = workflow.document.is_none() && workflow.mistakes.is_empty();
    module::stub(function, &workflow.parameters, is_left_to_rustc)
}

/// The functions that were made of expressions, where these name what they name in the workflow.
fn outlined(workflow: &Workflow) -> Option<TokenStream> {
    let n_functions = workflow.functions.len();
    if n_functions == 0 {
        return None;
    }
    let list = list_of_functions(workflow);
    let functions = workflow.functions.iter().map(|function| &function.tokens);
    Some(quote! {
        #[doc(hidden)]
        #[allow(unused, clippy::all, clippy::pedantic)]
        static #list: [::hpdlc_flow::runtime::function::Function; #n_functions] = [#(#functions),*];
    })
}

fn path_of(setting: &LitStr) -> PathBuf {
    PathBuf::from(setting.value())
}
