//! Documents that are functions of Rust files, and everything that was made from a Rust file.

use std::path::Path;

use syn::LitStr;

use super::{Files, MemoryDocument};
use crate::{
    diagnostics::Sink,
    driver::{
        below::below,
        mistakes::invalid_rust::InvalidRust,
        rust_file::{self, DocumentFunction, FunctionKind},
    },
    model::OwnFunction,
    rust::{self, Mistake, Offsets, Place},
    source::{FileId, Origins, Piece, Span},
};

/// A document that was made from a Rust file.
pub struct DerivedDocument<'d> {
    /// The path that the document is read by.
    pub path: &'d Path,
    pub text: &'d str,
    pub origins: Origins,
    pub in_memory: MemoryDocument,
    /// A file with its default properties, below the package.
    pub config: Option<&'d Path>,
    /// The name that this file would have beside the document.
    pub defaults: &'static str,
}

impl Files {
    /// Makes a document readable that was made from a Rust file, which is in the map already.
    pub fn add_derived(&mut self, document: DerivedDocument<'_>, sink: &mut Sink) -> FileId {
        let DerivedDocument {
            path,
            text,
            origins,
            in_memory,
            config,
            defaults,
        } = document;
        let text = self.sources.add_derived(text.to_owned(), origins);
        let config = config.map(|config| below(&in_memory.package, config));
        let loaded = config.and_then(|config| {
            let shown = config.display().to_string();
            self.named_text(&config, &shown, sink)
        });
        // Functions of one file may have one folder, and each its own.
        let own_defaults = loaded.map(|loaded| (path.join(defaults), loaded));
        if let Some((path, loaded)) = &own_defaults {
            self.add_alias(path, *loaded);
        }
        let in_memory = MemoryDocument {
            defaults: own_defaults.map(|(path, _)| path),
            ..in_memory
        };
        self.add_in_memory(path, text, in_memory);
        text
    }

    /// Loads the document that a function of a Rust file is.
    pub(super) fn rust_document(&mut self, path: &Path, sink: &mut Sink) -> Option<FileId> {
        let loaded = self.read_rust_document(path, sink);
        self.loaded.insert(path.to_owned(), loaded);
        loaded
    }

    fn read_rust_document(&mut self, path: &Path, sink: &mut Sink) -> Option<FileId> {
        let (file, name) = rust_file::parts(path)?;
        let id = self.text(file, &file.display().to_string(), sink)?;
        let text = self.sources.text(id).to_owned();
        let functions = match rust_file::functions(&text) {
            Ok(functions) => functions,
            Err(error) => {
                sink.emit(syntax_error(id, &text, &error));
                return None;
            }
        };
        let asked = functions.iter().find(|function| function.name() == name);
        let Some(function) = asked else {
            let found = functions.iter();
            sink.emit(InvalidRust::NotFound {
                file: id,
                asked: Some(name.to_owned()).filter(|name| !name.is_empty()),
                found: found
                    .map(|it| rust_file::document(file, &it.name()).display().to_string())
                    .collect(),
            });
            return None;
        };
        let read = ReadFunction::of(function);
        let offsets = Offsets::new(&text);
        let span = |place: &Place| {
            let range = offsets.range(place);
            Span::new(id, range.start, range.end)
        };
        for mistake in &read.mistakes {
            sink.emit(InvalidRust::Mistake {
                place: span(&mistake.place),
                message: mistake.message.clone(),
            });
        }
        let Some(document) = &read.document else {
            if read.mistakes.is_empty() {
                sink.emit(InvalidRust::LeftToRustc {
                    place: span(&Place::at(function.function.sig.ident.span())),
                    function: function.name(),
                });
            }
            return None;
        };
        let package = rust_file::package(file);
        if let Some(files) = &read.files {
            let folder = below(&package, Path::new(&files.value()));
            if let Some(message) = unusable(&files.value(), &folder) {
                let place = span(&Place::at(files.span()));
                sink.emit(InvalidRust::Mistake { place, message });
                return None;
            }
        }
        let pieces = document.pieces.iter().map(|(range, place)| Piece {
            range: range.clone(),
            origin: span(place),
        });
        let config = read.config.as_ref().map(LitStr::value);
        let derived = DerivedDocument {
            path,
            text: &document.text,
            origins: Origins::new(pieces.collect(), span(&document.whole)),
            in_memory: MemoryDocument {
                package,
                has_files: read.files.is_some(),
                linked: Some(read.linked),
                functions: read.functions,
                defaults: None,
            },
            config: config.as_deref().map(Path::new),
            defaults: read.defaults,
        };
        Some(self.add_derived(derived, sink))
    }
}

/// A function as it was read, whatever it is.
struct ReadFunction {
    document: Option<rust::Document>,
    mistakes: Vec<Mistake>,
    files: Option<LitStr>,
    config: Option<LitStr>,
    /// The usual name of a file with its default properties.
    defaults: &'static str,
    /// The paths of the documents that it starts.
    linked: Vec<String>,
    functions: Vec<OwnFunction>,
}

impl ReadFunction {
    fn of(function: &DocumentFunction) -> ReadFunction {
        let arguments = function.arguments.clone();
        match function.kind {
            FunctionKind::Workflow => {
                let read = rust::read(arguments, &function.function);
                ReadFunction {
                    functions: own_functions(&read),
                    document: read.document,
                    mistakes: read.mistakes,
                    files: read.settings.files,
                    config: read.settings.config,
                    defaults: "config-default.xml",
                    linked: read.children.into_iter().map(|it| it.folder).collect(),
                }
            }
            FunctionKind::Coordinator => {
                let read = rust::read_coordinator(arguments, &function.function);
                ReadFunction {
                    document: read.document,
                    mistakes: read.mistakes,
                    files: None,
                    config: read.config,
                    defaults: "coord-config-default.xml",
                    linked: read.workflow.iter().map(rust::app_path).collect(),
                    functions: Vec::new(),
                }
            }
            FunctionKind::Bundle => {
                let read = rust::read_bundle(arguments, &function.function);
                let coordinators = read.coordinators.into_iter();
                ReadFunction {
                    document: read.document,
                    mistakes: read.mistakes,
                    files: None,
                    config: read.config,
                    defaults: "bundle-config-default.xml",
                    linked: coordinators.map(|it| it.app_path).collect(),
                    functions: Vec::new(),
                }
            }
        }
    }
}

/// The functions that expressions call. They are in the program that cargo makes, so nothing refers to them here.
fn own_functions(read: &rust::Workflow) -> Vec<OwnFunction> {
    let functions = read.functions.iter();
    functions
        .map(|function| OwnFunction {
            prefix: read.prefix.clone(),
            name: function.name.clone(),
            n_arguments: function.n_arguments,
            path: String::new(),
            described: None,
        })
        .collect()
}

/// Why a folder cannot be that of the files of a workflow in Rust.
pub fn unusable(files: &str, folder: &Path) -> Option<String> {
    if !folder.is_dir() {
        return Some(format!("there is no folder `{files}` in the package"));
    }
    folder.join("workflow.xml").exists().then(|| {
        format!("`{files}` has a workflow.xml of its own: compile that with `include_workflow!`, or name a folder without one")
    })
}

fn syntax_error(file: FileId, text: &str, error: &syn::Error) -> InvalidRust {
    let range = Offsets::new(text).range(&Place::at(error.span()));
    InvalidRust::Mistake {
        place: Span::new(file, range.start, range.end),
        message: format!("the file cannot be read as Rust: {error}"),
    }
}
