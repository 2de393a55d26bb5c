//! Pictures of coordinators and bundles.

use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use hpdlc_core::secrets::Secrets;

use crate::{
    analysis::{GivenProperty, Included, JobProperties, Values},
    codegen::graph::{self, Options, Picture, StartedCoordinator},
    diagnostics::Sink,
    lower,
    model::CoordinatorApp,
    source::FileId,
    syntax::xml,
};

fn coordinator(text: &str) -> CoordinatorApp {
    let tree = xml::parse(FileId(0), text, &mut Sink::default()).expect("it is well-formed");
    lower::coordinator(&tree, None, &mut Sink::default())
}

fn picture(text: &str) -> Picture {
    let secrets = Secrets::of([("db.password", "hunter22")]);
    graph::of_coordinator(
        &coordinator(text),
        &Included::default(),
        &Values::default(),
        Some("load"),
        &secrets,
    )
}

#[track_caller]
fn check(picture: &Picture, dot: Expect) {
    dot.assert_eq(&graph::dot(picture));
    let svg = graph::svg(picture, Options::default());
    xml::parse(FileId(0), &svg, &mut Sink::default()).expect("the picture is XML");
    for node in &picture.nodes {
        assert!(
            svg.contains(&format!("<title>{}", node.title)),
            "{}",
            node.title
        );
    }
}

const DAILY: &str = r#"<coordinator-app xmlns="uri:oozie:coordinator:0.5" name="daily" frequency="${coord:days(1)}" start="${from}" end="2027-01-01T00:00Z" timezone="UTC">
<datasets>
<dataset name="logs" frequency="60" initial-instance="2026-01-01T00:00Z" timezone="UTC"><uri-template>hdfs://nn/logs/${YEAR}/${MONTH}/hunter22</uri-template></dataset>
<dataset name="idle" frequency="1" initial-instance="2026-01-01T00:00Z" timezone="UTC"><uri-template>/idle</uri-template></dataset>
</datasets>
<input-events>
<data-in name="hours" dataset="logs"><start-instance>${coord:current(-23)}</start-instance><end-instance>${coord:current(0)}</end-instance></data-in>
<data-in name="users" dataset="nowhere"><instance>${coord:latest(0)}</instance></data-in>
LOGIC
<output-events><data-out name="out" dataset="sums"><instance>${coord:current(0)}</instance></data-out></output-events>
<action><workflow><app-path>${root}/daily/workflow.xml</app-path></workflow></action>
</coordinator-app>"#;

#[test]
fn schedule_and_data_lead_to_the_action_and_on() {
    let text = DAILY.replace("LOGIC", "</input-events>");
    check(
        &picture(&text),
        expect![[r#"
            digraph "daily" {
                node [shape=box, style=rounded, fontname="sans-serif", fontsize=11];
                edge [fontname="sans-serif", fontsize=9];
                "schedule" [label="every day\nfrom – 2027-01-01T00:00Z", shape=oval, style=solid];
                "dataset logs" [label="logs\nevery 60 minutes", shape=cylinder, style=solid];
                "dataset idle" [label="idle\nevery minute", shape=cylinder, style=solid];
                "input hours" [label="hours\ncurrent(-23) … current(0)", shape=cds, style=solid];
                "dataset nowhere" [label="nowhere", shape=cylinder, style=solid];
                "input users" [label="users\nlatest(0)", shape=cds, style=solid];
                "action" [label="load\nworkflow", peripheries=2, style=solid];
                "output out" [label="out\ncurrent(0)", shape=cds, style=solid];
                "dataset sums" [label="sums", shape=cylinder, style=solid];
                "schedule" -> "action";
                "dataset logs" -> "input hours";
                "input hours" -> "action";
                "dataset nowhere" -> "input users";
                "input users" -> "action";
                "action" -> "output out";
                "output out" -> "dataset sums";
            }
        "#]],
    );
    expect![[r#"
        flowchart TD
            n0(["every day<br>from – 2027-01-01T00:00Z"])
            n1[("logs<br>every 60 minutes")]
            n2[("idle<br>every minute")]
            n3>"hours<br>current(-23) … current(0)"]
            n4[("nowhere")]
            n5>"users<br>latest(0)"]
            n6[["load<br>workflow"]]
            n7>"out<br>current(0)"]
            n8[("sums")]
            n0 --> n6
            n1 --> n3
            n3 --> n6
            n4 --> n5
            n5 --> n6
            n6 --> n7
            n7 --> n8
    "#]]
    .assert_eq(&graph::mermaid(&picture(&text)));
}

#[test]
fn input_logic_stands_between_events_and_action() {
    let text = DAILY.replace(
        "LOGIC",
        "<data-in name='more' dataset='logs'><instance>${coord:current(0)}</instance></data-in></input-events><input-logic><or min='1' wait='${w}'><data-in dataset='hours'/><and><data-in dataset='users'/></and></or></input-logic>",
    );
    check(
        &picture(&text),
        expect![[r#"
            digraph "daily" {
                node [shape=box, style=rounded, fontname="sans-serif", fontsize=11];
                edge [fontname="sans-serif", fontsize=9];
                "schedule" [label="every day\nfrom – 2027-01-01T00:00Z", shape=oval, style=solid];
                "dataset logs" [label="logs\nevery 60 minutes", shape=cylinder, style=solid];
                "dataset idle" [label="idle\nevery minute", shape=cylinder, style=solid];
                "input hours" [label="hours\ncurrent(-23) … current(0)", shape=cds, style=solid];
                "dataset nowhere" [label="nowhere", shape=cylinder, style=solid];
                "input users" [label="users\nlatest(0)", shape=cds, style=solid];
                "input more" [label="more\ncurrent(0)", shape=cds, style=solid];
                "action" [label="load\nworkflow", peripheries=2, style=solid];
                "logic 8" [label="or\nat least 1, waits ${w}", shape=hexagon, style=solid];
                "logic 9" [label="and", shape=hexagon, style=solid];
                "output out" [label="out\ncurrent(0)", shape=cds, style=solid];
                "dataset sums" [label="sums", shape=cylinder, style=solid];
                "schedule" -> "action";
                "dataset logs" -> "input hours";
                "dataset logs" -> "input more";
                "input hours" -> "logic 8";
                "dataset nowhere" -> "input users";
                "input users" -> "logic 9";
                "action" -> "output out";
                "logic 8" -> "action";
                "logic 9" -> "logic 8";
                "output out" -> "dataset sums";
            }
        "#]],
    );
}

#[test]
fn what_is_missing_is_left_out_of_the_picture() {
    let text = r#"<coordinator-app xmlns="uri:oozie:coordinator:0.5"><input-events><data-in/></input-events><output-events/><action/></coordinator-app>"#;
    check(
        &picture(text),
        expect![[r#"
            digraph "" {
                node [shape=box, style=rounded, fontname="sans-serif", fontsize=11];
                edge [fontname="sans-serif", fontsize=9];
                "schedule" [label="", shape=oval, style=solid];
                "dataset " [label="", shape=cylinder, style=solid];
                "input " [label="", shape=cds, style=solid];
                "action" [label="load\nworkflow", peripheries=2, style=solid];
                "schedule" -> "action";
                "dataset " -> "input ";
                "input " -> "action";
            }
        "#]],
    );
}

fn started(name: &str, reads: &[&str], writes: &[&str]) -> CoordinatorApp {
    let dataset_name = |uri: &str| format!("{name}-{}", uri.replace(['/', '$', '{', '}'], ""));
    let dataset = |uri: &&str| {
        format!(
            r#"<dataset name="{}" frequency="60" initial-instance="i" timezone="UTC"><uri-template>{uri}</uri-template></dataset>"#,
            dataset_name(uri)
        )
    };
    let datasets: String = reads.iter().chain(writes).map(dataset).collect();
    let events = |tag: &str, uris: &[&str]| -> String {
        let event = |uri: &&str| {
            format!(
                r#"<{tag} name="e" dataset="{}"><instance>x</instance></{tag}>"#,
                dataset_name(uri)
            )
        };
        uris.iter().map(event).collect()
    };
    coordinator(&format!(
        r#"<coordinator-app xmlns="uri:oozie:coordinator:0.4" name="{name}" frequency="60" start="s" end="e" timezone="UTC"><datasets>{datasets}</datasets><input-events>{}</input-events><output-events>{}</output-events><action/></coordinator-app>"#,
        events("data-in", reads),
        events("data-out", writes)
    ))
}

#[test]
fn coordinators_of_a_bundle_feed_each_other_by_equal_uris() {
    let text = r#"<bundle-app xmlns="uri:oozie:bundle:0.2" name="all">
<coordinator name="load"><app-path>/a/load</app-path></coordinator>
<coordinator name="sum" enabled="TRUE"><app-path>/a/sum</app-path></coordinator>
<coordinator name="old" enabled="false"><app-path>/a/old</app-path></coordinator>
</bundle-app>"#;
    let tree = xml::parse(FileId(0), text, &mut Sink::default()).expect("it is well-formed");
    let app = lower::bundle(&tree, None, &mut Sink::default());
    let load = started("load", &["/raw/${YEAR}"], &["${root}/clean/${YEAR}"]);
    let sum = started(
        "sum",
        &["/data/clean/${YEAR}"],
        &["/data/clean/${YEAR}", "${x}/sums"],
    );
    let property = GivenProperty {
        value: "/data".to_owned(),
        span: None,
    };
    let given = JobProperties {
        is_complete: false,
        zone: None,
        controls: None,
        properties: BTreeMap::from([("root".to_owned(), property)]).into(),
    };
    let (known, none) = (Values::new(&[], &[], &given), Values::default());
    let included = Included::default();
    let found = |app, values| {
        Some(StartedCoordinator {
            app,
            included: &included,
            values,
        })
    };
    let picture = graph::of_bundle(
        &app,
        &[found(&load, &known), found(&sum, &none), None],
        &Secrets::default(),
    );
    check(
        &picture,
        expect![[r#"
        digraph "all" {
            node [shape=box, style=rounded, fontname="sans-serif", fontsize=11];
            edge [fontname="sans-serif", fontsize=9];
            "load" [label="load\nevery 60 minutes", peripheries=2, style=solid];
            "sum" [label="sum\nevery 60 minutes", peripheries=2, style=solid];
            "old" [label="old\ncoordinator", peripheries=2, style=solid];
            "dataset /raw/${YEAR}" [label="load-rawYEAR", shape=cylinder, style=solid];
            "dataset /data/clean/${YEAR}" [label="load-rootcleanYEAR", shape=cylinder, style=solid];
            "dataset ${x}/sums" [label="sum-xsums", shape=cylinder, style=solid];
            "load" -> "dataset /data/clean/${YEAR}";
            "sum" -> "dataset /data/clean/${YEAR}";
            "sum" -> "dataset ${x}/sums";
            "dataset /raw/${YEAR}" -> "load";
            "dataset /data/clean/${YEAR}" -> "sum";
        }
    "#]],
    );
}
