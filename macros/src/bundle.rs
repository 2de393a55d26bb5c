//! The expansion of `#[bundle]`: the program of the bundle, joined with those of its coordinators.

use std::path::PathBuf;

use hpdlc::{
    build::{self, DocumentKind},
    rust::{self, Bundle, Document, Offsets},
};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ItemFn;

use crate::{
    module::{self, Read},
    source::Source,
};

/// Expands to the module of the bundle, or to its mistakes; in both cases with what rustc checks in place of the function.
pub(crate) fn expand(
    arguments: TokenStream,
    item: TokenStream,
    source: Option<Source>,
) -> TokenStream {
    let function = match module::function("bundle", "a `fn`", &item) {
        Ok(function) => function,
        Err(error) => return error,
    };
    let bundle = rust::read_bundle(arguments, &function);
    let read = Read {
        what: "bundle",
        function: &function,
        mistakes: &bundle.mistakes,
        shadow: &bundle.shadow,
        is_shadow_inside: false,
        document: bundle.document.as_ref(),
        stub: &|is_left_to_rustc| module::stub(&function, &bundle.parameters, is_left_to_rustc),
    };
    let in_memory = |document: &Document, source: Source| in_memory(&bundle, document, source);
    module::expanded(&read, source, in_memory, |program, document| {
        let outside = outside(&bundle);
        let module = module_of(&bundle, &function, program, &document.text);
        quote!(#outside #module)
    })
}

fn in_memory(bundle: &Bundle, document: &Document, source: Source) -> build::Document {
    let offsets = Offsets::new(&source.text);
    let coordinators = bundle.coordinators.iter();
    build::Document {
        functions: Vec::new(),
        kind: DocumentKind::Bundle {
            coordinators: coordinators.map(|it| it.app_path.clone()).collect(),
        },
        pieces: module::pieces(document, &offsets),
        whole: offsets.range(&document.whole),
        text: document.text.clone(),
        files: None,
        config: bundle
            .config
            .as_ref()
            .map(|path| PathBuf::from(path.value())),
        package: source.package,
        path: source.path,
        source: source.text,
    }
}

/// The name of an item beside the module.
fn beside(bundle: &Bundle, what: &str) -> Ident {
    module::beside(what, &bundle.name)
}

/// What the paths of the coordinators mean here, outside of the module; and whether they call their properties what the bundle does.
fn outside(bundle: &Bundle) -> TokenStream {
    let (programs, actions) = (beside(bundle, "PROGRAMS"), beside(bundle, "ACTIONS"));
    let coordinators = bundle.coordinators.iter();
    let params: Vec<Ident> = coordinators
        .map(|it| rust::imported_params(&it.path, &bundle.name))
        .collect();
    let n_parts = params.len();
    let coordinators = bundle.coordinators.iter().zip(&params);
    let checks = coordinators.flat_map(|(coordinator, params)| {
        let passed = coordinator.passed.iter();
        passed.map(move |passed| module::passed_check(params, passed, "coordinator"))
    });
    let span = bundle.name.span();
    let functions = quote_spanned! {span=>
        const _: () = ::core::assert!(
            ::hpdlc_flow::runtime::table::linked::are_one(&[#(<#params as ::hpdlc_flow::Started>::PLACES),*]),
            "two own actions of the bundle's workflows have one name: call one of them by its path, `module::action(..)`"
        );
    };
    quote! {
        #[doc(hidden)]
        static #programs: [&::hpdlc_flow::runtime::table::Program; #n_parts] = [#(<#params as ::hpdlc_flow::Started>::PROGRAM),*];
        #[doc(hidden)]
        static #actions: [::hpdlc_flow::runtime::action::Actions; #n_parts] = [#(<#params as ::hpdlc_flow::Started>::ACTIONS),*];
        #(#checks)*
        #functions
    }
}

/// The module of a coordinator's program as a part of the bundle.
fn part(bundle: &Bundle, number: usize) -> TokenStream {
    let name = format_ident!("part_{number}");
    let folder = &bundle.coordinators[number].app_path;
    let programs = beside(bundle, "PROGRAMS");
    let before = (0..number).map(|other| quote!(super::super::#programs[#other]));
    quote! {
        mod #name {
            use ::hpdlc_flow::runtime::table::{App, Child, Coordinator, File, Program, linked};

            const FROM: &Program = super::super::#programs[#number];
            const BEFORE: usize = linked::app_count(&[#(#before),*]);
            static PATHS: [u8; linked::path_bytes(#folder, FROM)] = linked::paths(#folder, FROM);
            static FILES: [File; FROM.files.len()] = linked::moved_files(#folder, FROM, &PATHS);
            static APPS: [App; FROM.apps.len()] = linked::moved_apps(#folder, FROM, &PATHS);
            static REFERENCES: [&App; FROM.apps.len()] = linked::references(&APPS);
            static CHILDREN: [Child; FROM.children.len()] = linked::moved_children(FROM.children, BEFORE);
            static WORKFLOWS: [Child; linked::workflows(FROM).len()] =
                linked::moved_children(linked::workflows(FROM), BEFORE);
            static COORDINATOR: Coordinator = linked::moved_coordinator(FROM, #folder, &WORKFLOWS);
            pub static PROGRAM: Program = Program {
                apps: &REFERENCES,
                coordinators: &[&COORDINATOR],
                children: &CHILDREN,
                files: &FILES,
                ..*FROM
            };
        }
    }
}

/// The module of the bundle, named like the function.
fn module_of(
    bundle: &Bundle,
    function: &ItemFn,
    program: &TokenStream,
    document: &str,
) -> TokenStream {
    let name = &bundle.name;
    let visibility = &function.vis;
    let docs = module::docs(function);
    let started = module::started();
    let params = module::params(&bundle.parameters);
    let functions = module::functions();
    let n_parts = bundle.coordinators.len();
    let parts = (0..n_parts).map(|number| part(bundle, number));
    let names: Vec<Ident> = (0..n_parts)
        .map(|number| format_ident!("part_{number}"))
        .collect();
    let actions = beside(bundle, "ACTIONS");
    quote! {
        #(#docs)*
        #visibility mod #name {
            #program
            #(#parts)*

            use ::hpdlc_flow::runtime::{
                action::Action,
                table::{self, linked},
            };

            const ALL: &[&table::Program] = &[&program::PROGRAM, #(&#names::PROGRAM),*];
            const PARTS: &[&table::Program] = &[#(&#names::PROGRAM),*];
            static FILES: [table::File; linked::file_count(ALL)] = linked::files(ALL);
            static APPS: [&table::App; linked::app_count(ALL)] = linked::apps(ALL);
            static COORDINATORS: [&table::Coordinator; #n_parts] = linked::coordinators(PARTS);
            static CHILDREN: [table::Child; linked::child_count(ALL)] = linked::children(ALL);
            static HASH: [u8; 16] = linked::hash(ALL);
            const _: () = ::core::assert!(
                linked::are_distinct(&CHILDREN),
                "two workflows of the bundle start sub-workflows by one path: give the folder of one of them another name"
            );
            const LISTS: &[&[(&str, &Action)]] = &super::#actions;
            static FUNCTIONS: [(&str, &Action); linked::count(LISTS)] =
                linked::joined(LISTS, ("", ::hpdlc_flow::NO_ACTION));

            /// The compiled bundle, its coordinators, and their workflows.
            pub static PROGRAM: table::Program = table::Program {
                hash: linked::text(&HASH),
                apps: &APPS,
                coordinators: &COORDINATORS,
                children: &CHILDREN,
                files: &FILES,
                ..program::PROGRAM
            };

            /// The document that was compiled.
            pub const XML: &str = #document;

            /// Nothing contains a bundle.
            #[doc(hidden)]
            pub const PLACES: &[(&str, &str)] = &[];

            /// The own actions of its workflows, by the names that their documents have for them.
            pub static ACTIONS: ::hpdlc_flow::runtime::action::Actions = &FUNCTIONS;

            #params

            #started

            #functions
        }
    }
}
