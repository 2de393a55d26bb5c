//! Real documents: the texts of their programs are evaluated without the tree walker.

use std::{fs, path::Path};

use hpdlc_tests::{corpus, folder};

use crate::{copy::PackageCopy, program::Workplace};

/// Compiles the applications in `corpus`, and lists the programs of those without errors.
const BUILD: &str = include_str!("corpus/build.rs");

/// The files of applications.
const DOCUMENTS: [&str; 3] = ["workflow.xml", "coordinator.xml", "bundle.xml"];

/// Evaluates all texts of these programs.
const MAIN: &str = include_str!("corpus/main.rs");

#[test]
fn no_text_of_a_real_document_reaches_the_tree_walker() {
    let Some(corpus) = corpus::folder() else {
        return;
    };
    let mut documents = corpus::documents_below(&corpus);
    documents.retain(|path| {
        path.file_name()
            .is_some_and(|name| DOCUMENTS.iter().any(|document| name == *document))
    });
    let copy = PackageCopy::of("generated", "folder-backup", "corpus");
    copy.write("build.rs", BUILD);
    copy.write("src/main.rs", MAIN);
    copy.replace(
        "Cargo.toml",
        "hpdlc-runtime.workspace = true",
        "hpdlc-runtime.workspace = true\nchrono.workspace = true",
    );
    for (number, document) in documents.iter().enumerate() {
        copy_application(document, &copy.path(&format!("corpus/d{number}")));
    }
    let ended = Workplace::new().run(&copy.program(), &[]);
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    eprintln!("{}", ended.stdout);
}

/// Makes `folder` the application of `document`, with the files beside it.
fn copy_application(document: &Path, folder: &Path) {
    let beside = document.parent().expect("a file is in a folder");
    for path in folder::files_below(beside) {
        let target = folder.join(path.strip_prefix(beside).expect("it is below it"));
        let is_other = target.parent() == Some(folder)
            && DOCUMENTS.iter().any(|name| target.ends_with(name))
            && path != document;
        if !is_other {
            fs::create_dir_all(target.parent().expect("a file is in a folder")).expect("creates");
            fs::copy(&path, target).expect("copies");
        }
    }
}
