//! The expansion of `#[coordinator]`: the program of the coordinator, joined with that of its workflow.

use std::path::PathBuf;

use hpdlc::{
    build::{self, DocumentKind},
    rust::{self, Coordinator, Document, Offsets},
};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::ItemFn;

use crate::{
    module::{self, Read},
    source::Source,
};

/// Expands to the module of the coordinator, or to its mistakes; in both cases with what rustc checks in place of the function.
pub(crate) fn expand(
    arguments: TokenStream,
    item: TokenStream,
    source: Option<Source>,
) -> TokenStream {
    let function = match module::function("coordinator", "a `fn`", &item) {
        Ok(function) => function,
        Err(error) => return error,
    };
    let coordinator = rust::read_coordinator(arguments, &function);
    let both = coordinator
        .document
        .as_ref()
        .zip(coordinator.workflow.as_ref());
    let stub = |is_left_to_rustc| {
        let stub = module::stub(&function, &coordinator.parameters, is_left_to_rustc);
        let startable = module::startable();
        let name = &coordinator.name;
        quote! {
            #stub
            const _: () = {
                use #name::Params;
                #startable
            };
        }
    };
    let read = Read {
        what: "coordinator",
        function: &function,
        mistakes: &coordinator.mistakes,
        shadow: &coordinator.shadow,
        is_shadow_inside: false,
        document: both.map(|(document, _)| document),
        stub: &stub,
    };
    let workflow = both.map(|(_, workflow)| workflow);
    let in_memory =
        |document: &Document, source: Source| in_memory(&coordinator, document, workflow, source);
    module::expanded(&read, source, in_memory, |program, document| {
        let joined = workflow.map(|workflow| joined(&coordinator, workflow));
        let module = module_of(&coordinator, &function, program, &document.text);
        quote!(#joined #module)
    })
}

fn in_memory(
    coordinator: &Coordinator,
    document: &Document,
    workflow: Option<&syn::Path>,
    source: Source,
) -> build::Document {
    let offsets = Offsets::new(&source.text);
    build::Document {
        functions: Vec::new(),
        kind: DocumentKind::Coordinator {
            workflow: workflow.map(rust::app_path).unwrap_or_default(),
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
    let (program, actions) = (program(coordinator), actions(coordinator));
    let places = places(coordinator);
    let params = &rust::imported_params(workflow, &coordinator.name);
    let is_workflow = module::workflow_check(
        params,
        "a coordinator starts a workflow, and this is another coordinator or a bundle: name the workflow that it starts",
    );
    let checks = coordinator.passed.iter();
    let checks = checks.map(|passed| module::passed_check(params, passed, "workflow"));
    quote! {
        #[doc(hidden)]
        static #program: &::hpdlc_flow::runtime::table::Program = <#params as ::hpdlc_flow::Started>::PROGRAM;
        #[doc(hidden)]
        static #actions: ::hpdlc_flow::runtime::action::Actions = <#params as ::hpdlc_flow::Started>::ACTIONS;
        #[doc(hidden)]
        const #places: &[(&str, &str)] = <#params as ::hpdlc_flow::Started>::PLACES;
        #is_workflow
        #(#checks)*
    }
}

fn program(coordinator: &Coordinator) -> Ident {
    module::beside("WORKFLOW", &coordinator.name)
}

fn actions(coordinator: &Coordinator) -> Ident {
    module::beside("ACTIONS", &coordinator.name)
}

fn places(coordinator: &Coordinator) -> Ident {
    module::beside("PLACES", &coordinator.name)
}

/// The module of the coordinator, named like the function.
fn module_of(
    coordinator: &Coordinator,
    function: &ItemFn,
    program: &TokenStream,
    document: &str,
) -> TokenStream {
    let name = &coordinator.name;
    let visibility = &function.vis;
    let docs = module::docs(function);
    let started = module::started();
    let params = module::params(&coordinator.parameters);
    let functions = module::functions();
    let (workflow, actions) = (self::program(coordinator), actions(coordinator));
    let places = places(coordinator);
    let startable = module::startable();
    quote! {
        #(#docs)*
        #visibility mod #name {
            #program

            use ::hpdlc_flow::runtime::table::linked;

            const BOTH: &[&::hpdlc_flow::runtime::table::Program] = &[&program::PROGRAM, super::#workflow];
            static FILES: [::hpdlc_flow::runtime::table::File; linked::file_count(BOTH)] = linked::files(BOTH);
            static HASH: [u8; 16] = linked::hash(BOTH);

            /// The compiled coordinator, and its workflow.
            pub static PROGRAM: ::hpdlc_flow::runtime::table::Program =
                linked::coordinator(&program::PROGRAM, super::#workflow, &FILES, linked::text(&HASH));

            /// The document that was compiled.
            pub const XML: &str = #document;

            /// The own actions of its workflow, by the names that its document has for them.
            pub static ACTIONS: ::hpdlc_flow::runtime::action::Actions = super::#actions;

            /// Where they are.
            #[doc(hidden)]
            pub const PLACES: &[(&str, &str)] = super::#places;

            #params

            #started

            #startable

            #functions
        }
    }
}
