//! The explanations and suggestions of this room are correct.

use super::{document, lower, with_body};
use crate::{
    diagnostics::{
        Applicability, Example, Expectation, LintLevel, LintLevels, Rule, Sink, Suggestion,
        check_explanation, examples,
    },
    lower::{CODES, EXPRESSION_CODES, LINTS, UNSUPPORTED_CODES},
    rules::RULES,
    source::FileId,
    syntax::xml,
};

fn rules() -> impl Iterator<Item = Rule> {
    let codes = CODES
        .iter()
        .chain(EXPRESSION_CODES)
        .chain(UNSUPPORTED_CODES);
    codes
        .copied()
        .map(Rule::from)
        .chain(LINTS.iter().copied().map(Rule::from))
}

const SMALLEST: &str = "<workflow-app name='w' xmlns='uri:oozie:workflow:1.0'><start to='e'/><end name='e'/></workflow-app>";

fn report(example: &Example<'_>) -> Vec<String> {
    let (_, diagnostics) = match example.language {
        "xml" => lower(example.text, None),
        "config-default" => lower(SMALLEST, Some(example.text)),
        other => panic!("no example of this room is in {other}"),
    };
    diagnostics
        .iter()
        .map(|diagnostic| diagnostic.rule.id().to_owned())
        .collect()
}

/// Allowed by default, and its example would be long.
const SHOWN_BY_A_TEST: &str = "oversized_definitions";

#[test]
fn definitions_beyond_the_limit_of_oozie_are_found_where_they_are_asked_for() {
    let document = |n_bytes: usize| {
        let padding = n_bytes - SMALLEST.len() - "<!---->".len();
        format!("{SMALLEST}<!--{}-->", "x".repeat(padding))
    };
    for (n_bytes, level, n_found) in [
        (100_000, LintLevel::Warn, 0),
        (100_001, LintLevel::Warn, 1),
        (100_001, LintLevel::Allow, 0),
    ] {
        let text = document(n_bytes);
        let mut levels = LintLevels::new(RULES);
        levels.set(SHOWN_BY_A_TEST, level).expect("it is a lint");
        let mut sink = Sink::new(levels);
        let tree = xml::parse(FileId(0), &text, &mut sink).expect("the document is well-formed");
        crate::lower::workflow(&tree, None, &mut sink);
        assert_eq!(sink.into_sorted().len(), n_found, "{n_bytes} {level:?}");
    }
}

#[test]
fn examples_do_what_they_promise() {
    for rule in rules().filter(|rule| rule.id() != SHOWN_BY_A_TEST) {
        if let Err(broken) = check_explanation(rule.id(), rule.explanation(), report) {
            panic!("{broken}");
        }
    }
}

fn applied(text: &str, suggestion: &Suggestion) -> String {
    let mut edits = suggestion.edits.clone();
    edits.sort_by_key(|(span, _)| std::cmp::Reverse(*span));
    let mut changed = text.to_owned();
    for (span, replacement) in edits {
        changed.replace_range(span.range(), &replacement);
    }
    changed
}

/// Documents with mistakes that the explanations do not show, all with a suggestion.
fn more_with_suggestions() -> Vec<String> {
    let shell = "<exec>x</exec></shell>";
    vec![
        with_body("0.5", "<jav><main-class>M</main-class></jav>"),
        with_body("0.5", "<sub_workflow><app-path>p</app-path></sub_workflow>"),
        with_body(
            "0.5",
            "<s:bash xmlns:s='uri:oozie:shell-action:0.3'><s:exec>x</s:exec></s:bash>",
        ),
        with_body("0.5", &format!("<shell>{shell}")),
        with_body(
            "0.5",
            &format!("<shell xmlns='uri:oozie:shell-action:7'>{shell}"),
        ),
        with_body(
            "0.5",
            "<s:shell xmlns:s='uri:s'><s:exec>x</s:exec></s:shell>",
        ),
        with_body("0.5", "<fs><mkdri path='p'/></fs>"),
        with_body("0.5", "<fs><mkdir pth='p'/></fs>"),
        with_body("0.5", "<fs><delete/></fs>"),
        with_body("0.5", "<fs xmlns='uri:fs'><delete path='p'/></fs>"),
        with_body("0.5", "<java></java>"),
        with_body("0.5", "<fs/>").replace("<ok to='n'/>", ""),
        document("0.5", "<fork name='f'><path start='n'/></fork>"),
        document("0.5", "<decision name='d'></decision>"),
        document("0.5", "<kill name='k'></kill>"),
    ]
}

/// Applies every suggestion separately, after which nothing is reported. Returns how many there were.
fn apply_all(text: &str) -> usize {
    let mut n_applied = 0;
    for diagnostic in lower(text, None).1 {
        for suggestion in &diagnostic.suggestions {
            let changed = applied(text, suggestion);
            if suggestion.applicability == Applicability::HasPlaceholders {
                assert!(changed.contains('…'), "{changed}");
            }
            let (_, after) = lower(&changed.replace('…', "x"), None);
            assert_eq!(after, [], "{text}\n{changed}");
            n_applied += 1;
        }
    }
    n_applied
}

#[test]
fn suggestions_remove_what_they_are_for_and_add_nothing() {
    for rule in rules() {
        for example in examples(rule.explanation()) {
            if example.expectation == Expectation::Wrong && example.language == "xml" {
                apply_all(example.text);
            }
        }
    }
    for text in more_with_suggestions() {
        assert!(apply_all(&text) > 0, "{text}");
    }
}
