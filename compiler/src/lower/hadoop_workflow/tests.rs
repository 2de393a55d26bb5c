//! Documents in the dialect of 2009.

use expect_test::{Expect, expect};

use crate::{
    lower::tests::{lower, short},
    model::{ActionKind, NodeKind},
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
    assert_eq!(text(&pig.host), "ann@h");
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

/// The diagnostics of a document whose nodes start on the second line.
#[track_caller]
fn check(nodes: &str, expect: Expect) {
    let text = format!(
        "<hadoop-workflow name='w'><start to='e'/>\n{nodes}\n<end name='e'/></hadoop-workflow>"
    );
    expect.assert_eq(&short(&text, &lower(&text, None).1));
}

#[test]
fn elements_of_oozie_are_told_apart() {
    check(
        "<kill name='k'><message>m</message></kill>\n<action name='a'><shell/></action>\n<fork name='f'><path start='e'/></fork>",
        expect![[r#"
            2:2: H0204 unknown element `kill` in the `hadoop-workflow` element
            3:2: H0204 unknown element `action` in the `hadoop-workflow` element
            4:2: H0207 missing `transition` element in the `fork` element
            4:17: H0204 unknown element `path` in the `fork` element
        "#]],
    );
}

#[test]
fn what_is_missing_or_too_much_is_said_once() {
    check(
        "<hdfs name='h'><file-sistem>f</file-sistem><user>u</user><user>u</user><commands/>text<transition name='OK' to='e'/></hdfs>\n<join/>\n<fail name='x' too='y'><message/></fail>",
        expect![[r#"
            2:2: H0207 missing transition `ERROR` in the `hdfs` element
            2:17: H0204 unknown element `file-sistem` in the `hdfs` element
            2:59: H0208 repeated `user` element in the `hdfs` element
            2:83: H0214 unexpected text in the `hdfs` element
            3:2: H0207 missing `transition` element in the `join` element
            3:2: H0217 missing `name` attribute on the `join` element
            4:16: H0215 unknown attribute `too` on the `fail` element
        "#]],
    );
}

#[test]
fn transitions_have_the_names_that_something_takes() {
    check(
        "<decision name='d'><eval name='ONE'>true</eval><default name='TWO'/><transition name='ON' to='e'/><transition name='TWO' to='e'/><transition name='TWO' to='e'/></decision>\n<ssh name='s'><host>h</host><command>c</command><transition name='OK' to='e'/><transition name='ERR' to='${x}'/></ssh>\n<ssh name='t u'><host>h</host><command>c</command><transition name='YES' to='e'/></ssh>",
        expect![[r#"
            2:32: H0207 missing transition `ONE` in the `decision` element
            2:131: H0208 repeated transition `TWO` in the `decision` element
            3:97: H0218 the `name` attribute must be `OK` or `ERROR`, and is `ERR`
            3:106: H0220 expression in the `to` attribute
            4:2: H0207 missing transition `OK` in the `ssh` element
            4:2: H0207 missing transition `ERROR` in the `ssh` element
            4:12: H0219 invalid node name `t u`
            4:69: H0218 the `name` attribute must be `OK` or `ERROR`, and is `YES`
        "#]],
    );
}

#[test]
fn other_systems_modes_and_namespaces_are_refused() {
    check(
        "<sub-workflow name='c'><host-url>http://h</host-url><hadoop-workflow>w</hadoop-workflow><transition name='OK' to='e'/><transition name='ERROR' to='e'/></sub-workflow>\n<http name='h'><url>u</url><mode>LATER</mode><transition name='OK' to='e'/><transition name='ERROR' to='e'/></http>",
        expect![[r#"
            2:25: H0805 sub-workflows on another workflow system are not supported
            3:34: H0218 the `mode` element must be `CONTINUE` or `WAIT`, and is `LATER`
        "#]],
    );
    let text = "<hadoop-workflow name='w' xmlns='uri:oozie:workflow:0.1'><start to='e'/><end name='e'/></hadoop-workflow>";
    expect![[r#"
        1:2: H0202 `hadoop-workflow` stands in a namespace
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
