//! The expansion of `#[workflow]`, on tokens that exist outside rustc too, so that it is tested as a function.

use std::path::PathBuf;

use hpdlc::{
    build::{self, DocumentKind, OwnFunction},
    rust::{self, Document, Offsets, Workflow},
};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{ItemFn, LitStr};

use crate::{
    children,
    module::{self, Read},
    source::Source,
};

/// Expands to the module of the workflow, or to its mistakes; in both cases with what rustc checks in place of the function.
pub(crate) fn expand(
    arguments: TokenStream,
    item: TokenStream,
    source: Option<Source>,
) -> TokenStream {
    let function = match module::function("workflow", "an `async fn`", &item) {
        Ok(function) => function,
        Err(error) => return error,
    };
    let workflow = rust::read(arguments, &function);
    let read = Read {
        what: "workflow",
        function: &function,
        mistakes: &workflow.mistakes,
        shadow: &workflow.shadow,
        is_shadow_inside: !workflow.functions.is_empty(),
        document: workflow.document.as_ref(),
        stub: &|is_left_to_rustc| module::stub(&function, &workflow.parameters, is_left_to_rustc),
    };
    let in_memory = |document: &Document, source: Source| {
        let offsets = Offsets::new(&source.text);
        build::Document {
            kind: DocumentKind::Workflow {
                children: workflow
                    .children
                    .iter()
                    .map(|it| it.folder.clone())
                    .collect(),
            },
            package: source.package,
            path: source.path,
            pieces: module::pieces(document, &offsets),
            whole: offsets.range(&document.whole),
            text: document.text.clone(),
            files: workflow.settings.files.as_ref().map(path_of),
            config: workflow.settings.config.as_ref().map(path_of),
            functions: own_functions(&workflow),
            source: source.text,
        }
    };
    module::expanded(&read, source, in_memory, |program, document| {
        module_of(&workflow, &function, program, &document.text)
    })
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
            described: None,
        })
        .collect()
}

fn list_of_functions(workflow: &Workflow) -> Ident {
    module::beside("FUNCTIONS", &workflow.name)
}

/// The module of the workflow, named like the function.
fn module_of(
    workflow: &Workflow,
    function: &ItemFn,
    program: &TokenStream,
    document: &str,
) -> TokenStream {
    let Workflow { name, .. } = workflow;
    let visibility = &function.vis;
    let docs = module::docs(function);
    let started = module::started();
    let params = module::params(&workflow.parameters);
    let functions = module::functions();
    let list = module::beside("ACTIONS", name);
    let outlined = outlined(workflow);
    let lists = children::lists(workflow);
    let places = module::beside("PLACES", name);
    let whole = children::program(workflow);
    quote! {
        #lists

        #outlined

        #(#docs)*
        #visibility mod #name {
            #program

            #whole

            /// The document that was compiled.
            pub const XML: &str = #document;

            /// The own actions that it and its sub-workflows call, by the names that the document has for them.
            pub static ACTIONS: ::hpdlc_flow::runtime::action::Actions = &super::#list;

            /// Where they are.
            #[doc(hidden)]
            pub const PLACES: &[(&str, &str)] = super::#places;

            #params

            #started

            #functions
        }
    }
}

/// The functions that were made of expressions, where these name what they name in the workflow, in one item with what rustc checks.
fn outlined(workflow: &Workflow) -> Option<TokenStream> {
    let n_functions = workflow.functions.len();
    if n_functions == 0 {
        return None;
    }
    let list = list_of_functions(workflow);
    let functions = workflow.functions.iter().map(|function| &function.tokens);
    let shadow = workflow.shadow.statement();
    Some(quote! {
        #[doc(hidden)]
        static #list: [::hpdlc_flow::runtime::function::Function; #n_functions] = {
            #shadow
            #[allow(unused, clippy::all, clippy::pedantic)]
            let functions = [#(#functions),*];
            functions
        };
    })
}

fn path_of(setting: &LitStr) -> PathBuf {
    PathBuf::from(setting.value())
}
