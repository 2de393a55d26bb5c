//! The cases of Oozie's own tests, by name, and random graphs compared with the two checks of [`oracle`].
//!
//! Graphs are written one node per line: `fork f a b`, `join j end`, `a ok error` for an action, `? d x y` for a decision
//! whose last target is the default. `start` leads to the first node; `k` is a kill and `end` the end.

use std::collections::{BTreeMap, BTreeSet};

use expect_test::expect;
use hpdlc_tests::cases;

use super::oracle;
use crate::{
    analysis::{
        GivenProperty, JobProperties,
        testing::{analyse, document},
    },
    model::WorkflowApp,
};

/// The nodes of a graph in shorthand.
fn nodes(graph: &str) -> String {
    let mut first = None;
    let mut xml = String::new();
    for line in graph.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (name, element) = match words.as_slice() {
            [] => continue,
            ["fork", name, paths @ ..] => {
                let paths: String = paths
                    .iter()
                    .map(|path| format!(r#"<path start="{path}"/>"#))
                    .collect();
                (name, format!(r#"<fork name="{name}">{paths}</fork>"#))
            }
            ["join", name, to] => (name, format!(r#"<join name="{name}" to="{to}"/>"#)),
            ["?", name, cases @ .., default] => {
                let cases: String = cases
                    .iter()
                    .enumerate()
                    .map(|(n, case)| format!(r#"<case to="{case}">${{x eq '{n}'}}</case>"#))
                    .collect();
                (
                    name,
                    format!(
                        r#"<decision name="{name}"><switch>{cases}<default to="{default}"/></switch></decision>"#
                    ),
                )
            }
            [name, ok, error] => (
                name,
                format!(
                    r#"<action name="{name}"><fs><mkdir path="file:/x"/></fs><ok to="{ok}"/><error to="{error}"/></action>"#
                ),
            ),
            [..] => panic!("no node: {line}"),
        };
        first.get_or_insert(name.to_owned());
        xml += &element;
        xml.push('\n');
    }
    format!(
        r#"<start to="{}"/>
{xml}<kill name="k"><message>no</message></kill><end name="end"/>"#,
        first.expect("a graph has nodes")
    )
}

fn analysed(graph: &str, given: &JobProperties) -> (WorkflowApp, String) {
    let (app, _, diagnostics) = analyse(&document(&nodes(graph)), given);
    (app, diagnostics)
}

/// What Oozie reports, and what is reported here, without spans and without unreachable nodes.
#[test]
fn situations() {
    cases::check(
        "compiler/src/analysis/fork_join/tests/situations.txt",
        |case| {
            let (app, diagnostics) = analysed(&case.given, &JobProperties::default());
            let reported: String = diagnostics
                .lines()
                .filter_map(|line| line.split_once(' '))
                .filter(|(_, rest)| !rest.starts_with("unreachable_nodes"))
                .map(|(_, rest)| format!("\n{rest}"))
                .collect();
            format!(
                "Oozie: {}{reported}",
                oracle::oozie(&app).unwrap_or("accepts")
            )
        },
    );
}

mod random;

#[test]
fn validation_that_is_switched_off_leaves_what_cannot_run() {
    let given = |value: &str| JobProperties {
        is_complete: false,
        zone: None,
        controls: None,
        properties: BTreeMap::from([(
            "oozie.wf.validate.ForkJoin".to_owned(),
            GivenProperty {
                value: value.to_owned(),
                span: None,
            },
        )])
        .into(),
    };
    let converging = "fork f a b\n a c k\n b c k\n c j k\n join j end";
    let to_kills = "? d f end\n fork f a b\n a k k\n b k k";
    let repeated = "fork f a a\n a j k\n join j end";
    for graph in [converging, to_kills, repeated] {
        assert_eq!(
            rules(&analysed(graph, &given("true")).1).len(),
            1,
            "{graph}"
        );
        assert!(
            rules(&analysed(graph, &given("false")).1).is_empty(),
            "{graph}"
        );
    }
    let end_inside = "fork f a b\n a j k\n b end k\n join j end";
    expect![[r#"
        4:58: H0309 `end` is reached inside fork `f`
    "#]]
    .assert_eq(&analysed(end_inside, &given("false")).1);
}

#[test]
fn faults_point_at_fork_and_join() {
    let (_, diagnostics) = analysed(
        "fork f g c\n fork g a b\n a i k\n b j k\n c j k\n join i j\n join j end",
        &JobProperties::default(),
    );
    expect![[r#"
        3:13: H0306 branches of fork `g` reach 2 different joins
    "#]]
    .assert_eq(&diagnostics);
}

/// The rules that are reported for a graph.
fn rules(diagnostics: &str) -> BTreeSet<&str> {
    diagnostics
        .lines()
        .filter_map(|line| line.split(' ').nth(1))
        .filter(|rule| rule.starts_with("H0"))
        .collect()
}
