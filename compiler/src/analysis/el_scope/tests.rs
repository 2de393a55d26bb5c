use expect_test::{Expect, expect};

use crate::analysis::{
    Given,
    testing::{analyse, short_diagnostics},
};

/// The text as the path of a `mkdir`; its first column is 1.
#[track_caller]
fn check(text: &str, expect: Expect) {
    let nodes = format!(
        r#"<start to="a"/>
<action name="a"><fs><mkdir path="
{text}"/></fs><ok to="end"/><error to="end"/></action>
<end name="end"/>"#
    );
    expect.assert_eq(&short_diagnostics(&nodes));
}

#[test]
fn functions_of_workflows_are_known() {
    check(
        "${concat(trim(a), urlEncode(wf:user()))}${wf:conf('x')}${fs:exists(b)}${timestamp()}",
        expect![""],
    );
}

#[test]
fn unknown_functions_are_reported_each() {
    check(
        "${wf:users()}/${cancat('a', nothing:here(b))}/${user()}",
        expect![[r#"
            3:3: H0411 undefined function `wf:users`
            3:17: H0411 undefined function `cancat`
            3:29: H0411 undefined function `nothing:here`
            3:49: H0411 undefined function `user`
        "#]],
    );
}

#[test]
fn coordinator_functions_are_reported() {
    check(
        "${coord:formatTime(t, 'yyyy')}",
        expect![[r#"
        3:3: H0411 undefined function `coord:formatTime`
    "#]],
    );
}

#[test]
fn numbers_of_arguments_are_checked() {
    check(
        "${concat('a', 'b', 'c')}${trim()}${wf:id('x')}",
        expect![[r#"
            3:3: H0412 expected 2 arguments for `concat`, found 3
            3:27: H0412 expected 1 argument for `trim`, found 0
            3:36: H0412 expected 0 arguments for `wf:id`, found 1
        "#]],
    );
}

#[test]
fn functions_of_clusters_are_known() {
    check(
        "${hadoop:counters('a')['g']['c']}${hcat:exists(x)}${hadoop:conf(x, 'y')}",
        expect![[r#"
            3:19: unavailable_node_references node `a` asks `hadoop:counters` about itself
        "#]],
    );
}

#[test]
fn literal_names_of_nodes_are_looked_up() {
    check(
        "${wf:actionData(a)['x']}${wf:errorCode('b')}${wf:transition(c)}${wf:lastErrorNode()}",
        expect![[r#"
            3:40: undefined_node_references `wf:errorCode` asks about undefined node `b`
        "#]],
    );
}

#[test]
fn nothing_can_be_called_at_submission() {
    let document = r#"<workflow-app xmlns="uri:oozie:workflow:1.0" name="${concat(a, b)}">
<start to="a"/>
<action name="a" retry-max="${wf:conf('n')}" retry-interval="${n}"><fs><mkdir path="file:/x"/></fs><ok to="end"/><error to="end"/></action>
<end name="end"/></workflow-app>"#;
    let (_, _, diagnostics) = analyse(document, &Given::default());
    expect![[r#"
        1:54: H0413 function `concat` cannot be called here
        3:31: H0413 function `wf:conf` cannot be called here
    "#]]
    .assert_eq(&diagnostics);
}
