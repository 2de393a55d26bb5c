//! Real applications, outside the repository: all of them are accepted by Oozie.

#![expect(
    clippy::disallowed_methods,
    reason = "a test of files that stay outside of the repository"
)]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use crate::{
    analysis::{self, JobProperties, testing},
    diagnostics::{Level, Sink},
    lower,
    source::SourceMap,
    syntax::xml,
};

/// The folder that contains `corpus/`: `HPDL_SHARED`, or `shared` beside the checkout.
pub(super) fn shared() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    std::env::var_os("HPDL_SHARED")
        .map(PathBuf::from)
        .into_iter()
        .chain([beside])
        .find(|folder| folder.join("corpus").is_dir())
}

fn workflows(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            workflows(&path, found);
        } else if path.file_name().is_some_and(|name| name == "workflow.xml") {
            found.push(path);
        }
    }
}

#[test]
fn real_workflows_have_no_errors_but_what_is_not_supported() {
    let Some(shared) = shared() else {
        eprintln!("skipped: no corpus in $HPDL_SHARED or beside the checkout");
        return;
    };
    let mut paths = Vec::new();
    workflows(&shared.join("corpus"), &mut paths);
    paths.sort();
    assert!(!paths.is_empty(), "the corpus holds workflows");
    let mut errors = String::new();
    let mut n_by_rule: BTreeMap<&str, usize> = BTreeMap::new();
    for path in &paths {
        let text = fs::read_to_string(path).unwrap();
        let mut sources = SourceMap::default();
        let file = sources.add(path.display().to_string(), text.clone());
        let mut sink = Sink::default();
        if let Some(tree) = xml::parse(file, &text, &mut sink)
            && let Some(app) = lower::workflow(&tree, None, &mut sink)
        {
            analysis::workflow(&app, &JobProperties::default(), &mut sink);
        }
        for diagnostic in sink.into_sorted() {
            let id = diagnostic.rule.id();
            *n_by_rule.entry(id).or_default() += 1;
            let line = testing::short(&sources, std::slice::from_ref(&diagnostic));
            if diagnostic.level == Level::Error && !id.starts_with("H08") {
                errors += &format!("{}:{line}", path.display());
            } else if !id.starts_with("H08") {
                eprint!("{}:{line}", path.display());
            }
        }
    }
    eprintln!("{} workflows: {n_by_rule:?}", paths.len());
    assert_eq!(errors, "");
}
