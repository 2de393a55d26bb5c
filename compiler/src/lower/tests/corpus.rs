//! Real documents, from outside the repository.

#![expect(
    clippy::disallowed_methods,
    reason = "the corpus is a folder that the environment may name"
)]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use super::{lower, shared, short};

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    for entry in entries {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "xml") {
            found.push(path);
        }
    }
}

/// Every workflow of the corpus is valid, so the only possible diagnostic is an unsupported feature.
#[test]
fn valid_workflows_have_no_mistakes() {
    let Some(corpus) = shared("corpus") else {
        println!("skipped: there is no corpus; HPDL_SHARED can name its parent folder");
        return;
    };
    let mut files = Vec::new();
    collect(&corpus, &mut files);
    files.sort();
    let mut n_workflows = 0;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for path in files {
        let text = fs::read_to_string(&path).expect("the file is UTF-8");
        if !text.contains("<workflow-app") {
            continue;
        }
        n_workflows += 1;
        let defaults = fs::read_to_string(path.with_file_name("config-default.xml")).ok();
        let (app, diagnostics) = lower(&text, defaults.as_deref());
        assert!(app.is_some(), "{}", path.display());
        for diagnostic in &diagnostics {
            *counts.entry(diagnostic.rule.id()).or_default() += 1;
        }
        let mistakes: Vec<_> = diagnostics
            .into_iter()
            .filter(|diagnostic| !diagnostic.rule.id().starts_with("H08"))
            .collect();
        assert!(
            mistakes.is_empty(),
            "{}\n{}",
            path.display(),
            short(&text, &mistakes)
        );
    }
    println!("{n_workflows} workflows, {counts:?}");
    assert!(n_workflows > 0, "the corpus has workflows");
}
