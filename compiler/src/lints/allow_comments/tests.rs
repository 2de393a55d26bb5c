use super::*;
use crate::{
    diagnostics::{Diagnostic, Lint, LintLevel, LintLevels, WARNINGS},
    rules::RULES,
    source::{FileId, SourceMap},
    syntax::xml,
};

/// The diagnostics of `collect` for a document, and whether a finding of `unreachable_nodes` at `X` is then suppressed; the
/// useless comments last.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let mut sources = SourceMap::default();
    let file = sources.add("workflow.xml".to_owned(), text.to_owned());
    let mut sink = Sink::new(LintLevels::new(RULES));
    let document = xml::parse(file, text, &mut sink).expect("it is well-formed");
    collect(&document, text, &mut sink);
    let at = text.find('X').expect("every text has an X");
    let at = u32::try_from(at).expect("small");
    let lint: &'static Lint = &crate::lints::unreachable_nodes::LINT;
    sink.emit(Diagnostic::new(
        lint,
        Span::new(FileId(0), at, at + 1),
        "found",
    ));
    for allow in sink.take_useless_allows() {
        sink.emit(UselessAllow::from(allow));
    }
    let found: Vec<String> = sink
        .into_sorted()
        .iter()
        .map(|diagnostic| {
            let place = sources.snippet(diagnostic.span().expect("each has a place"));
            format!("{} {place}", diagnostic.rule.id())
        })
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn comment_counts_for_the_element_that_follows() {
    let allow = "<!-- hpdlc: allow(unreachable_nodes) -->";
    let found = "unreachable_nodes X";
    let useless = "useless_allows unreachable_nodes";
    check(&format!("{allow}<a><b n='X'/></a>"), &[]);
    check(
        &format!("<?xml version='1.0'?>\n<!-- other -->{allow}\n<!-- other --><a n='X'/>"),
        &[],
    );
    check(&format!("<a>{allow} <b><c n='X'/></b></a>"), &[]);
    check(&format!("<a>{allow} <b/><c n='X'/></a>"), &[useless, found]);
    check(&format!("<a n='X'>{allow} <b/></a>"), &[found, useless]);
    check(&format!("<a><b>X{allow}</b></a>"), &[found, useless]);
    check(&format!("<a><b>{allow}X</b></a>"), &[]);
    check(&format!("<a><b n='X'/>{allow}</a>"), &[found, useless]);
    check(&format!("<a n='X'/>{allow}"), &[found, useless]);
    check(
        &format!("<a><b/><![CDATA[{allow}]]><c n='X'/></a>"),
        &[found],
    );
    check(&format!("<a><b/><?pi {allow}?><c n='X'/></a>"), &[found]);
}

#[test]
fn names_are_a_list_and_hyphens_will_do() {
    check("<!--hpdlc:allow(unreachable-nodes)--><a n='X'/>", &[]);
    check(
        "<!-- hpdlc: allow ( unused_parameters ,\n unreachable_nodes, ) why -->\n<a n='X'/>",
        &["useless_allows unused_parameters"],
    );
    check(&format!("<!-- hpdlc: allow({WARNINGS}) --><a n='X'/>"), &[]);
}

#[test]
fn mistakes_in_comments_are_told() {
    let found = "unreachable_nodes X";
    check(
        "<!-- hpdlc: allow(unreachable_node, H0301) --><a n='X'/>",
        &[
            "unknown_lints unreachable_node",
            "unknown_lints H0301",
            found,
        ],
    );
    for comment in [
        "<!-- hpdlc: -->",
        "<!-- hpdlc: deny(unreachable_nodes) -->",
        "<!-- hpdlc: allow unreachable_nodes -->",
        "<!-- hpdlc: allow(unreachable_nodes -->",
        "<!-- hpdlc: allow( , ) -->",
    ] {
        let invalid = format!("invalid_lint_comments {comment}");
        check(&format!("{comment}<a n='X'/>"), &[&invalid, found]);
    }
    check(
        "<!-- this is not for hpdlc: allow(x) --><a n='X'/>",
        &[found],
    );
}

#[test]
fn comments_can_allow_what_is_wrong_with_comments() {
    check(
        "<!-- hpdlc: allow(unknown_lints, nonsense) --><a><!-- hpdlc: allow(unreachable_nodes) --><b n='X'/></a>",
        &[],
    );
}

#[test]
fn own_lints_warn() {
    for lint in [
        &useless_allows::LINT,
        &unknown_lints::LINT,
        &invalid_lint_comments::LINT,
    ] {
        assert_eq!(lint.default_level, LintLevel::Warn);
    }
}

/// A quadratic algorithm over comments and findings would take minutes.
#[test]
fn comments_by_the_thousand_end() {
    const N: usize = 50_000;
    let allow = "<!-- hpdlc: allow(unreachable_nodes) -->";
    let each = format!("<a>{}</a>", format!("{allow}<n/>").repeat(N));
    let in_front = format!("{}<a>{}</a>", allow.repeat(N), "<n/>".repeat(N));
    let in_one = format!(
        "<a>{}</a>",
        format!("<b>{allow}").repeat(100) + &"<n/>".repeat(N) + &"</b>".repeat(100)
    );
    let unknown = format!(
        "<a>{}</a>",
        "<!-- hpdlc: allow(unreachable_nodse) --><n/>".repeat(N)
    );
    for (text, n_useless, n_found) in [
        (each, 0, 0),
        (in_front, 0, 0),
        (in_one, 0, 0),
        (unknown, 0, N),
    ] {
        let mut sources = SourceMap::default();
        let file = sources.add("workflow.xml".to_owned(), text.clone());
        let mut sink = Sink::new(LintLevels::new(RULES));
        let document = xml::parse(file, &text, &mut sink).expect("it is well-formed");
        collect(&document, &text, &mut sink);
        let before = sink.n_found();
        assert_eq!(before, n_found);
        for (at, _) in text.match_indices("<n/>") {
            let at = u32::try_from(at).expect("small");
            let lint: &'static Lint = &crate::lints::unreachable_nodes::LINT;
            sink.emit(Diagnostic::new(lint, Span::new(file, at, at + 1), "found"));
        }
        assert_eq!(sink.n_found(), before + N);
        assert_eq!(sink.take_useless_allows().len(), n_useless);
    }
}
