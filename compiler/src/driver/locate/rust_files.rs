//! The locations of workflows in Rust files. A file in which none can be found has a location too: what it lacks is reported
//! when that is read.

use std::{io::Read as _, path::Path};

use crate::{
    driver::{location::Location, read::open, rust_file},
    source::MAX_FILE_SIZE,
};

/// The location of `src/main.rs#daily`.
pub(super) fn function(path: &Path) -> Option<Location> {
    let (file, name) = rust_file::parts(path)?;
    Some(existing_function(path).unwrap_or_else(|| unfound(file, name)))
}

/// As [`function`]; `None` if the file has no such workflow.
pub(super) fn existing_function(path: &Path) -> Option<Location> {
    let (file, name) = rust_file::parts(path)?;
    let mut found = functions(file, true).into_iter();
    found.find(|location| rust_file::parts(&location.document).is_some_and(|(_, it)| it == name))
}

/// The location of the only workflow of a file.
pub(super) fn only_function(file: &Path) -> Location {
    let mut found = functions(file, true);
    match (found.pop(), found.is_empty()) {
        (Some(only), true) => only,
        _ => unfound(file, ""),
    }
}

/// The locations of all workflows of a file. One without any has a location that tells so if it `is_named`.
pub(super) fn functions(file: &Path, is_named: bool) -> Vec<Location> {
    let Some(text) = text(file) else {
        return vec![unfound(file, "")];
    };
    let Ok(workflows) = rust_file::workflows(&text) else {
        return vec![unfound(file, "")];
    };
    if workflows.is_empty() && is_named {
        return vec![unfound(file, "")];
    }
    let package = rust_file::package(file);
    let location = |workflow: &rust_file::WorkflowFunction| Location {
        folder: rust_file::folder(&package, workflow),
        document: rust_file::document(file, &workflow.name()),
        archive: None,
    };
    workflows.iter().map(location).collect()
}

/// Whether a Rust file that nobody has named has workflows, as far as a glance tells.
pub(super) fn has_workflow(file: &Path) -> bool {
    text(file).is_some_and(|text| rust_file::may_have_workflows(&text))
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
