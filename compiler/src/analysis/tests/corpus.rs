//! Real applications, outside the repository: all of them are accepted by Oozie.

#![expect(
    clippy::disallowed_methods,
    reason = "a test of files that stay outside of the repository"
)]

use std::{collections::BTreeMap, fs};

use hpdlc_tests::corpus;

use crate::{
    analysis::{self, JobProperties, testing},
    diagnostics::{Level, Sink},
    lower,
    source::SourceMap,
    syntax::xml,
};

#[test]
fn real_workflows_have_no_errors_but_what_is_not_supported() {
    let Some(paths) = corpus::workflows() else {
        return;
    };
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
