//! Large workflows: every pass must be at most linear, and must not recurse along a path.

use std::fmt::Write as _;

use crate::analysis::{
    JobProperties,
    testing::{analyse, document},
};

/// `n` blocks of a decision and a fork with two actions that share one error handler.
fn blocks(n: usize) -> String {
    let mut nodes = r#"<start to="d0"/>"#.to_owned();
    for at in 0..n {
        write!(
            nodes,
            r#"<decision name="d{at}"><switch><case to="f{at}">${{x{at} eq 'y'}}</case><default to="end"/></switch></decision>
<fork name="f{at}"><path start="a{at}"/><path start="b{at}"/></fork>
<action name="a{at}"><fs><mkdir path="${{root}}/a"/></fs><ok to="j{at}"/><error to="handler"/></action>
<action name="b{at}"><fs><mkdir path="${{root}}/b"/></fs><ok to="j{at}"/><error to="handler"/></action>
<join name="j{at}" to="{}"/>"#,
            match at + 1 == n {
                true => "end".to_owned(),
                false => format!("d{}", at + 1),
            }
        )
        .unwrap();
    }
    nodes
        + r#"<action name="handler"><fs><touchz path="file:/failed"/></fs><ok to="k"/><error to="k"/></action><kill name="k"><message>no</message></kill><end name="end"/>"#
}

#[test]
fn ten_thousand_nodes_are_analysed() {
    let (app, facts, diagnostics) = analyse(&document(&blocks(2_000)), &JobProperties::default());
    // Their branches share a node for their errors, which is said once.
    let shared = "4:77: shared_branch_nodes two branches of fork `f0` can reach node `handler`\n";
    assert_eq!(diagnostics, shared);
    assert_eq!(app.nodes.len(), 10_004);
    assert_eq!(facts.pairing.iter().count(), 2_000);
    assert_eq!(facts.properties.len(), 2_001);
}

#[test]
fn mistakes_by_the_thousand_are_all_reported() {
    let mut nodes = String::new();
    for (at, part) in blocks(2_000).split(r#"to="handler""#).enumerate() {
        if at > 0 {
            nodes.push_str(&format!("to=\"handlr{at}\""));
        }
        nodes.push_str(part);
    }
    let (_, _, diagnostics) = analyse(&document(&nodes), &JobProperties::default());
    assert_eq!(diagnostics.lines().count(), 4_000);
}

#[test]
fn one_mistake_in_thousands_of_places_is_reported_once() {
    let nodes = blocks(2_000).replace(r#"to="handler""#, r#"to="handlr""#);
    let (_, _, diagnostics) = analyse(&document(&nodes), &JobProperties::default());
    assert_eq!(diagnostics.lines().count(), 1);
}
