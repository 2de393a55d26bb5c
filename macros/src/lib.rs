//! Oozie workflows inside Rust programs: `include_workflow!` for XML, `#[workflow]` for Rust.
//!
//! The crate is thin: tokens in, [`hpdlc::build::embed`] or [`hpdlc::rust::read`], tokens out. The build script of [`hpdlc::build::compile`] goes through
//! the same function, so both give the same program and the same error messages.

mod include_workflow;
mod warning;
mod workflow;

use std::{
    env,
    path::{Path, PathBuf},
};

/// Compiles the workflow application at a path and expands to it in place.
///
/// The path is a string literal: a folder with a `workflow.xml`, or the XML file itself. A relative one starts at
/// `CARGO_MANIFEST_DIR`, the folder of the package's `Cargo.toml`; an absolute one is taken as it is.
///
/// ```text
/// mod daily {
///     hpdlc_macros::include_workflow!("workflows/daily");
/// }
///
/// fn main() -> Result<(), hpdlc_runtime::RunError> {
///     let runtime = hpdlc_runtime::init(); // must come first
///     let finished = daily::run(&runtime, daily::Params { input: "/data/today".to_owned(), limit: None })?;
///     println!("{} {}", finished.id, finished.status);
///     Ok(())
/// }
/// ```
///
/// The enclosing module gets
///
/// - `Params`: the properties of a job, each with the type that the workflow's expressions ask for; one with a default
///   is an `Option`, and if all have one, `Params::default()` exists;
/// - `run`: a new job, to its end; `recover`: the jobs whose process has died;
/// - `command_line`: the whole command line of an executable made by `hpdlc build`;
/// - `PROGRAM`: the compiled workflow, for the methods of `hpdlc_runtime::Runtime`.
///
/// It belongs at the level of a module, not inside a function, and the package needs `hpdlc-runtime` among its
/// dependencies. A `mod` of its own keeps two workflows apart.
///
/// # Mistakes
///
/// Each error of the application is an error of rustc, with the code and the text of `hpdlc check`. rustc can only point at Rust,
/// so file, line and column of the XML begin the message, and the XML itself is shown below it. A lint is a warning of rustc,
/// through a deprecated constant: `#[allow(deprecated)]` on the `mod` silences them.
///
/// # When it is compiled again
///
/// A change to any file that was read or embedded recompiles the program. rustc cannot watch a folder: a *new* file is found only
/// when another file changes. If that matters, use the build script of `hpdlc::build::compile`, or one that prints
/// `cargo:rerun-if-changed=` with the folder.
#[proc_macro]
pub fn include_workflow(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let package_folder = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    include_workflow::expand(input.into(), package_folder.as_deref()).into()
}

/// Reads an `async fn` as a workflow; `hpdlc_flow` has what its body calls, and says what it means.
#[proc_macro_attribute]
pub fn workflow(
    arguments: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let source = package.and_then(|package| source_of_call(&package));
    workflow::expand(arguments.into(), item.into(), source).into()
}

/// The file that the macro is called in.
fn source_of_call(package: &Path) -> Option<workflow::Source> {
    let file = proc_macro::Span::call_site().local_file()?;
    let file = std::path::absolute(file).ok()?;
    Some(workflow::Source {
        text: std::fs::read_to_string(&file).ok()?,
        path: file.strip_prefix(package).unwrap_or(&file).to_owned(),
        package: package.to_owned(),
    })
}
