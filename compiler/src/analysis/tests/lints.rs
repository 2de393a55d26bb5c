//! What the lints do not report; what they report is shown by their explanations.

use std::collections::BTreeMap;

use expect_test::{Expect, expect};

use crate::analysis::{
    GivenProperty, JobProperties,
    testing::{short_diagnostics, short_diagnostics_given},
};

#[track_caller]
fn check(nodes: &str, expect: Expect) {
    expect.assert_eq(&short_diagnostics(nodes));
}

const RETRIED_SHELL: &str = r#"<start to="a"/>
<action name="a" retry-max="2" retry-interval="1"><shell xmlns="uri:oozie:shell-action:1.0"><exec>x</exec></shell><ok to="end"/><error to="end"/></action>
<end name="end"/>"#;

#[test]
fn retries_of_exit_codes_can_be_asked_for() {
    let given = |name: &str, value: &str| JobProperties {
        is_complete: false,
        zone: None,
        controls: None,
        properties: BTreeMap::from([(
            name.to_owned(),
            GivenProperty {
                value: value.to_owned(),
                span: None,
            },
        )])
        .into(),
    };
    let list = "oozie.service.LiteWorkflowStoreService.user.retry.error.code";
    for (name, value, n_lines) in [
        (format!("{list}.ext"), "ALL", 0),
        (format!("{list}.ext"), "JA001, 1", 0),
        (list.to_owned(), "ALL", 0),
        (format!("{list}.ext"), "JA001", 1),
        ("other".to_owned(), "ALL", 1),
    ] {
        let diagnostics = short_diagnostics_given(RETRIED_SHELL, &given(&name, value));
        assert_eq!(
            diagnostics.lines().count(),
            n_lines,
            "{name}={value}: {diagnostics}"
        );
    }
}

#[test]
fn no_retries_need_no_code() {
    let nodes = RETRIED_SHELL.replace(r#"retry-max="2""#, r#"retry-max="0""#);
    check(&nodes, expect![""]);
}

#[test]
fn empty_values_are_found_in_every_configuration() {
    check(
        r#"<global><configuration><property><name>g</name><value></value></property></configuration></global>
<start to="a"/>
<action name="a"><sub-workflow><app-path>/x</app-path><configuration><property><name>e</name><value> </value></property><property><name>v</name><value>${x}</value></property></configuration></sub-workflow><ok to="end"/><error to="end"/></action>
<end name="end"/>"#,
        expect![[r#"
            1:40: empty_property_values property `g` has an empty value
            3:86: empty_property_values property `e` has an empty value
        "#]],
    );
}

#[test]
fn cases_after_one_that_is_always_true_are_not_judged() {
    check(
        r#"<start to="d"/>
<decision name="d"><switch><case to="end">True</case><case to="end">true</case><case to="end">${x} eq 'y'</case><default to="end"/></switch></decision>
<end name="end"/>"#,
        expect![[r#"
            2:43: never_true_cases case for `end` is never true
            2:69: always_true_cases case for `end` is always true
        "#]],
    );
}

#[test]
fn nodes_behind_a_wrong_name_are_not_called_unreachable() {
    check(
        r#"<start to="aa"/>
<action name="a"><fs><mkdir path="file:/x"/></fs><ok to="end"/><error to="end"/></action>
<end name="end"/>"#,
        expect![[r#"
            1:12: H0301 undefined node `aa`
        "#]],
    );
}

#[test]
fn node_behind_an_unreachable_one_says_so() {
    check(
        r#"<start to="end"/>
<action name="a"><fs><mkdir path="file:/x"/></fs><ok to="b"/><error to="end"/></action>
<action name="b"><fs><mkdir path="file:/x"/></fs><ok to="end"/><error to="end"/></action>
<end name="end"/>"#,
        expect![[r#"
            2:15: unreachable_nodes node `a` is never reached
            3:15: unreachable_nodes node `b` is never reached
        "#]],
    );
}
