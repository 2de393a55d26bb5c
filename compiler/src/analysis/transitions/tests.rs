use expect_test::{Expect, expect};

use crate::{
    analysis::testing::{document, short_diagnostics},
    diagnostics::Sink,
    lower,
    source::SourceMap,
    syntax::xml,
};

#[track_caller]
fn check(nodes: &str, expect: Expect) {
    expect.assert_eq(&short_diagnostics(nodes));
}

#[test]
fn targets_that_no_node_has() {
    check(
        r#"<start to="frok"/>
<fork name="fork"><path start="a"/><path start="b"/></fork>
<action name="a"><fs><mkdir path="file:/x"/></fs><ok to="jion"/><error to="kil"/></action>
<action name="b"><fs><mkdir path="file:/x"/></fs><ok to="join"/><error to="kill"/></action>
<join name="join" to="en"/>
<kill name="kill"><message>no</message></kill>
<end name="end"/>"#,
        expect![[r#"
            1:12: H0301 undefined node `frok`
            3:58: H0301 undefined node `jion`
            3:76: H0301 undefined node `kil`
            5:23: H0301 undefined node `en`
        "#]],
    );
}

#[test]
fn transitions_out_of_unreachable_nodes_are_checked_too() {
    check(
        r#"<start to="end"/>
<action name="a"><fs><mkdir path="file:/x"/></fs><ok to="nowhere"/><error to="end"/></action>
<end name="end"/>"#,
        expect![[r#"
            2:58: H0301 undefined node `nowhere`
        "#]],
    );
}

#[test]
fn second_node_of_a_name_is_reported_and_the_first_counts() {
    check(
        r#"<start to="a"/>
<action name="a"><fs><mkdir path="file:/x"/></fs><ok to="end"/><error to="end"/></action>
<kill name="a"><message>no</message></kill>
<end name="end"/>"#,
        expect![[r#"
            3:13: H0302 node `a` is defined more than once
        "#]],
    );
}

#[test]
fn node_cannot_follow_itself() {
    check(
        r#"<start to="a"/>
<action name="a"><fs><mkdir path="file:/x"/></fs><ok to="end"/><error to="a"/></action>
<end name="end"/>"#,
        expect![[r#"
            2:75: H0303 node `a` has a transition to itself
        "#]],
    );
}

#[test]
fn names_that_no_node_can_have_are_left_to_lowering() {
    check(
        r#"<start to="d"/>
<decision name="d"><switch><case to=":start:">${x}</case><case to="${y}">${x}</case><default to="end"/></switch></decision>
<end name="end"/>"#,
        expect![[r#"
            2:38: H0219 invalid node name `:start:`
            2:68: H0220 expression in the `to` attribute
        "#]],
    );
}

#[test]
fn nearest_name_is_suggested() {
    let text = document(
        r#"<start to="claen"/><kill name="clear"><message>no</message></kill><end name="clean"/>"#,
    );
    let mut sources = SourceMap::default();
    let file = sources.add("workflow.xml".to_owned(), text.clone());
    let mut sink = Sink::default();
    let tree = xml::parse(file, &text, &mut sink).unwrap();
    let app = lower::workflow(&tree, None, &mut sink).unwrap();
    let index = super::index(&app, &mut sink);
    super::resolve(&app, &index, &mut sink);
    let diagnostics = sink.into_sorted();
    let [diagnostic] = diagnostics.as_slice() else {
        panic!("one diagnostic, found {diagnostics:?}")
    };
    let [suggestion] = diagnostic.suggestions.as_slice() else {
        panic!("one suggestion, found {diagnostic:?}")
    };
    let [(span, replacement)] = suggestion.edits.as_slice() else {
        panic!("one edit, found {suggestion:?}")
    };
    assert_eq!(
        (sources.snippet(*span), replacement.as_str()),
        ("claen", "clean")
    );
}

#[test]
fn name_without_a_node_is_reported_once() {
    check(
        r#"<start to="a"/>
<action name="a"><fs><mkdir path="file:/x"/></fs><ok to="b"/><error to="stop"/></action>
<action name="b"><fs><mkdir path="${wf:errorCode('stop')}"/></fs><ok to="end"/><error to="stop"/></action>
<end name="end"/>"#,
        expect![[r#"
            2:73: H0301 undefined node `stop`
        "#]],
    );
}

#[test]
fn what_follows_from_another_mistake_is_not_reported() {
    check(
        r#"<start to="load-data"/>
<action name="load data"><fs><mkdir path="${wf:errorCode('load-data')}"/></fs><ok to="end"/><error to="end"/></action>
<end name="end"/>"#,
        expect![[r#"
            2:19: H0219 invalid node name `load data`
        "#]],
    );
    check(
        r#"<start to="a"/>
<action name="a"><fs><mkdir path="file:/x"/></fs><ok to="finished"/><error to="finished"/></action>"#,
        expect![[r#"
            1:0: H0207 missing `end` element in the `workflow-app` element
        "#]],
    );
}

#[test]
fn nodes_that_lead_here_are_not_suggested() {
    let text = document(
        r#"<start to="counts"/><fork name="counts"><path start="a"/><path start="b"/></fork>
<action name="a"><fs><mkdir path="file:/x"/></fs><ok to="counted"/><error to="k"/></action>
<action name="b"><fs><mkdir path="file:/x"/></fs><ok to="counted"/><error to="k"/></action>
<kill name="k"><message>no</message></kill><end name="end"/>"#,
    );
    let mut sources = SourceMap::default();
    let file = sources.add("workflow.xml".to_owned(), text.clone());
    let mut sink = Sink::default();
    let tree = xml::parse(file, &text, &mut sink).unwrap();
    let app = lower::workflow(&tree, None, &mut sink).unwrap();
    let index = super::index(&app, &mut sink);
    super::resolve(&app, &index, &mut sink);
    let diagnostics = sink.into_sorted();
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(diagnostics[0].suggestions, []);
    assert_eq!(diagnostics[0].labels.len(), 2);
}
