//! Real documents, from outside the repository, and those of our own tests and examples.

#![expect(
    clippy::disallowed_methods,
    reason = "the corpus is a folder that the environment may name"
)]

use std::{collections::BTreeSet, fs, path::Path};

use hpdlc_tests::{corpus, repository};

use crate::{
    analysis::{self, JobProperties},
    diagnostics::{Level, Sink},
    lower,
    source::SourceMap,
    syntax::xml,
};

use super::schema_errors;

/// The mistakes of a workflow, except unsupported features; `None` if it is not a document.
fn mistakes(text: &str) -> Option<BTreeSet<String>> {
    let mut sources = SourceMap::default();
    let file = sources.add("workflow.xml".to_owned(), text.to_owned());
    let mut sink = Sink::default();
    let document = xml::parse(file, text, &mut sink)?;
    let app = lower::workflow(&document, None, &mut sink)?;
    analysis::workflow(&app, &JobProperties::default(), &mut sink);
    Some(
        sink.into_sorted()
            .iter()
            .filter(|diagnostic| diagnostic.level == Level::Error)
            .map(|diagnostic| format!("{} {}", diagnostic.rule.id(), diagnostic.message))
            .filter(|mistake| !mistake.starts_with("H08"))
            .collect(),
    )
}

fn migrate(text: &str) -> String {
    let mut sources = SourceMap::default();
    let file = sources.add("workflow.xml".to_owned(), text.to_owned());
    let mut sink = Sink::default();
    let document = xml::parse(file, text, &mut sink).expect("it is well-formed");
    crate::migrate::migrated(&document, text, None, &mut sink)
}

/// Migrates the valid documents below a folder; returns their number.
fn check_all(folder: &Path) -> usize {
    let mut n_migrated = 0;
    for path in corpus::documents_below(folder) {
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        if !xml::root_name(&text).is_some_and(crate::migrate::is_migrated) {
            continue;
        }
        let is_proposal = text.contains("<hadoop-workflow");
        if !is_proposal && !schema_errors(&text).is_empty() {
            continue;
        }
        let is_workflow = text.contains("workflow-app") || is_proposal;
        if !is_workflow {
            let new = migrate(&text);
            assert_eq!(schema_errors(&new), [] as [String; 0], "{}", path.display());
            n_migrated += 1;
            continue;
        }
        if mistakes(&text).is_none_or(|mistakes| !mistakes.is_empty()) {
            continue;
        }
        let new = migrate(&text);
        let found = mistakes(&new).unwrap_or_else(|| panic!("{}\n{new}", path.display()));
        // An end inside a fork, valid in 2009, is rejected by Oozie; `migrate` reports it.
        let is_wrong = found.iter().any(|mistake| !mistake.starts_with("H0309"));
        assert!(!is_wrong, "{}: {found:?}\n{new}", path.display());
        assert_eq!(schema_errors(&new), [] as [String; 0], "{}", path.display());
        assert_eq!(migrate(&new), new, "{}", path.display());
        n_migrated += 1;
    }
    n_migrated
}

#[test]
fn workflows_of_the_repository_stay_right() {
    let repository = repository();
    let n_migrated = check_all(&repository.join("tests")) + check_all(&repository.join("examples"));
    assert!(n_migrated > 30, "{n_migrated} were migrated");
}

#[test]
fn workflows_of_the_corpus_stay_right() {
    let Some(corpus) = corpus::folder() else {
        return;
    };
    let n_migrated = check_all(&corpus);
    assert!(n_migrated > 0, "the corpus has workflows");
}
