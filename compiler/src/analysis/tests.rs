//! Tests of all passes together: explanations, facts, speed, and a corpus of real workflows.

mod corpus;
mod lints;
mod scale;
mod seeded;

use std::collections::BTreeMap;

use expect_test::{Expect, expect};

use crate::{
    analysis::{
        JobProperties,
        testing::{analyse, analyse_any, document},
    },
    diagnostics::{LintLevel, LintLevels, check_explanation},
    model::TransitionKind,
    rules::RULES,
};

/// Rules of this room, by the prefix of their id.
fn is_ours(id: &str) -> bool {
    const OURS: [&str; 6] = ["H03", "H041", "H051", "H06", "H07", "H0812"];
    OURS.iter().any(|prefix| id.starts_with(prefix))
        || crate::lints::LINTS.iter().any(|lint| lint.name == id)
}

#[test]
fn explanations_keep_their_promises() {
    // These require more than one document; `tests/ui` covers them.
    let of_several = [
        "H0614",
        "H0708",
        "H0723",
        "H0724",
        "namespaced_datasets",
        "unknown_data_keys",
        // These need scripts in the folder.
        "hiveconf_parameters",
        "misspelt_data_keys",
        "missing_script_parameters",
        "unused_script_parameters",
        // The driver makes this of other mistakes.
        "unreachable_mistakes",
    ];
    // These are found only if all properties are known.
    let needs_given = ["H0511", "H0512", "H0514", "H0515", "unset_properties"];
    let rules = RULES
        .codes()
        .map(|code| (code.id, code.explanation))
        .chain(RULES.lints().map(|lint| (lint.name, lint.explanation)))
        .filter(|(id, _)| is_ours(id) && !of_several.contains(id));
    let mut n_rules = 0;
    for (id, explanation) in rules {
        n_rules += 1;
        let given = JobProperties {
            is_complete: needs_given.contains(&id),
            zone: None,
            controls: None,
            properties: BTreeMap::new().into(),
        };
        let promises = check_explanation(id, explanation, |example| {
            let mut levels = LintLevels::new(RULES);
            if RULES.lints().any(|lint| lint.name == id) {
                // Its default may be `allow`.
                levels.set(id, LintLevel::Warn).expect("it is registered");
            }
            analyse_any(example.text, &given, levels)
                .lines()
                .map(|line| {
                    let mut words = line.split(' ');
                    words.nth(1).unwrap_or(line).to_owned()
                })
                // An unsupported type is not reported for an example about another rule.
                .filter(|found| found == id || !found.starts_with("H080"))
                .collect()
        });
        assert_eq!(promises, Ok(()), "{id}");
    }
    assert!(n_rules > 20, "the list has this room's rules");
}

/// Edges, pairs and properties of a workflow without mistakes.
#[track_caller]
fn check_facts(nodes: &str, expect: Expect) {
    let (app, facts, diagnostics) = analyse(&document(nodes), &JobProperties::default());
    assert_eq!(diagnostics, "");
    let name = |id| app.node(id).name.value.as_str();
    let mut text = String::new();
    for node in &app.nodes {
        for edge in facts.graph.edges_from(node.id) {
            text += &format!("{} {:?} {}\n", name(edge.from), edge.kind, name(edge.to));
        }
    }
    for (fork, join) in facts.pairing.iter() {
        text += &format!("{} joins at {}\n", name(fork), name(join));
    }
    expect.assert_eq(&text);
}

#[test]
fn facts_hold_edges_and_pairs() {
    check_facts(
        r#"<start to="d"/>
<decision name="d"><switch><case to="f">${x}</case><default to="end"/></switch></decision>
<fork name="f"><path start="a"/><path start="j"/></fork>
<action name="a"><fs><mkdir path="file:/x"/></fs><ok to="j"/><error to="k"/></action>
<join name="j" to="end"/>
<kill name="k"><message>no</message></kill>
<end name="end"/>"#,
        expect![[r#"
            :start: Start d
            d Case(0) f
            d Default end
            f Branch(0) a
            f Branch(1) j
            a Ok j
            a Error k
            j Joined end
            f joins at j
        "#]],
    );
}

#[test]
fn transitions_are_looked_up_by_kind() {
    let (app, facts, _) = analyse(
        &document(
            r#"<start to="d"/><decision name="d"><switch><case to="k">${x}</case><default to="end"/></switch></decision><kill name="k"><message>no</message></kill><end name="end"/>"#,
        ),
        &JobProperties::default(),
    );
    let node = |name| app.node_named(name).unwrap();
    let target = |kind| facts.graph.target(node("d"), kind);
    assert_eq!(target(TransitionKind::Case(0)), Some(node("k")));
    assert_eq!(target(TransitionKind::Default), Some(node("end")));
    assert_eq!(target(TransitionKind::Case(1)), None);
    assert!(facts.is_reached(node("k")));
    assert_eq!(facts.property("x").map(|x| x.uses.len()), Some(1));
    assert_eq!(facts.property("y"), None);
}
