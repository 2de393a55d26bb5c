//! The workflows of a program that another one runs as sub-workflows: their programs become parts of its program.

use hpdlc::rust::{ChildWorkflow, OwnAction, Workflow, imported_params};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use crate::module;

/// The name of an item beside the module.
fn beside(workflow: &Workflow, what: &str) -> Ident {
    module::beside(what, &workflow.name)
}

/// The lists of own actions and of their places, beside the module: those of the workflow, and of those that it runs.
pub(crate) fn lists(workflow: &Workflow) -> TokenStream {
    let (list, places) = (beside(workflow, "ACTIONS"), beside(workflow, "PLACES"));
    let own = workflow.own_actions.iter();
    let own_actions = own
        .clone()
        .map(|OwnAction { function, path }| quote!((#function, &#path::ACTION)));
    let own_places = own.map(|OwnAction { function, path }| quote!((#function, #path::PLACE)));
    if workflow.children.is_empty() {
        let n_actions = workflow.own_actions.len();
        return quote! {
            #[doc(hidden)]
            static #list: [(&str, &::hpdlc_flow::runtime::action::Action); #n_actions] = [#(#own_actions),*];
            #[doc(hidden)]
            const #places: &[(&str, &str)] = &[#(#own_places),*];
        };
    }
    let (lists, place_lists) = (beside(workflow, "LISTS"), beside(workflow, "PLACE_LISTS"));
    let programs = beside(workflow, "PROGRAMS");
    let children = workflow.children.iter();
    let params: Vec<Ident> = children
        .map(|it| imported_params(&it.path, &workflow.name))
        .collect();
    let (n_children, n_lists) = (params.len(), params.len() + 1);
    let children = workflow.children.iter().zip(&params);
    let checks = children.map(|(child, params)| checks(child, params));
    let span = workflow.name.span();
    let are_one = quote_spanned! {span=>
        const _: () = ::core::assert!(
            ::hpdlc_flow::runtime::table::linked::are_one(#place_lists),
            "two own actions of this workflow and of those that it runs have one name: call one of them by its path, `module::action(..)`"
        );
    };
    quote! {
        #[doc(hidden)]
        static #programs: [&::hpdlc_flow::runtime::table::Program; #n_children] = [#(<#params as ::hpdlc_flow::Started>::PROGRAM),*];
        #[doc(hidden)]
        static #lists: [::hpdlc_flow::runtime::action::Actions; #n_lists] = [&[#(#own_actions),*], #(<#params as ::hpdlc_flow::Started>::ACTIONS),*];
        #[doc(hidden)]
        static #list: [
            (&str, &::hpdlc_flow::runtime::action::Action);
            ::hpdlc_flow::runtime::table::linked::count(&#lists)
        ] = ::hpdlc_flow::runtime::table::linked::joined(&#lists, ("", ::hpdlc_flow::NO_ACTION));
        #[doc(hidden)]
        const #place_lists: &[&[(&str, &str)]] = &[&[#(#own_places),*], #(<#params as ::hpdlc_flow::Started>::PLACES),*];
        #[doc(hidden)]
        const #places: &[(&str, &str)] = &::hpdlc_flow::runtime::table::linked::joined::<
            (&str, &str),
            { ::hpdlc_flow::runtime::table::linked::count(#place_lists) },
        >(#place_lists, ("", ""));
        #(#checks)*
        #are_one
    }
}

/// Whether the other one is a workflow, and calls its properties what this one does.
fn checks(child: &ChildWorkflow, params: &Ident) -> TokenStream {
    let is_workflow = module::workflow_check(
        params,
        "a workflow runs workflows, and this is a coordinator or a bundle: name the workflow that it starts",
    );
    let checks = child
        .passed
        .iter()
        .map(|passed| module::passed_check(params, passed, "workflow"));
    quote!(#is_workflow #(#checks)*)
}

/// The program, inside of the module: with those of the workflows that it runs.
pub(crate) fn program(workflow: &Workflow) -> TokenStream {
    let n_parts = workflow.children.len();
    if n_parts == 0 {
        return quote!(
            pub use self::program::PROGRAM;
        );
    }
    let parts = (0..n_parts).map(|number| part(workflow, number));
    let names: Vec<Ident> = (0..n_parts).map(part_name).collect();
    let span = workflow.children.first().map(|it| it.path.span());
    let span = span.unwrap_or_else(|| workflow.name.span());
    let are_distinct = quote_spanned! {span=>
        const _: () = ::core::assert!(
            ::hpdlc_flow::runtime::table::linked::are_distinct(&CHILDREN),
            "two sub-workflows have one path: give the folder of one of them another name"
        );
    };
    quote! {
        #(#parts)*

        use ::hpdlc_flow::runtime::table::{self, linked};

        const ALL: &[&table::Program] = &[&program::PROGRAM, #(&#names::PROGRAM),*];
        static FILES: [table::File; linked::file_count(ALL)] = linked::files(ALL);
        static APPS: [&table::App; linked::app_count(ALL)] = linked::apps(ALL);
        static CHILDREN: [table::Child; linked::child_count(ALL)] = linked::children(ALL);
        static HASH: [u8; 16] = linked::hash(ALL);
        #are_distinct

        /// The compiled workflow, with those that it runs.
        pub static PROGRAM: table::Program = table::Program {
            hash: linked::text(&HASH),
            apps: &APPS,
            children: &CHILDREN,
            files: &FILES,
            ..program::PROGRAM
        };
    }
}

fn part_name(number: usize) -> Ident {
    format_ident!("part_{number}")
}

/// The module of a program as a part of the other one.
fn part(workflow: &Workflow, number: usize) -> TokenStream {
    let name = part_name(number);
    let folder = &workflow.children[number].folder;
    let programs = beside(workflow, "PROGRAMS");
    let before = (0..number).map(|other| quote!(super::super::#programs[#other]));
    quote! {
        mod #name {
            use ::hpdlc_flow::runtime::table::{App, Child, File, Program, linked};

            const FROM: &Program = super::super::#programs[#number];
            const BEFORE: usize = linked::app_count(&[&super::program::PROGRAM, #(#before),*]);
            static PATHS: [u8; linked::path_bytes(#folder, FROM)] = linked::paths(#folder, FROM);
            static FILES: [File; FROM.files.len()] = linked::moved_files(#folder, FROM, &PATHS);
            static APPS: [App; FROM.apps.len()] = linked::moved_apps(#folder, FROM, &PATHS);
            static REFERENCES: [&App; FROM.apps.len()] = linked::references(&APPS);
            static URIS: [u8; linked::uri_bytes(#folder, FROM)] = linked::uris(#folder, FROM);
            static CHILDREN: [Child; FROM.children.len() + 1] =
                linked::sub_workflows(#folder, FROM, BEFORE, &URIS);
            pub static PROGRAM: Program = Program {
                apps: &REFERENCES,
                children: &CHILDREN,
                files: &FILES,
                ..*FROM
            };
        }
    }
}
