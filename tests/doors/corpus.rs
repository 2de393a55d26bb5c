//! Real documents: the texts of their programs are evaluated without the tree walker.

use std::{fs, path::Path};

use hpdlc_tests::{corpus, folder};

use crate::{copy::PackageCopy, program::Workplace};

/// Compiles the applications in `corpus`, and lists the programs of those without errors.
const BUILD: &str = include_str!("corpus/build.rs");

/// Evaluates all texts of these programs.
const MAIN: &str = include_str!("corpus/main.rs");

#[test]
fn no_text_of_a_real_workflow_reaches_the_tree_walker() {
    let Some(workflows) = corpus::workflows() else {
        return;
    };
    let copy = PackageCopy::of("generated", "folder-backup", "corpus");
    copy.write("build.rs", BUILD);
    copy.write("src/main.rs", MAIN);
    copy.replace(
        "Cargo.toml",
        "hpdlc-runtime.workspace = true",
        "hpdlc-runtime.workspace = true\nchrono.workspace = true",
    );
    for (number, workflow) in workflows.iter().enumerate() {
        copy_application(workflow, &copy.path(&format!("corpus/w{number}")));
    }
    let ended = Workplace::new().run(&copy.program(), &[]);
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    eprintln!("{}", ended.stdout);
}

/// Makes `folder` the application of `workflow`, with the files beside it.
fn copy_application(workflow: &Path, folder: &Path) {
    fs::create_dir_all(folder).expect("creates");
    let beside = workflow.parent().expect("a file is in a folder");
    for path in folder::files_below(beside) {
        let target = folder.join(path.strip_prefix(beside).expect("it is below it"));
        fs::create_dir_all(target.parent().expect("a file is in a folder")).expect("creates");
        fs::copy(&path, target).expect("copies");
    }
    fs::copy(workflow, folder.join("workflow.xml")).expect("copies");
}
