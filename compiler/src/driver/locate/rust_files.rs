//! The locations of workflows, coordinators and bundles in Rust files. A file in which none can be found has a location too: what it
//! lacks is reported when that is read.

use std::{io::Read as _, path::Path};

use crate::{
    driver::{
        location::Location,
        read::open,
        rust_file::{self, FunctionKind},
    },
    source::MAX_FILE_SIZE,
};

/// The location of `src/main.rs#daily`.
pub(super) fn function(path: &Path) -> Option<Location> {
    let (file, name) = rust_file::parts(path)?;
    Some(existing_function(path).unwrap_or_else(|| unfound(file, name)))
}

/// As [`function`]; `None` if the file has no such function.
pub(super) fn existing_function(path: &Path) -> Option<Location> {
    let (file, name) = rust_file::parts(path)?;
    let mut found = functions(file, true).into_iter();
    found.find(|location| rust_file::parts(&location.document).is_some_and(|(_, it)| it == name))
}

/// The location of the only workflow of a file, or of its only function if it has none.
pub(super) fn only_function(file: &Path) -> Location {
    let mut found = documents(file).unwrap_or_default();
    if found
        .iter()
        .any(|(kind, _)| *kind == FunctionKind::Workflow)
    {
        found.retain(|(kind, _)| *kind == FunctionKind::Workflow);
    }
    match (found.pop(), found.is_empty()) {
        (Some((_, only)), true) => only,
        _ => unfound(file, ""),
    }
}

/// The locations of all functions of a file that are documents. One without any has a location that tells so if it `is_named`.
pub(super) fn functions(file: &Path, is_named: bool) -> Vec<Location> {
    match documents(file) {
        Some(found) if !(found.is_empty() && is_named) => {
            found.into_iter().map(|(_, location)| location).collect()
        }
        Some(_) | None => vec![unfound(file, "")],
    }
}

/// The functions of a file that are documents; `None` if it cannot be read.
fn documents(file: &Path) -> Option<Vec<(FunctionKind, Location)>> {
    let functions = rust_file::functions(&text(file)?).ok()?;
    let package = rust_file::package(file);
    let found = functions.iter().map(|function| {
        let location = Location {
            folder: rust_file::folder(&package, function),
            document: rust_file::document(file, &function.name()),
            archive: None,
        };
        (function.kind, location)
    });
    Some(found.collect())
}

/// Whether a Rust file that nobody has named has documents, as far as a glance tells.
pub(super) fn has_document(file: &Path) -> bool {
    text(file).is_some_and(|text| rust_file::may_have_documents(&text))
}

fn unfound(file: &Path, name: &str) -> Location {
    Location {
        folder: rust_file::package(file),
        document: rust_file::document(file, name),
        archive: None,
    }
}

fn text(file: &Path) -> Option<String> {
    let (file, _) = open(file).ok()?;
    let limit = u64::try_from(MAX_FILE_SIZE).unwrap_or(u64::MAX);
    let mut text = String::new();
    file.take(limit).read_to_string(&mut text).ok()?;
    Some(text)
}
