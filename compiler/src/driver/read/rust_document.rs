//! Documents that are functions of Rust files, and everything that was made from a Rust file.

use std::path::Path;

use syn::LitStr;

use super::{Files, MemoryDocument};
use crate::{
    diagnostics::Sink,
    driver::{below::below, mistakes::invalid_rust::InvalidRust, rust_file},
    model::OwnFunction,
    rust::{self, Offsets, Place},
    source::{FileId, Origins, Piece, Span},
};

/// A document that was made from a Rust file.
pub struct DerivedDocument<'d> {
    /// The path that the document is read by.
    pub path: &'d Path,
    /// The folder of its application.
    pub folder: &'d Path,
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
            folder,
            text,
            origins,
            in_memory,
            config,
            defaults,
        } = document;
        let text = self.sources.add_derived(text.to_owned(), origins);
        let config = config.map(|config| below(&in_memory.package, config));
        self.add_in_memory(path, text, in_memory);
        if let Some(config) = config {
            let shown = config.display().to_string();
            if let Some(loaded) = self.named_text(&config, &shown, sink) {
                self.add_alias(&below(folder, Path::new(defaults)), loaded);
            }
        }
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
        let workflows = match rust_file::workflows(&text) {
            Ok(workflows) => workflows,
            Err(error) => {
                sink.emit(syntax_error(id, &text, &error));
                return None;
            }
        };
        let asked = workflows.iter().find(|workflow| workflow.name() == name);
        let Some(workflow) = asked else {
            let found = workflows.iter();
            sink.emit(InvalidRust::NotFound {
                file: id,
                asked: Some(name.to_owned()).filter(|name| !name.is_empty()),
                found: found
                    .map(|it| rust_file::document(file, &it.name()).display().to_string())
                    .collect(),
            });
            return None;
        };
        let read = rust::read(workflow.arguments.clone(), &workflow.function);
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
                    place: span(&Place::at(workflow.function.sig.ident.span())),
                    function: workflow.name(),
                });
            }
            return None;
        };
        let package = rust_file::package(file);
        let folder = match &read.settings.files {
            Some(files) => {
                let folder = below(&package, Path::new(&files.value()));
                if let Some(message) = unusable(&files.value(), &folder) {
                    let place = span(&Place::at(files.span()));
                    sink.emit(InvalidRust::Mistake { place, message });
                    return None;
                }
                folder
            }
            None => package.clone(),
        };
        let pieces = document.pieces.iter().map(|(range, place)| Piece {
            range: range.clone(),
            origin: span(place),
        });
        let config = read.settings.config.as_ref().map(LitStr::value);
        let derived = DerivedDocument {
            path,
            folder: &folder,
            text: &document.text,
            origins: Origins::new(pieces.collect(), span(&document.whole)),
            in_memory: MemoryDocument {
                package,
                has_files: read.settings.files.is_some(),
                linked: Some(read.children.iter().map(|it| it.folder.clone()).collect()),
                functions: own_functions(&read),
            },
            config: config.as_deref().map(Path::new),
            defaults: "config-default.xml",
        };
        Some(self.add_derived(derived, sink))
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
