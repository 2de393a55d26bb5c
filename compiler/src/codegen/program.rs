//! The module of a whole program: its public functions, and the table for the runtime.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::{
    codegen::{
        Application, EmbeddedFile, FilePaths, Interface, Options, application, coordinator,
        imports,
        module::Module,
        names::{self, Namer},
        params,
    },
    model::Template,
};

/// The name of the program's module. An embedding crate sees its `pub` items.
pub(crate) const MODULE: &str = "workflow";

/// The folder in a generated crate that contains the files of the applications.
pub(crate) const FILES_FOLDER: &str = "app";

/// The module and its submodules.
pub(crate) fn module(
    application: &Application<'_>,
    options: &Options,
    prefix: TokenStream,
) -> Module {
    let mut namer = Namer::with_reserved(&[&["files"], &imports::taken()[..]].concat());
    let mut claim = |name: &Template, source: &str, otherwise: &str| {
        let name = namer.claim(&described_name(name, source), otherwise);
        name.snake_ident().to_string()
    };
    let bundle = application.bundle.as_ref().map(|bundle| {
        let name = claim(&bundle.app.name, bundle.source, "bundle");
        coordinator::bundle_module(application.sources, bundle, name)
    });
    let coordinators: Vec<Module> = application
        .coordinators
        .iter()
        .map(|compiled| {
            let name = claim(&compiled.app.name, compiled.source, "coordinator");
            coordinator::module(application.sources, compiled, name)
        })
        .collect();
    let apps: Vec<Module> = application
        .apps
        .iter()
        .map(|compiled| {
            let name = claim(&compiled.app.name, compiled.source, "app");
            application::module(application.sources, compiled, name)
        })
        .collect();
    let program = program_static(application, bundle.as_ref(), &coordinators, &apps);
    let mut children: Vec<Module> = bundle.into_iter().chain(coordinators).chain(apps).collect();
    if application.has_files() {
        children.push(files_module(application, options));
    }
    let (run, params) = match options.interface {
        Interface::CommandLine => (None, None),
        Interface::Library => {
            let properties = application.properties();
            let params =
                params::params_struct(application.sources, application.source(), &properties);
            (Some(run_fns()), Some(params))
        }
    };
    let items = quote! {
        #program

        #run

        /// Does what the arguments of this process ask for: `run`, `submit`, `info` and the others.
        pub fn command_line(runtime: &Runtime) -> ::std::process::ExitCode {
            runtime.command_line(&PROGRAM)
        }

        #params
    };
    let imported = imports::of(&items);
    Module::new(MODULE.to_owned(), prefix, children, items, imported)
}

/// The functions by which a Rust program runs jobs.
fn run_fns() -> TokenStream {
    quote! {
        /// Runs a new job to its end.
        ///
        /// # Errors
        ///
        /// The job could not be run, or not be followed to its end. A job that was killed or has failed is a result.
        pub fn run(runtime: &Runtime, params: Params) -> Result<Finished, RunError> {
            runtime.run(&PROGRAM, params.properties())
        }

        /// Recovers the jobs whose process has died, and drives them until none of them runs.
        ///
        /// # Errors
        ///
        /// The store or the machine fails.
        pub fn recover(runtime: &Runtime) -> Result<Vec<Finished>, RunError> {
            runtime.recover(&PROGRAM)
        }
    }
}

/// The name that an application's module is derived from: the application's name if it has no expressions, otherwise the
/// folder of its file.
fn described_name(name: &Template, source: &str) -> String {
    match name.literal() {
        Some(name) => name.to_owned(),
        None => source
            .rsplit(['/', '\\'])
            .nth(1)
            .unwrap_or_default()
            .to_owned(),
    }
}

fn program_static(
    application: &Application<'_>,
    bundle: Option<&Module>,
    coordinators: &[Module],
    apps: &[Module],
) -> TokenStream {
    let Application {
        hpdlc_version,
        hash,
        children,
        ..
    } = application;
    let entry = match bundle {
        Some(bundle) => {
            let name = names::ident(&bundle.name);
            quote!(Entry::Bundle(&#name::BUNDLE))
        }
        None if coordinators.is_empty() => quote!(Entry::Workflow),
        None => quote!(Entry::Coordinator),
    };
    let coordinators = coordinators.iter().map(|module| {
        let name = names::ident(&module.name);
        quote!(&#name::COORDINATOR)
    });
    let apps = apps.iter().map(|module| {
        let name = names::ident(&module.name);
        quote!(&#name::APP)
    });
    let children = children.iter().map(coordinator::child_expr);
    let files = if application.has_files() {
        quote!(&files::FILES)
    } else {
        quote!(&[])
    };
    quote! {
        /// The compiled program: graph, expressions and files.
        pub static PROGRAM: Program = Program {
            hpdlc_version: #hpdlc_version,
            hash: #hash,
            entry: #entry,
            apps: &[#(#apps),*],
            coordinators: &[#(#coordinators),*],
            children: &[#(#children),*],
            files: #files,
        };
    }
}

/// `include_bytes!` resolves a path relative to the file that contains it, which is `src/workflow/files.rs` in a crate.
fn files_module(application: &Application<'_>, options: &Options) -> Module {
    let texts = application.texts.iter().map(|(path, text)| {
        let bytes = Literal::byte_string(text.as_bytes());
        quote!(File { path: #path, bytes: #bytes, is_executable: false })
    });
    let files = application.files.iter().map(|file| {
        let EmbeddedFile {
            path,
            source,
            is_executable,
        } = file;
        let include = match options.files {
            FilePaths::Beside => format!("../../{FILES_FOLDER}/{path}"),
            FilePaths::Absolute => source.display().to_string(),
        };
        quote! {
            File { path: #path, bytes: include_bytes!(#include), is_executable: #is_executable }
        }
    });
    let n_files = Literal::usize_unsuffixed(files.len() + texts.len());
    let items = quote! {
        pub(super) static FILES: [File; #n_files] = [#(#texts,)* #(#files),*];
    };
    let imported = imports::of(&items);
    let prefix = quote!(#[doc = " The files of the application."]);
    Module::new("files".to_owned(), prefix, Vec::new(), items, imported)
}

#[cfg(test)]
mod tests {
    use crate::{
        analysis, codegen::imports, codegen::testing, diagnostics::Sink, lower, source::SourceMap,
        syntax::xml,
    };

    #[test]
    fn no_application_is_called_like_what_is_imported() {
        assert!(imports::taken().contains(&"functions"));
        for name in imports::taken() {
            let text = format!(
                "<workflow-app name=\"{name}\" xmlns=\"uri:oozie:workflow:1.0\"><start to=\"end\"/><end name=\"end\"/></workflow-app>"
            );
            let mut sources = SourceMap::default();
            let mut sink = Sink::default();
            let file = sources.add("workflow.xml".to_owned(), text.clone());
            let document = xml::parse(file, &text, &mut sink).expect("it parses");
            let app = lower::workflow(&document, None, &mut sink).expect("it is a workflow");
            let facts = analysis::workflow(&app, &analysis::JobProperties::default(), &mut sink);
            let rust = testing::inline_program(&sources, &app, &facts);
            assert!(rust.contains(&format!("mod {name}_2 {{")), "{rust}");
        }
    }
}
