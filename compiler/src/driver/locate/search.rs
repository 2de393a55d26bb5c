//! The documents below a folder.

use std::{
    fs::{self, File},
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use hpdlc_core::el::functions::proposal::ROOT_ELEMENT;

use super::{OTHER_DOCUMENTS, WORKFLOW_XML, application, document, is_xml, local, rust_files};
use crate::{
    diagnostics::Sink,
    driver::{
        below::below, location::Location, mistakes::unreadable_file::UnreadableFile, rust_file,
    },
    syntax::xml,
};

/// The root elements of all documents.
const ROOTS: [&str; 4] = [
    "workflow-app",
    "coordinator-app",
    "bundle-app",
    ROOT_ELEMENT,
];

/// The number of bytes of a file that are searched for the root element: more than license and comments before it take.
const START_LENGTH: u64 = 16 * 1024;

/// The maximum depth of a search for applications: deeper than any real tree, so that a loop of mounts terminates.
const MAX_SEARCH_DEPTH: usize = 64;

/// Every document that `check` checks for `path`: those below a folder, or the one that it names.
pub fn documents(path: &Path, sink: &mut Sink) -> Vec<Location> {
    let Some(local) = local(path, sink) else {
        return Vec::new();
    };
    if rust_file::is_rust(&local) && local.is_file() {
        return rust_files::functions(&local, true);
    }
    if !local.is_dir() {
        return application(path, sink).into_iter().collect();
    }
    match search(&local) {
        Ok(found) if found.is_empty() => application(path, sink).into_iter().collect(),
        Ok(found) => found
            .iter()
            .flat_map(|path| match rust_file::is_rust(path) {
                true => rust_files::functions(path, false),
                false => document(path, sink).into_iter().collect(),
            })
            .collect(),
        Err(error) => {
            sink.emit(UnreadableFile {
                path: local.display().to_string(),
                error: &error,
            });
            Vec::new()
        }
    }
}

/// The workflow, coordinator and bundle documents below `folder`, by their usual names or by their root element, and the Rust
/// files with workflows, sorted. Hidden folders, what cargo builds, and links to folders are skipped.
pub(super) fn search(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    search_below(folder, 0, &mut found)?;
    found.sort();
    Ok(found)
}

fn search_below(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if name.as_encoded_bytes().starts_with(b".") {
            continue;
        }
        if entry.file_type()?.is_dir() {
            let is_of_cargo = name == "target" && entry.path().join("CACHEDIR.TAG").exists();
            if depth < MAX_SEARCH_DEPTH && !is_of_cargo {
                search_below(&below(folder, Path::new(&name)), depth + 1, found)?;
            }
            continue;
        }
        let path = below(folder, Path::new(&name));
        let is_usual = name == WORKFLOW_XML || OTHER_DOCUMENTS.iter().any(|wanted| name == *wanted);
        let is_document = is_usual
            || (is_xml(&path) && starts_a_document(&path))
            || (rust_file::is_rust(&path) && rust_files::has_document(&path));
        if is_document {
            found.push(path);
        }
    }
    Ok(())
}

/// Whether the root element of a file is that of a document. A file that cannot be read is skipped, since the user did not
/// name it.
fn starts_a_document(path: &Path) -> bool {
    // Opening a pipe would block until it has a writer.
    if !fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return false;
    }
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(START_LENGTH).read_to_end(&mut start));
    read.is_ok()
        && xml::root_name(&String::from_utf8_lossy(&start))
            .is_some_and(|root| ROOTS.contains(&root))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::locate::tests::tree;

    #[test]
    fn documents_of_other_names_are_found_by_their_first_tag() {
        let folder = tree(&["a/workflow.xml", "b/empty.xml"]);
        for (name, text) in [
            (
                "a/loop.xml",
                "<?xml version='1.0'?><!-- <x> --><workflow-app/>",
            ),
            ("b/daily.XML", "<c:coordinator-app xmlns:c='x'>"),
            ("b/job.xml", "<configuration/>"),
            ("b/notes.txt", "<workflow-app/>"),
            ("b/.hidden.xml", "<workflow-app/>"),
        ] {
            crate::driver::writer::replace(&folder.path().join(name), text.as_bytes())
                .expect("writes");
        }
        let found = search(folder.path()).expect("the folder can be listed");
        let names: Vec<_> = found
            .iter()
            .map(|path| path.strip_prefix(folder.path()).expect("it is below"))
            .collect();
        assert_eq!(
            names,
            [
                Path::new("a/loop.xml"),
                Path::new("a/workflow.xml"),
                Path::new("b/daily.XML")
            ]
        );
    }

    #[test]
    fn applications_below_a_folder_are_searched_in_order() {
        let folder = tree(&[
            "b/workflow.xml",
            "a/sub/workflow.xml",
            ".git/workflow.xml",
            "a/workflow.xml",
            "a/x.xml",
        ]);
        let mut sink = Sink::default();
        let found: Vec<PathBuf> = documents(folder.path(), &mut sink)
            .into_iter()
            .map(|found| {
                found
                    .document
                    .strip_prefix(folder.path())
                    .expect("it lies below")
                    .to_owned()
            })
            .collect();
        assert_eq!(
            found,
            ["a/sub/workflow.xml", "a/workflow.xml", "b/workflow.xml"].map(PathBuf::from)
        );
    }
}
