//! Root elements, sections, and control flow nodes.

use expect_test::{Expect, expect};

use super::{document, lower, short};

#[track_caller]
fn check(text: &str, expected: Expect) {
    let (_, diagnostics) = lower(text, None);
    expected.assert_eq(&short(text, &diagnostics));
}

#[track_caller]
fn check_nodes(version: &str, nodes: &str, expected: Expect) {
    check(&document(version, nodes), expected);
}

#[test]
fn smallest_workflow_is_right_in_every_version() {
    for version in ["0.1", "0.2", "0.2.5", "0.3", "0.4", "0.4.5", "0.5", "1.0"] {
        check_nodes(version, "", expect![""]);
    }
}

#[test]
fn root_elements() {
    let body = "<start to='e'/><end name='e'/>";
    let ns = "xmlns='uri:oozie:workflow:0.5'";
    check(
        &format!("<workflow-ap name='w' {ns}>{body}</workflow-ap>"),
        expect![[r#"
            1:2: H0201 unknown root element `workflow-ap`
        "#]],
    );
    check(
        &format!("<project name='w'>{body}</project>"),
        expect![[r#"
        1:2: H0201 unknown root element `project`
    "#]],
    );
    check(
        "<w:workflow-app name='w' xmlns:w='uri:oozie:workflow:0.5'><w:start to='e'/><w:end name='e'/></w:workflow-app>",
        expect![""],
    );
    check(
        "<coordinator-app xmlns='uri:oozie:coordinator:0.4'/>",
        expect![[r#"
            1:2: H0207 missing `action` element in the `coordinator-app` element
            1:2: H0217 missing `name` attribute on the `coordinator-app` element
            1:2: H0217 missing `frequency` attribute on the `coordinator-app` element
            1:2: H0217 missing `start` attribute on the `coordinator-app` element
            1:2: H0217 missing `end` attribute on the `coordinator-app` element
            1:2: H0217 missing `timezone` attribute on the `coordinator-app` element
            1:2: H0802 expected a workflow, found a coordinator
        "#]],
    );
    check(
        "<bundle-app xmlns='uri:oozie:bundle:0.2'/>",
        expect![[r#"
            1:2: H0207 missing `coordinator` element in the `bundle-app` element
            1:2: H0217 missing `name` attribute on the `bundle-app` element
            1:2: H0802 expected a workflow, found a bundle
        "#]],
    );
    check(
        "<hadoop-workflow/>",
        expect![[r#"
            1:2: H0207 missing `start` element in the `hadoop-workflow` element
            1:2: H0207 missing `end` element in the `hadoop-workflow` element
            1:2: H0217 missing `name` attribute on the `hadoop-workflow` element
        "#]],
    );
    check(
        "<workflow-app xmlns='uri:oozie:coordinator:0.4'/>",
        expect![[r#"
            1:2: H0207 missing `start` element in the `workflow-app` element
            1:2: H0207 missing `end` element in the `workflow-app` element
            1:2: H0217 missing `name` attribute on the `workflow-app` element
            1:22: H0202 unknown namespace `uri:oozie:coordinator:0.4`
        "#]],
    );
}

#[test]
fn root_namespaces() {
    let body = "<start to='e'/><end name='e'/></workflow-app>";
    check(
        &format!("<workflow-app name='w'>{body}"),
        expect![[r#"
        1:2: H0203 the `workflow-app` element has no namespace
    "#]],
    );
    check(
        &format!("<workflow-app name='w' xmlns=''>{body}"),
        expect![[r#"
            1:2: H0203 the `workflow-app` element has no namespace
        "#]],
    );
    check(
        &format!("<workflow-app name='w' xmlns='uri:oozie:workflow:0.9'>{body}"),
        expect![[r#"
            1:31: H0202 unknown namespace `uri:oozie:workflow:0.9`
        "#]],
    );
    check(
        &format!("<workflow-app name='w' xmlns='http://x'>{body}"),
        expect![[r#"
            1:31: H0202 unknown namespace `http://x`
        "#]],
    );
    check(
        "<o:workflow-app name='w' xmlns:o='uri:oozie:workflow:2.0'><o:end name='e'/><o:start to='e'/></o:workflow-app>",
        expect![[r#"
            1:35: H0202 unknown namespace `uri:oozie:workflow:2.0`
            1:60: H0206 the `o:end` element must stand after `o:start`
        "#]],
    );
}

#[test]
fn sections_have_their_versions_and_places() {
    let parameters = "<parameters><property><name>a</name></property></parameters>";
    let global = "<global><name-node>n</name-node></global>";
    let start = "<start to='e'/>";
    let check = |version: &str, sections: &str, expected: Expect| {
        check(
            &format!(
                "<workflow-app name='w' xmlns='uri:oozie:workflow:{version}'>\n{sections}<end name='e'/></workflow-app>"
            ),
            expected,
        );
    };
    check("0.4", &format!("{parameters}{global}{start}"), expect![""]);
    check(
        "0.3",
        &format!("{parameters}{global}{start}"),
        expect![[r#"
        2:2: H0205 `uri:oozie:workflow:0.3` has no `parameters` element here
        2:62: H0205 `uri:oozie:workflow:0.3` has no `global` element here
    "#]],
    );
    check(
        "0.4",
        &format!("{global}{parameters}{start}"),
        expect![[r#"
        2:2: H0206 the `global` element must stand after `parameters`
    "#]],
    );
    check(
        "0.4",
        &format!("{start}{parameters}{global}"),
        expect![[r#"
        2:2: H0206 the `start` element must stand after `global`
    "#]],
    );
    check(
        "0.2",
        "<credentials/><start to='e'/>",
        expect![[r#"
            2:2: H0205 `uri:oozie:workflow:0.2` has no `credentials` element here
        "#]],
    );
    check(
        "0.4",
        "<parameters/><start to='e'/>",
        expect![[r#"
        2:2: H0207 missing `property` element in the `parameters` element
    "#]],
    );
    check(
        "0.4",
        "<parameters><property><name> </name></property><property><value>1</value></property></parameters><start to='e'/>",
        expect![[r#"
            2:24: H0221 a parameter without a name
            2:49: H0207 missing `name` element in the `property` element
        "#]],
    );
    check(
        "0.5",
        "<global><resource-manager>r</resource-manager><launcher><queue>q</queue></launcher></global><start to='e'/>",
        expect![[r#"
            2:10: H0205 `uri:oozie:workflow:0.5` has no `resource-manager` element here
            2:48: H0205 `uri:oozie:workflow:0.5` has no `launcher` element here
        "#]],
    );
    check(
        "1.0",
        "<global><launcher><memory.mb>much</memory.mb><vcores>${n}</vcores><env>A=1</env><env>B=2</env></launcher></global><start to='e'/>",
        expect![[r#"
            2:30: H0218 the `memory.mb` element must be a whole number from 0 to 4294967295, and is `much`
            2:54: H0218 the `vcores` element must be a whole number from 0 to 4294967295, and is `${n}`
        "#]],
    );
}

#[test]
fn start_and_end_stand_once() {
    let ns = "xmlns='uri:oozie:workflow:0.5'";
    check(
        &format!("<workflow-app name='w' {ns}/>"),
        expect![[r#"
        1:2: H0207 missing `start` element in the `workflow-app` element
        1:2: H0207 missing `end` element in the `workflow-app` element
    "#]],
    );
    check(
        &format!("<workflow-app {ns}><start to='e'/><end name='e'/></workflow-app>"),
        expect![[r#"
            1:2: H0217 missing `name` attribute on the `workflow-app` element
        "#]],
    );
    check(
        &format!("<workflow-app name=' ' {ns}><start to='e'/><end name='e'/></workflow-app>"),
        expect![""],
    );
    check(
        &format!(
            "<workflow-app name='w' {ns}><start to='e'/><start to='f'/><end name='e'/><end name='f'/></workflow-app>"
        ),
        expect![[r#"
            1:71: H0208 repeated `start` element in the `workflow-app` element
            1:101: H0208 repeated `end` element in the `workflow-app` element
        "#]],
    );
    check(
        &format!(
            "<workflow-app name='w' {ns}><start to='e'/><end name='e'/><kill name='k'><message>m</message></kill></workflow-app>"
        ),
        expect![[r#"
            1:71: H0206 the `end` element must stand after `kill`
        "#]],
    );
}

#[test]
fn control_nodes() {
    check_nodes(
        "0.5",
        "<fork name='f'><path start='a'/></fork>",
        expect![[r#"
            2:2: H0207 the `fork` element needs at least 2 `path` elements, and has 1
        "#]],
    );
    check_nodes(
        "0.5",
        "<fork><path/><path start='b' to='c'/></fork>",
        expect![[r#"
            2:2: H0217 missing `name` attribute on the `fork` element
            2:8: H0217 missing `start` attribute on the `path` element
            2:30: H0215 unknown attribute `to` on the `path` element
        "#]],
    );
    check_nodes(
        "0.5",
        "<join name='j'/>",
        expect![[r#"
        2:2: H0217 missing `to` attribute on the `join` element
    "#]],
    );
    check_nodes(
        "0.5",
        "<kill name='k'/>",
        expect![[r#"
        2:2: H0207 missing `message` element in the `kill` element
    "#]],
    );
    check_nodes(
        "0.5",
        "<kill name='k'>text<message>a</message><message>b</message></kill>",
        expect![[r#"
            2:16: H0214 unexpected text in the `kill` element
            2:41: H0208 repeated `message` element in the `kill` element
        "#]],
    );
    check_nodes(
        "0.5",
        "<decision name='d'/>",
        expect![[r#"
        2:2: H0207 missing `switch` element in the `decision` element
    "#]],
    );
    check_nodes(
        "0.5",
        "<decision name='d'><switch/></decision>",
        expect![[r#"
            2:21: H0207 missing `case` element in the `switch` element
            2:21: H0207 missing `default` element in the `switch` element
        "#]],
    );
    check_nodes(
        "0.5",
        "<decision name='d'><switch><default to='n'/><case to='n'>${x}</case></switch></decision>",
        expect![[r#"
            2:29: H0206 the `default` element must stand after `case`
        "#]],
    );
    check_nodes(
        "0.5",
        "<decision name='d'><case to='n'>${x}</case></decision>",
        expect![[r#"
            2:2: H0207 missing `switch` element in the `decision` element
            2:21: H0204 the `case` element cannot stand in the `decision` element
        "#]],
    );
    check_nodes(
        "0.5",
        "<fokr name='f'><path start='a'/></fokr>",
        expect![[r#"
            2:2: H0204 unknown element `fokr` in the `workflow-app` element
        "#]],
    );
    check_nodes(
        "0.5",
        "<loop/>",
        expect![[r#"
        2:2: H0204 unknown element `loop` in the `workflow-app` element
    "#]],
    );
}

#[test]
fn node_names() {
    check_nodes(
        "0.5",
        "<join name='' to='${x}'/>",
        expect![[r#"
        2:13: H0219 empty node name
        2:19: H0220 expression in the `to` attribute
    "#]],
    );
    check_nodes(
        "0.5",
        "<join name='1a' to='a b'/>",
        expect![[r#"
        2:13: H0219 invalid node name `1a`
        2:22: H0219 invalid node name `a b`
    "#]],
    );
    check_nodes(
        "0.5",
        "<join name='é' to='n&#x20;'/>",
        expect![[r#"
        2:13: H0219 invalid node name `é`
        2:21: H0219 invalid node name `n `
    "#]],
    );
    let longest = "a".repeat(128);
    check_nodes(
        "0.5",
        &format!("<join name='{longest}' to='{longest}b'/>"),
        expect![[r#"
            2:147: H0219 node name of 129 characters
        "#]],
    );
}

#[test]
fn sla_and_credentials_are_named() {
    let sla = "<i:info xmlns:i='uri:oozie:sla:0.1'/>";
    let action = |sla: &str| {
        format!("<action name='a' cred='c,d'><fs/><ok to='n'/><error to='n'/>{sla}</action>")
    };
    check_nodes(
        "0.5",
        &action(sla),
        expect![[r#"
        2:62: H0207 missing `app-name` element in the `info` element
        2:62: H0207 missing `nominal-time` element in the `info` element
        2:62: H0207 missing `should-start` element in the `info` element
        2:62: H0207 missing `should-end` element in the `info` element
        2:62: H0207 missing `alert-contact` element in the `info` element
        2:62: H0207 missing `dev-contact` element in the `info` element
        2:62: H0207 missing `qa-contact` element in the `info` element
        2:62: H0207 missing `se-contact` element in the `info` element
    "#]],
    );
    check_nodes(
        "0.1",
        &action(sla),
        expect![[r#"
            2:18: H0216 `uri:oozie:workflow:0.1` has no `cred` attribute on `action`
            2:62: H0205 `uri:oozie:workflow:0.1` has no `i:info` element here
        "#]],
    );
    check(
        "<workflow-app name='w' xmlns='uri:oozie:workflow:0.5'><credentials><credential name='c'/></credentials><start to='e'/><end name='e'/><info xmlns='uri:oozie:sla:0.2'/></workflow-app>",
        expect![[r#"
            1:69: H0217 missing `type` attribute on the `credential` element
            1:135: H0207 missing `nominal-time` element in the `info` element
            1:135: H0207 missing `should-end` element in the `info` element
        "#]],
    );
}

#[test]
fn every_mistake_is_reported_in_one_run() {
    check(
        "<workflow-app xmlns='uri:oozie:workflow:0.5' nmae='w'>\n<start/>\n<action name='a' retry-max='x'>\n<shell/>\n<ok to='${o}'/>\n</action>\n<fork name='f'/>\n<stop/>\n</workflow-app>",
        expect![[r#"
            1:2: H0207 missing `end` element in the `workflow-app` element
            1:46: H0215 unknown attribute `nmae` on the `workflow-app` element
            2:2: H0217 missing `to` attribute on the `start` element
            3:2: H0207 missing `error` element in the `action` element
            3:29: H0218 the `retry-max` attribute must be a whole number, and is `x`
            4:2: H0207 missing `exec` element in the `shell` element
            4:2: H0212 the `shell` action needs its own namespace
            5:9: H0220 expression in the `to` attribute
            7:2: H0207 the `fork` element needs at least 2 `path` elements, and has 0
            8:2: H0204 unknown element `stop` in the `workflow-app` element
        "#]],
    );
}
