//! Documents in the dialect of 2009.

use expect_test::expect;
use hpdlc_tests::cases;

use crate::{
    lower::tests::{lower, short},
    model::{ActionKind, NodeKind, action::pig::PigScript},
};

/// Every element of the dialect.
const ACTIONS: &str = include_str!("../tests/damage/proposal.xml");

#[test]
fn every_element_has_its_place_in_the_model() {
    let (app, diagnostics) = lower(ACTIONS, None);
    assert_eq!(short(ACTIONS, &diagnostics), "");
    let app = app.expect("it is a workflow");
    let action = |name: &str| {
        let id = app.node_named(name).expect("there is a node of that name");
        match &app.node(id).kind {
            NodeKind::Action(action) => &action.kind,
            other => panic!("{other:?} is no action"),
        }
    };
    let ActionKind::MapReduce(hadoop) = action("mr") else {
        panic!("it is `map-reduce`")
    };
    let text = |template: &Option<crate::model::Template>| {
        let template = template.as_ref().expect("it is there");
        template.text.as_str().to_owned()
    };
    assert_eq!(text(&hadoop.settings.name_node), "hdfs://nn:1");
    assert_eq!(text(&hadoop.settings.resource_manager), "jt:1");
    assert_eq!(hadoop.settings.configuration.properties.len(), 1);
    assert_eq!((hadoop.files.len(), hadoop.archives.len()), (2, 1));
    let ActionKind::Pig(pig) = action("p") else {
        panic!("it is `pig`")
    };
    let PigScript::OnHost(host, _) = &pig.script else {
        panic!("it has a host")
    };
    assert_eq!(host.text.as_str(), "ann@h");
    assert_eq!(pig.params.len(), 1);
    let ActionKind::Fs(hdfs) = action("files") else {
        panic!("it is `fs`")
    };
    assert!(hdfs.of_proposal);
    assert_eq!(hdfs.operations.len(), 3);
    assert_eq!(text(&hdfs.settings.name_node), "hdfs://nn:1");
    let ActionKind::Http(http) = action("web") else {
        panic!("it is `http`")
    };
    assert!(http.waits_for_callback && http.capture_output && http.post.is_some());
    let id = app.node_named("choose").expect("there is one");
    let NodeKind::Decision(decision) = &app.node(id).kind else {
        panic!("it is a decision")
    };
    assert_eq!(decision.cases[0].to.value, "broken");
    assert_eq!(
        decision.default.as_ref().map(|to| to.value.as_str()),
        Some("end")
    );
    let id = app.node_named("broken").expect("there is one");
    assert_eq!(app.node(id).kind.element(), "fail");
}

/// The diagnostics of documents whose nodes start on the second line.
#[test]
fn nodes() {
    cases::check("compiler/src/lower/proposal/tests.txt", |case| {
        let text = format!(
            "<hadoop-workflow name='w'><start to='e'/>\n{}\n<end name='e'/></hadoop-workflow>",
            case.given
        );
        short(&text, &lower(&text, None).1)
    });
}

#[test]
fn namespaces_are_refused() {
    let text = "<hadoop-workflow name='w' xmlns='uri:oozie:workflow:0.1'><start to='e'/><end name='e'/></hadoop-workflow>";
    expect![[r#"
        1:2: H0202 `hadoop-workflow` is in a namespace
    "#]]
    .assert_eq(&short(text, &lower(text, None).1));
}

#[test]
fn defaults_are_those_of_the_configuration_beside_it() {
    let text = "<hadoop-workflow name='w'><start to='e'/><end name='e'/></hadoop-workflow>";
    let defaults =
        "<configuration><property><name>a</name><value>1</value></property></configuration>";
    let (app, diagnostics) = lower(text, Some(defaults));
    assert_eq!(diagnostics, []);
    assert_eq!(app.expect("it is a workflow").config_default.len(), 1);
}
