//! The last pure room: generates the Rust code that runs a checked application.
//!
//! Generation cannot fail: earlier rooms report all errors, and an application with errors does not reach this room. All
//! Rust is generated as tokens, so that one generator serves a crate on disk, a file in `OUT_DIR` and the expansion of a
//! macro; [`manifest`] fills in templates for files that are not Rust.
//!
//! The modules document the structure of the generated code and its reasons: one array of nodes per file and one row per
//! node ([`application`]), the assignment of nodes to files ([`partition`]), templates as data or as functions
//! ([`template`]).

mod action;
mod application;
mod context;
mod coordinator;
#[cfg(feature = "cli")]
pub mod deployment;
mod document;
mod expression;
mod fingerprint;
mod format;
mod functions;
#[cfg(feature = "cli")]
pub mod graph;
mod imports;
mod input;
mod krate;
mod layout;
#[cfg(feature = "cli")]
pub mod manifest;
mod module;
mod names;
mod node;
mod own_functions;
mod params;
mod partition;
mod program;
mod property_names;
#[cfg(feature = "cli")]
pub mod report;
mod sla;
mod template;
#[cfg(test)]
mod testing;
mod text;

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

pub use self::{
    input::{
        Application, ChildUri, CompiledApp, CompiledBundle, CompiledCoordinator, EmbeddedFile,
    },
    krate::{GeneratedCrate, GeneratedFile},
};

/// Choices of the entry point.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub files: FilePaths,
    pub interface: Interface,
}

/// The Rust API of a generated program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    /// Only what `main` calls: for an executable, whose code no other crate calls.
    CommandLine,
    /// Also `Params`, `run` and `recover`.
    Library,
}

/// Where `include_bytes!` finds the embedded files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePaths {
    /// In the crate itself, below `app/`.
    Beside,
    /// At the absolute paths that they were read from.
    Absolute,
}

/// The stand-alone crate of an application, without its manifest.
///
/// With [`FilePaths::Beside`], the embedded files must be copied into it.
pub fn generate(application: &Application<'_>, options: &Options) -> GeneratedCrate {
    let source = application.source();
    let mut files = BTreeMap::new();
    let module = program::module(
        application,
        options,
        quote!(#[allow(clippy::all, dead_code)]),
    );
    let main = main_file(&module, source, init(application));
    files.insert("src/main.rs".to_owned(), main);
    let header = format!("// Compiled by hpdlc from `{}`.\n", one_line(source));
    module.into_files("src/", &header, &mut files);
    let copies = match options.files {
        FilePaths::Beside => application
            .files
            .iter()
            .map(|file| {
                (
                    format!("{}/{}", program::FILES_FOLDER, file.path),
                    file.source.clone(),
                )
            })
            .collect(),
        FilePaths::Absolute => BTreeMap::new(),
    };
    GeneratedCrate { files, copies }
}

/// The same program as items for a module of another crate: the expansion of the macros and the content of the file in `OUT_DIR`.
pub fn generate_inline(application: &Application<'_>, options: &Options) -> TokenStream {
    let allow = quote! {
        #[allow(
            clippy::all,
            clippy::pedantic,
            clippy::nursery,
            clippy::restriction,
            dead_code,
            missing_copy_implementations,
            missing_debug_implementations,
            missing_docs,
            unreachable_pub,
            unused_doc_comments,
            unused_qualifications,
        )]
    };
    let workflow = program::module(application, options, allow).inline();
    let module = names::ident(program::MODULE);
    let properties = params::properties_of_fields(&application.properties());
    quote! {
        #workflow
        #[allow(unreachable_pub, unused_imports)]
        pub use self::#module::{PROGRAM, Params, command_line, recover, run};

        // What a function with `#[workflow]` or `#[coordinator]` asks of a workflow that it starts.
        #[doc(hidden)]
        #[allow(dead_code, unreachable_pub)]
        pub const PROPERTIES: &[(&str, &str)] = #properties;
        #[doc(hidden)]
        #[allow(dead_code, unreachable_pub)]
        pub static ACTIONS: ::hpdlc_runtime::action::Actions = &[];
        #[doc(hidden)]
        #[allow(dead_code, unreachable_pub)]
        pub const PLACES: &[(&str, &str)] = &[];
    }
}

/// The file in `OUT_DIR` with the tokens of [`generate_inline`], compiled from the document at `source`.
pub fn inline_file(source: &str, tokens: TokenStream) -> GeneratedFile {
    let header = format!("// Compiled by hpdlc from `{}`.\n", one_line(source));
    new_file(header, tokens)
}

fn main_file(module: &module::Module, source: &str, init: TokenStream) -> GeneratedFile {
    let header = format!(
        "//! The workflow of `{}`, compiled by hpdlc.\n",
        one_line(source)
    );
    let declaration = module.declaration();
    let name = names::ident(&module.name);
    let tokens = quote! {
        use std::process::ExitCode;

        #declaration

        fn main() -> ExitCode {
            let runtime = #init;
            #name::command_line(&runtime)
        }
    };
    new_file(header, tokens)
}

/// Names only the parts of the runtime that the program needs; the others are not linked.
fn init(application: &Application<'_>) -> TokenStream {
    let parts = [
        (application.sends_mail(), quote!(.with_mail())),
        (application.sends_requests(), quote!(.with_requests())),
        (application.is_scheduled(), quote!(.with_scheduler())),
    ];
    let parts = parts.into_iter().filter(|(is_needed, _)| *is_needed);
    let parts = parts.map(|(_, part)| part);
    let extensions = application.extensions();
    let extensions = extensions.iter().map(|name| names::ident(name));
    let extensions: Vec<_> = extensions.map(|name| quote!(&::#name::EXTENSION)).collect();
    let extensions = match extensions.as_slice() {
        [] => None,
        extensions => Some(quote!(.with_extensions(const { &[#(#extensions),*] }))),
    };
    quote!(hpdlc_runtime::init_with(hpdlc_runtime::Parts::NONE #(#parts)* #extensions))
}

fn new_file(header: String, tokens: TokenStream) -> GeneratedFile {
    let scan = fingerprint::scan(&tokens, &[]);
    let fingerprint = fingerprint::with_text(scan.fingerprint, &header);
    GeneratedFile::new(header, tokens, fingerprint)
}

/// Replaces control characters, for comments and table rows, which a line break would end.
fn one_line(text: &str) -> String {
    text.replace(|character: char| character.is_control(), " ")
}
