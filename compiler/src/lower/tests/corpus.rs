//! Real documents, from outside the repository.

#![expect(
    clippy::disallowed_methods,
    reason = "the corpus is a folder that the environment may name"
)]

use std::{collections::BTreeMap, fs};

use hpdlc_tests::corpus;

use super::{lower, short};

/// Every workflow of the corpus is valid, so the only possible diagnostic is an unsupported feature.
#[test]
fn valid_workflows_have_no_mistakes() {
    let Some(corpus) = corpus::folder() else {
        return;
    };
    let mut n_workflows = 0;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for path in corpus::documents_below(&corpus) {
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
