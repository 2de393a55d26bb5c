//! Actions: their parts, types, namespaces and settings.

use expect_test::{Expect, expect};

use super::{document, lower, short, with_body};

#[track_caller]
fn check_body(version: &str, body: &str, expected: Expect) {
    let text = with_body(version, body);
    let (_, diagnostics) = lower(&text, None);
    expected.assert_eq(&short(&text, &diagnostics));
}

#[track_caller]
fn check_action(version: &str, action: &str, expected: Expect) {
    let text = document(version, action);
    let (_, diagnostics) = lower(&text, None);
    expected.assert_eq(&short(&text, &diagnostics));
}

const OLD: &str = "<job-tracker>j</job-tracker><name-node>n</name-node>";

#[test]
fn actions_need_body_ok_and_error() {
    check_action(
        "0.5",
        "<action name='a'/>",
        expect![[r#"
        2:2: H0207 missing action body in the `action` element
        2:2: H0207 missing `ok` element in the `action` element
        2:2: H0207 missing `error` element in the `action` element
    "#]],
    );
    check_action(
        "0.5",
        "<action name='a'><ok to='n'/><error/></action>",
        expect![[r#"
            2:2: H0207 missing action body in the `action` element
            2:31: H0217 missing `to` attribute on the `error` element
        "#]],
    );
    check_action(
        "0.5",
        "<action name='a'><fs/><error to='n'/><ok to='n'/></action>",
        expect![[r#"
            2:24: H0206 the `error` element must stand after `ok`
        "#]],
    );
    check_action(
        "0.5",
        "<action name='a'><fs/><okay to='n'/><error to='n'/></action>",
        expect![[r#"
            2:2: H0207 missing `ok` element in the `action` element
            2:24: H0204 unknown element `okay` in the `action` element
        "#]],
    );
    check_action(
        "0.5",
        "<action name='a'><ok to='n'/><fs/><error to='n'/></action>",
        expect![[r#"
            2:19: H0206 the `ok` element must stand after `fs`
        "#]],
    );
    check_action(
        "0.5",
        "<action name='a'><fs/><java><main-class>M</main-class></java><ok to='n'/><error to='n'/></action>",
        expect![[r#"
            2:24: H0210 a second body, `java`, in one action
        "#]],
    );
}

#[test]
fn action_attributes_have_their_versions() {
    let action = |attributes: &str| {
        format!("<action name='a' {attributes}><fs/><ok to='n'/><error to='n'/></action>")
    };
    let all = action("cred='' retry-max='1' retry-interval='2' retry-policy='EXPONENTIAL'");
    check_action(
        "0.2",
        &all,
        expect![[r#"
            2:18: H0216 `uri:oozie:workflow:0.2` has no `cred` attribute on `action`
            2:26: H0216 `uri:oozie:workflow:0.2` has no `retry-max` attribute on `action`
            2:40: H0216 `uri:oozie:workflow:0.2` has no `retry-interval` attribute on `action`
            2:59: H0216 `uri:oozie:workflow:0.2` has no `retry-policy` attribute on `action`
        "#]],
    );
    check_action(
        "0.2.5",
        &all,
        expect![[r#"
            2:26: H0216 `uri:oozie:workflow:0.2.5` has no `retry-max` attribute on `action`
            2:40: H0216 `uri:oozie:workflow:0.2.5` has no `retry-interval` attribute on `action`
            2:59: H0216 `uri:oozie:workflow:0.2.5` has no `retry-policy` attribute on `action`
        "#]],
    );
    check_action(
        "0.3",
        &all,
        expect![[r#"
            2:59: H0216 `uri:oozie:workflow:0.3` has no `retry-policy` attribute on `action`
        "#]],
    );
    check_action("0.5", &all, expect![""]);
    check_action(
        "0.5",
        &action("retry-max='${n}' retry-interval=' 1' retry-policy='exponentail' retry='1'"),
        expect![[r#"
            2:51: H0218 the `retry-interval` attribute must be a whole number, and is ` 1`
            2:69: unknown_retry_policies unknown retry policy `exponentail`
            2:82: H0215 unknown attribute `retry` on the `action` element
        "#]],
    );
    check_action(
        "0.5",
        &action("retry-max='-1' retry-policy='${p}'"),
        expect![""],
    );
    check_action(
        "0.5",
        &action(
            "xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:schemaLocation='a b' xml:lang='en'",
        ),
        expect![[r#"
            2:97: H0215 unknown attribute `xml:lang` on the `action` element
        "#]],
    );
}

#[test]
fn action_types() {
    check_body(
        "0.5",
        "<hive xmlns='uri:oozie:hive-action:0.2'><x/></hive>",
        expect![[r#"
            2:2: H0207 missing `job-tracker` element in the `hive` element
            2:2: H0207 missing `name-node` element in the `hive` element
            2:2: H0207 missing `script` element in the `hive` element
            2:42: H0204 unknown element `x` in the `hive` element
        "#]],
    );
    check_body(
        "0.5",
        "<pig><script>${</script></pig>",
        expect![[r#"
            2:14: H0401 invalid expression: expected a value, found the end of the value
        "#]],
    );
    check_body("0.5", "<map-reduce/>", expect![""]);
    check_body(
        "0.1",
        "<http/>",
        expect![[r#"
        2:2: H0207 missing `http-url` element in the `http` element
        2:2: H0207 missing one of `wait` and `continue` in the `http` element
        2:2: H0207 missing `capture-output` element in the `http` element
    "#]],
    );
    check_body(
        "0.1",
        "<email/>",
        expect![[r#"
        2:2: H0207 missing `to` element in the `email` element
        2:2: H0207 missing `subject` element in the `email` element
    "#]],
    );
    check_body(
        "0.1",
        "<ssh/>",
        expect![[r#"
        2:2: H0207 missing `host` element in the `ssh` element
        2:2: H0207 missing `command` element in the `ssh` element
    "#]],
    );
    check_body(
        "0.5",
        "<http/>",
        expect![[r#"
        2:2: H0205 `uri:oozie:workflow:0.5` has no `http` element here
    "#]],
    );
    check_body(
        "0.5",
        "<email/>",
        expect![[r#"
            2:2: H0207 missing `to` element in the `email` element
            2:2: H0207 missing `subject` element in the `email` element
            2:2: H0207 missing `body` element in the `email` element
            2:2: H0212 the `email` action needs its own namespace
        "#]],
    );
    check_body(
        "0.5",
        "<email xmlns='uri:oozie:email-action:0.1'/>",
        expect![[r#"
            2:2: H0207 missing `to` element in the `email` element
            2:2: H0207 missing `subject` element in the `email` element
            2:2: H0207 missing `body` element in the `email` element
        "#]],
    );
    check_body(
        "0.1",
        "<email xmlns='uri:oozie:email-action:0.1'/>",
        expect![[r#"
            2:2: H0207 missing `to` element in the `email` element
            2:2: H0207 missing `subject` element in the `email` element
            2:2: H0207 missing `body` element in the `email` element
        "#]],
    );
    check_body(
        "0.5",
        "<shel><exec>a</exec></shel>",
        expect![[r#"
        2:2: H0211 unknown action type `shel`
    "#]],
    );
    check_body(
        "0.5",
        "<jav><main-class>M</main-class></jav>",
        expect![[r#"
        2:2: H0211 unknown action type `jav`
    "#]],
    );
    check_body(
        "0.5",
        "<bash xmlns='uri:oozie:shell-action:0.3'/>",
        expect![[r#"
            2:2: H0211 unknown action type `bash`
        "#]],
    );
    check_body(
        "0.5",
        "<custom xmlns='uri:custom:0.1'/>",
        expect![[r#"
        2:2: H0211 unknown action type `custom`
    "#]],
    );
    check_body(
        "0.5",
        "<frobnicate/>",
        expect![[r#"
        2:2: H0211 unknown action type `frobnicate`
    "#]],
    );
}

#[test]
fn namespaces_of_actions() {
    let exec = "<exec>a</exec></shell>";
    check_body(
        "0.5",
        &format!("<shell>{exec}"),
        expect![[r#"
        2:2: H0212 the `shell` action needs its own namespace
    "#]],
    );
    check_body(
        "0.5",
        &format!("<shell xmlns=''>{exec}"),
        expect![[r#"
        2:2: H0212 the `shell` action needs its own namespace
    "#]],
    );
    check_body(
        "0.5",
        &format!("<shell xmlns='uri:oozie:shell-action:0.4'>{exec}"),
        expect![[r#"
            2:2: H0212 the `shell` action needs its own namespace
        "#]],
    );
    check_body(
        "0.5",
        &format!("<shell xmlns='uri:oozie:hive-action:0.2'>{exec}"),
        expect![[r#"
            2:2: H0212 the `shell` action needs its own namespace
        "#]],
    );
    check_body(
        "0.5",
        "<hive/>",
        expect![[r#"
            2:2: H0207 missing one of `script` and `query` in the `hive` element
            2:2: H0212 the `hive` action needs its own namespace
        "#]],
    );
    check_body(
        "0.5",
        "<java xmlns='uri:oozie:java-action:0.1'><main-class>M</main-class></java>",
        expect![[r#"
            2:2: H0213 the `java` element is in the wrong namespace
        "#]],
    );
    check_body(
        "0.5",
        "<s:shell xmlns:s='uri:oozie:shell-action:0.3'><exec>a</exec></s:shell>",
        expect![[r#"
            2:48: H0213 the `exec` element is in the wrong namespace
        "#]],
    );
    check_body(
        "0.5",
        "<s:shell xmlns:s='uri:oozie:shell-action:0.3'><s:exec>a</s:exec></s:shell>",
        expect![""],
    );
}

#[test]
fn hadoop_settings_have_their_versions() {
    let java = |settings: &str| format!("<java>{settings}<main-class>M</main-class></java>");
    check_body(
        "0.3",
        &java(""),
        expect![[r#"
        2:2: H0207 missing `job-tracker` element in the `java` element
        2:2: H0207 missing `name-node` element in the `java` element
    "#]],
    );
    check_body("0.3", &java(OLD), expect![""]);
    check_body("0.4", &java(""), expect![""]);
    check_body(
        "0.3",
        &java(&format!("{OLD}<job-xml>a</job-xml><job-xml>b</job-xml>")),
        expect![[r#"
            2:80: H0208 repeated `job-xml` element in the `java` element
        "#]],
    );
    check_body(
        "0.4",
        &java("<job-xml>a</job-xml><job-xml>b</job-xml>"),
        expect![""],
    );
    check_body(
        "0.5",
        &java("<resource-manager>r</resource-manager>"),
        expect![[r#"
            2:8: H0205 `uri:oozie:workflow:0.5` has no `resource-manager` element here
        "#]],
    );
    check_body(
        "1.0",
        &java(
            "<job-tracker>j</job-tracker><resource-manager>r</resource-manager><prepare/><launcher/>",
        ),
        expect![[r#"
            2:36: H0209 the `java` element has both `job-tracker` and `resource-manager`
        "#]],
    );
    check_body(
        "0.5",
        &java("<name-node>n</name-node><job-tracker>j</job-tracker>"),
        expect![[r#"
            2:8: H0206 the `name-node` element must stand after `job-tracker`
        "#]],
    );
    check_body(
        "0.5",
        &java("<configuration/>"),
        expect![[r#"
        2:8: H0207 missing `property` element in the `configuration` element
    "#]],
    );
    check_body(
        "0.5",
        &java(
            "<configuration><property><value>v</value><name>n</name></property><propertie/></configuration>",
        ),
        expect![[r#"
            2:33: H0206 the `value` element must stand after `name`
            2:74: H0204 unknown element `propertie` in the `configuration` element
        "#]],
    );
}

#[test]
fn expressions_are_placed_in_the_raw_file() {
    let argument = |text: &str| {
        format!("<shell xmlns='uri:oozie:shell-action:0.3'><exec>\n{text}</exec></shell>")
    };
    check_body("0.5", &argument("${a &amp;&amp; b}"), expect![""]);
    check_body(
        "0.5",
        &argument("  ${a &amp;&amp; b c}"),
        expect![[r#"
            3:20: H0401 invalid expression: expected `}` or an operator, found `c`
        "#]],
    );
    check_body(
        "0.5",
        &argument("<![CDATA[${a && b}]]> ${"),
        expect![[r#"
            3:23: H0401 invalid expression: expected a value, found the end of the value
        "#]],
    );
    check_body(
        "0.5",
        "<fs><delete path='${&quot;a&quot; ~}'/></fs>",
        expect![[r#"
            2:35: H0401 invalid expression: expected an expression, found the character `~`
        "#]],
    );
}

#[test]
fn attribute_that_stands_for_a_missing_one_is_one_mistake() {
    check_action(
        "0.5",
        "<fork name='f'><path to='n'/><path start='n'/></fork><join name='n' to='e'/>",
        expect![[r#"
            2:22: H0215 unknown attribute `to` on the `path` element
        "#]],
    );
    check_action(
        "0.5",
        "<fork name='f'><path xmlns:p='p' p:to='n'/><path a='n' b='n'/></fork><join id='n' too='e'/>",
        expect![[r#"
            2:17: H0217 missing `start` attribute on the `path` element
            2:34: H0215 unknown attribute `p:to` on the `path` element
            2:45: H0217 missing `start` attribute on the `path` element
            2:50: H0215 unknown attribute `a` on the `path` element
            2:56: H0215 unknown attribute `b` on the `path` element
            2:71: H0217 missing `name` attribute on the `join` element
            2:76: H0215 unknown attribute `id` on the `join` element
            2:83: H0215 unknown attribute `too` on the `join` element
        "#]],
    );
}

#[test]
fn expression_that_is_not_closed_is_shown_where_it_starts() {
    let text = with_body(
        "0.5",
        "<java><job-tracker>${jobTracker\n</job-tracker><name-node>n</name-node><main-class>${a} ${b\n--c ${d}</main-class></java>",
    );
    let (_, diagnostics) = lower(&text, None);
    let labels: Vec<String> = diagnostics
        .iter()
        .flat_map(|diagnostic| &diagnostic.labels)
        .map(|label| format!("{} {}", &text[label.span.range()], label.text))
        .collect();
    expect![[r#"
        ${jobTracker expected `}` or an operator
        $ expected `}` or an operator
        ${ this expression is still open"#]]
    .assert_eq(&labels.join("\n"));
}

#[test]
fn what_is_inserted_has_the_prefix_of_its_parent() {
    let text = "<w:workflow-app xmlns:w='uri:oozie:workflow:0.5' name='n'><w:start to='k'/><w:kill name='k'></w:kill><w:end name='e'/></w:workflow-app>";
    let (_, diagnostics) = lower(text, None);
    let inserted: Vec<&str> = diagnostics
        .iter()
        .flat_map(|diagnostic| &diagnostic.suggestions)
        .flat_map(|suggestion| &suggestion.edits)
        .map(|(_, inserted)| inserted.as_str())
        .collect();
    assert_eq!(inserted, ["<w:message>…</w:message>"]);
}
