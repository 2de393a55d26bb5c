//! Oozie workflows inside Rust programs: `include_workflow!` for XML, `#[workflow]` for Rust.
//!
//! The crate is thin: tokens in, [`hpdlc::build::embed`] or [`hpdlc::rust::read`], tokens out. The build script of [`hpdlc::build::compile`] goes through
//! the same function, so both give the same program and the same error messages.

mod action;
mod action_type;
mod bridge;
mod bundle;
mod children;
mod coordinator;
mod data;
mod extension;
mod function;
mod include_workflow;
mod item;
mod kind;
mod mistakes;
mod module;
mod paths;
mod source;
mod summary;
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
    let _expansion = bridge::expansion();
    let package_folder = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let through = include_workflow::Through::Runtime;
    include_workflow::expand(input.into(), package_folder.as_deref(), through).into()
}

/// `hpdlc_flow::include_workflow!`: as [`include_workflow!`], for a program that depends on `hpdlc-flow` alone.
#[proc_macro]
pub fn include_workflow_of_flow(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let _expansion = bridge::expansion();
    let package_folder = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let through = include_workflow::Through::Flow;
    include_workflow::expand(input.into(), package_folder.as_deref(), through).into()
}

/// Reads an `async fn` as a workflow; `hpdlc_flow` has what its body calls, and says what it means.
#[proc_macro_attribute]
pub fn workflow(
    arguments: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    let _expansion = bridge::expansion();
    let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let source = package.and_then(|package| source_of_call(&package));
    workflow::expand(arguments.into(), item.into(), source).into()
}

/// Reads a function as a coordinator, which starts a workflow of the program again and again; `hpdlc_flow` has what it calls.
#[proc_macro_attribute]
pub fn coordinator(
    arguments: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    let _expansion = bridge::expansion();
    let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let source = package.and_then(|package| source_of_call(&package));
    coordinator::expand(arguments.into(), item.into(), source).into()
}

/// Reads a function as a bundle, which starts coordinators of the program; `hpdlc_flow` has what it calls.
#[proc_macro_attribute]
pub fn bundle(
    arguments: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    let _expansion = bridge::expansion();
    let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let source = package.and_then(|package| source_of_call(&package));
    bundle::expand(arguments.into(), item.into(), source).into()
}

/// The file that the macro is called in.
fn source_of_call(package: &Path) -> Option<source::Source> {
    let file = proc_macro::Span::call_site().local_file()?;
    let file = std::path::absolute(file).ok()?;
    Some(source::Source {
        text: std::fs::read_to_string(&file).ok()?,
        path: file.strip_prefix(package).unwrap_or(&file).to_owned(),
        package: package.to_owned(),
    })
}

/// Makes a function an action that workflows can call: it runs in a process of its own, as a `rust` action.
///
/// ```text
/// #[derive(Data)]
/// pub struct Counted { lines: u64 }
///
/// /// Counts the lines of a file.
/// #[action]
/// fn count(path: String) -> Result<Counted> {
///     let text = std::fs::read_to_string(&path).map_err(|e| error("NO_FILE", e))?;
///     Ok(Counted { lines: text.lines().count() as u64 })
/// }
/// ```
///
/// The function moves into a module of its name, and there are three items:
///
/// - `count::count`: the function itself, for tests and for other Rust code;
/// - `count::ACTION`: the entry of the list for `Parts::with_actions`, as `("count", &count::ACTION)`;
/// - `count`: what workflows call. It has the types of the function and does nothing.
///
/// Arguments are owned: texts, numbers, `bool`, paths, lists, `Option`, and enums with [`macro@Data`]. The first one may be
/// `&Context`, which the runtime gives: the job, the node, the attempt and its folder. It returns `Result`, or `Result<T>` with data
/// of [`macro@Data`]. An `async fn` runs on a tokio runtime of one thread.
///
/// `#[action(idempotent)]` says that a call may be made again if its end is not known, as after a power cut.
#[proc_macro_attribute]
pub fn action(
    options: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    let _expansion = bridge::expansion();
    action::expand(options.into(), item.into()).into()
}

/// Makes a pure function one that expressions of workflows can call.
///
/// ```text
/// /// The bucket of a path.
/// #[function(prefix = "acme")]
/// fn bucket(path: &str, n: i64) -> String {
///     format!("{:02}", path.len() as i64 % n)
/// }
/// ```
///
/// A workflow in Rust calls it like any function: `bucket(&input, 16)`. A document in XML that is given `bucket::FUNCTION` calls it
/// `${acme:bucket(input, 16)}`; without a prefix it has the name of the package.
///
/// Arguments are texts (`String`, `&str`), numbers, `bool`, `Option`, and enums with [`macro@Data`]; so is what it returns, which may be in a
/// `Result`: an error is that of the expression, with the code and the message of the author, as is a panic. It is called in the process
/// that drives the job, and again for every evaluation: what takes long or has an effect is an [`macro@action`].
#[proc_macro_attribute]
pub fn function(
    options: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    let _expansion = bridge::expansion();
    let package = env::var("CARGO_PKG_NAME").unwrap_or_default();
    function::expand(options.into(), item.into(), &package).into()
}

/// Makes a struct the data that an action returns, or an enum without fields one of its values.
///
/// Each field of the struct is a text of `wf:actionData` under its name: numbers and `bool` as Rust writes them, an enum by the name
/// of its variant, `None` not at all, lists and maps as JSON. `#[data(json)]` above a field of another type makes it JSON, by the
/// traits of serde.
#[proc_macro_derive(Data, attributes(data))]
pub fn data(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let _expansion = bridge::expansion();
    data::expand(input.into()).into()
}

/// Makes a struct an action type with an element of its own, whose fields are the elements in it.
///
/// ```text
/// /// Copies between object stores.
/// #[action_type(element = "s3-copy", namespace = "uri:acme:s3-copy:1.0")]
/// pub struct S3Copy {
///     /// What is copied.
///     source: Uri,
///     target: Uri,
///     exclude: Vec<String>,  // may be there many times
///     threads: Option<u32>,  // may be absent
/// }
/// ```
///
/// An element has the name of its field with `-` for `_`, or that of `#[element("name")]` above the field. Its value is a text, an
/// address (`Uri`), a path, a number, `bool`, `Duration`, or an enum without fields with [`macro@Data`]. The type implements either
/// `Run`, work of its own process, or `Remote`, work that goes on elsewhere; `S3Copy::ACTION` is its action.
#[proc_macro_attribute]
pub fn action_type(
    options: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    let _expansion = bridge::expansion();
    action_type::expand(options.into(), item.into()).into()
}

/// Makes the static `EXTENSION` of a crate, at its root: what workflows of other programs can use of it.
///
/// ```text
/// hpdlc_flow::extension! {
///     name: "acme",
///     actions: [count],
///     types: [S3Copy],
///     functions: [bucket],
/// }
/// ```
///
/// The name is that of the crate. `cargo test` compares `hpdl-extension.json` beside `Cargo.toml`, which the compiler reads, with the
/// code; `HPDL_BLESS=1 cargo test` writes it.
#[proc_macro]
pub fn extension(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let _expansion = bridge::expansion();
    let crate_name = env::var("CARGO_CRATE_NAME").ok();
    extension::expand(input.into(), crate_name.as_deref()).into()
}
