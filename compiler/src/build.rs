//! Embedding of workflows in Rust programs: for a `build.rs`, and for the macros of `hpdlc-macros`.
//!
//! Both entry points share [`embed`]: the same rooms, the same diagnostics, the same generated text.
//!
//! In the package's `build.rs`, `fn main` calls `hpdlc::build::compile("app/")`.
//!
//! The program then calls `hpdlc_runtime::include_app!("app");`, with the name of the folder.

#![expect(
    clippy::disallowed_methods,
    reason = "build scripts read cargo's variables and end by an exit code"
)]

mod document;

use std::{
    collections::BTreeSet,
    env, fmt,
    io::Write,
    path::{Path, PathBuf},
};

use proc_macro2::TokenStream;

pub use self::document::{
    Document, DocumentKind, DocumentMessage, EmbeddedDocument, embed_document,
};
pub use crate::model::{DescribedFunction, OwnFunction};
use crate::{
    codegen::{self, FilePaths, GeneratedFile, Interface, Options},
    diagnostics::{Diagnostic, Level, render},
    driver::{
        Failure,
        application::{self, Arguments, CompiledApplication, Session},
        package, writer,
    },
    rules::RULES,
    source::SourceMap,
};

/// A compiled application, for the crate that includes it.
#[derive(Debug)]
pub struct Embedded {
    /// Items for a module of the program.
    pub tokens: TokenStream,
    /// The dependencies of the program: every file that was read or is embedded, as absolute paths.
    pub inputs: Vec<PathBuf>,
    /// Folders whose contents determine what is embedded, as absolute paths.
    pub folders: Vec<PathBuf>,
    pub warnings: Vec<Message>,
    /// The document, for the comment at the top of the file.
    source: String,
}

impl Embedded {
    /// The formatted text of `tokens`, with a comment at the top. A macro does not need it, so it is made only here.
    pub fn file(&self) -> GeneratedFile {
        codegen::inline_file(&self.source, self.tokens.clone())
    }
}

/// A diagnostic as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub level: Level,
    /// One line, with file, line and column.
    pub line: String,
    /// As `hpdlc check` shows it.
    pub report: String,
}

/// Why there is nothing to include: errors in the application, with its warnings, or a file that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub messages: Vec<Message>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, message) in self.messages.iter().enumerate() {
            if number > 0 {
                f.write_str("\n\n")?;
            }
            f.write_str(&message.report)?;
        }
        Ok(())
    }
}

impl std::error::Error for Refusal {}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Refusal {
        let message = Message {
            level: Level::Error,
            line: failure.message.clone(),
            report: failure.to_string(),
        };
        Refusal {
            messages: vec![message],
        }
    }
}

/// Compiles the application at `path`; a relative path starts at `base`, the folder of the package.
///
/// # Errors
///
/// All errors of the application.
pub fn embed(base: &Path, path: &Path) -> Result<Embedded, Refusal> {
    let path = from_here(&base.join(path));
    let mut session = Session::new(&Arguments::new(RULES));
    let application = application::load(&path, &mut session);
    if let Some(application) = &application
        && application
            .documents()
            .any(|document| document.location.archive.is_some())
    {
        let failure = Failure::new(format!(
            "the archive `{}` cannot be taken into a program",
            path.display()
        ))
        .note("cargo watches files, and sees none in an archive")
        .help("unpack it, and name the folder");
        return Err(failure.into());
    }
    match compiled(session, application) {
        Ok(compiled) => Ok(Embedded {
            warnings: messages(&compiled.diagnostics, &compiled.sources),
            tokens: compiled.tokens,
            inputs: compiled.inputs,
            folders: compiled.folders,
            source: compiled.source,
        }),
        Err(NotCompiled::Mistakes(diagnostics, sources)) => Err(Refusal {
            messages: messages(&diagnostics, &sources),
        }),
        Err(NotCompiled::Failed(failure)) => Err(failure.into()),
    }
}

/// An application whose code was generated.
struct Compiled {
    tokens: TokenStream,
    /// The document.
    source: String,
    inputs: Vec<PathBuf>,
    folders: Vec<PathBuf>,
    /// Warnings.
    diagnostics: Vec<Diagnostic>,
    sources: SourceMap,
}

/// Why there is no code.
enum NotCompiled {
    Mistakes(Vec<Diagnostic>, SourceMap),
    Failed(Failure),
}

/// The code for an application that the session has read; `None` if it has errors.
fn compiled(
    mut session: Session,
    application: Option<CompiledApplication>,
) -> Result<Compiled, NotCompiled> {
    let packaged = match application.filter(|_| !session.sink.has_errors()) {
        Some(application) => {
            let mut package =
                package::package(&application, None, &mut session.files, &mut session.sink)
                    .map_err(NotCompiled::Failed)?;
            package.bind_hash_to(&env::var("CARGO_PKG_NAME").unwrap_or_default());
            Some((application, package))
        }
        None => None,
    };
    let mut inputs: BTreeSet<PathBuf> = session
        .files
        .inputs()
        .filter(|path| path.is_file())
        .map(absolute)
        .collect();
    let (diagnostics, sources) = session.finish_derived();
    let Some((application, package)) = packaged.filter(|_| !has_errors(&diagnostics)) else {
        return Err(NotCompiled::Mistakes(diagnostics, sources));
    };
    inputs.extend(package.files.values().map(|file| absolute(&file.source)));
    let folders: BTreeSet<PathBuf> = application
        .documents()
        .map(|document| absolute(&document.location.folder))
        .collect();
    let inside = package.sources_inside(sources.clone());
    let input = package.codegen_input(&application, &inside);
    let options = Options {
        files: FilePaths::Absolute,
        interface: Interface::Library,
    };
    Ok(Compiled {
        tokens: codegen::generate_inline(&input, &options),
        source: input.source().to_owned(),
        inputs: inputs.into_iter().collect(),
        folders: folders.into_iter().collect(),
        diagnostics,
        sources,
    })
}

/// Compiles the application at `path`, below the package of the calling build script, to a file in `OUT_DIR` for
/// `include_app!`. Tells cargo the dependencies of the result. Errors are printed, and end the build script.
pub fn compile(path: impl AsRef<Path>) {
    if let Err(refusal) = try_compile(path.as_ref()) {
        // Cargo shows the output of a failed build script.
        drop(writeln!(std::io::stderr(), "{refusal}"));
        std::process::exit(1);
    }
}

/// Like [`compile`], for build scripts that handle errors themselves.
///
/// # Errors
///
/// All errors of the application, or that this is not a build script.
pub fn try_compile(path: &Path) -> Result<(), Refusal> {
    let variable = |name: &str| {
        env::var_os(name).map(PathBuf::from).ok_or_else(|| {
            Failure::new(format!("`{name}` is not set"))
                .note("cargo sets it for build scripts, where `hpdlc::build::compile` belongs")
        })
    };
    let package_folder = variable("CARGO_MANIFEST_DIR")?;
    let out = variable("OUT_DIR")?;
    let result = embed(&package_folder, path);
    let embedded = match result {
        Ok(embedded) => embedded,
        Err(refusal) => {
            // Run again when something in the folder has changed.
            print_dependency(&package_folder.join(path));
            return Err(refusal);
        }
    };
    for input in &embedded.inputs {
        print_dependency(input);
    }
    // A new file may have to be embedded. A folder that contains the package also contains cargo's output, which always
    // changes.
    for folder in embedded
        .folders
        .iter()
        .filter(|folder| !package_folder.starts_with(folder))
    {
        print_dependency(folder);
    }
    for warning in &embedded.warnings {
        println!("cargo:warning={}", warning.line);
    }
    let file = out.join(file_name(&package_folder.join(path)));
    writer::replace_if_changed(&file, embedded.file().text().as_bytes())
        .map_err(|error| Failure::io("write", &file, &error))?;
    Ok(())
}

/// Cargo treats a path that does not exist as always changed.
fn print_dependency(path: &Path) {
    if path.exists() {
        println!("cargo:rerun-if-changed={}", path.display());
    }
}

/// The file in `OUT_DIR`, named after the application's folder.
fn file_name(path: &Path) -> String {
    let folder = if path.is_dir() {
        Some(path)
    } else {
        path.parent()
    };
    let name = folder
        .map(|folder| folder.canonicalize().unwrap_or_else(|_| folder.to_owned()))
        .and_then(|folder| Some(folder.file_name()?.to_string_lossy().into_owned()));
    format!("{}.rs", name.as_deref().unwrap_or("app"))
}

fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics
        .iter()
        .any(|diagnostic| diagnostic.level == Level::Error)
}

fn messages(diagnostics: &[Diagnostic], sources: &SourceMap) -> Vec<Message> {
    diagnostics
        .iter()
        .map(|diagnostic| Message {
            level: diagnostic.level,
            line: render::short::render(diagnostic, sources),
            report: render::terminal::render(
                diagnostic,
                sources,
                render::terminal::Style::default(),
            ),
        })
        .collect()
}

/// The path relative to the current folder, if it is below it: shorter, and equally valid.
fn from_here(path: &Path) -> PathBuf {
    let here = env::current_dir().ok();
    let below = here
        .as_deref()
        .and_then(|here| path.strip_prefix(here).ok());
    match below {
        Some(below) if !below.as_os_str().is_empty() => below.to_owned(),
        Some(_) | None => path.to_owned(),
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn application(workflow: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a temporary folder");
        writer::replace(&folder.path().join("app/workflow.xml"), workflow.as_bytes())
            .expect("writes");
        writer::replace(&folder.path().join("app/run.sh"), b"#!/bin/sh\n").expect("writes");
        folder
    }

    #[test]
    fn program_depends_on_every_file_of_the_application() {
        let folder = application(
            "<workflow-app name=\"w\" xmlns=\"uri:oozie:workflow:1.0\"><start to=\"end\"/><end name=\"end\"/></workflow-app>",
        );
        let embedded = embed(folder.path(), Path::new("app")).expect("it is sound");
        let path = |name: &str| folder.path().join(name);
        assert_eq!(
            embedded.inputs,
            [path("app/run.sh"), path("app/workflow.xml")]
        );
        assert_eq!(embedded.folders, [path("app")]);
        assert_eq!(embedded.warnings, []);
        assert!(embedded.file().text().contains("run.sh"));
    }

    #[test]
    fn mistakes_have_their_place_in_one_line() {
        let folder = application(
            "<workflow-app name=\"w\" xmlns=\"uri:oozie:workflow:1.0\">\n<start to=\"nowhere\"/><end name=\"end\"/></workflow-app>",
        );
        let refusal = embed(folder.path(), Path::new("app")).expect_err("it has a mistake");
        let line = &refusal.messages[0].line;
        assert!(line.contains("app/workflow.xml:2:12"), "{line}");
        assert!(line.contains("undefined node `nowhere`"), "{line}");
        assert!(refusal.to_string().contains("H0301"));
    }

    #[test]
    fn generated_file_is_named_after_the_folder() {
        let folder = application("");
        assert_eq!(file_name(&folder.path().join("app")), "app.rs");
        assert_eq!(file_name(&folder.path().join("app/workflow.xml")), "app.rs");
    }
}
