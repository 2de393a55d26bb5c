use crate::analysis::{
    JobProperties,
    testing::{analyse, document},
};

/// The diagnostics about secrets in a workflow with these parameters, credentials and actions.
fn secrets(head: &str, action: &str) -> Vec<String> {
    let nodes = format!(
        r#"{head}<start to="a"/><action name="a" cred="c">{action}<ok to="end"/><error to="k"/></action>
<kill name="k"><message>failed</message></kill><end name="end"/>"#
    );
    let (_, _, said) = analyse(&document(&nodes), &JobProperties::default());
    said.lines()
        .filter_map(|line| line.split_once(" exposed_secrets "))
        .map(|(_, said)| said.to_owned())
        .collect()
}

fn shell(body: &str) -> String {
    format!(r#"<shell xmlns="uri:oozie:shell-action:1.0"><exec>x</exec>{body}</shell>"#)
}

#[track_caller]
fn check(head: &str, action: &str, expected: &[&str]) {
    assert_eq!(secrets(head, action), expected, "for `{head}{action}`");
}

#[test]
fn arguments_are_seen_by_everybody() {
    const SEEN: &[&str] = &["secret `dbPassword` ends in an argument of a command"];
    check("", &shell("<argument>${dbPassword}</argument>"), SEEN);
    check(
        "",
        &shell("<argument>-p${trim(dbPassword)}</argument>"),
        SEEN,
    );
    check(
        "",
        &shell("<argument>${x ? dbPassword : ''}</argument>"),
        SEEN,
    );
    check(
        "",
        &shell("<argument>${wf:conf('dbPassword')}</argument>"),
        SEEN,
    );
    check("", &shell("<argument>${empty dbPassword}</argument>"), &[]);
    check("", &shell("<argument>${dbPassword eq 'x'}</argument>"), &[]);
    check("", &shell("<argument>${passwordFile}</argument>"), &[]);
    check("", &shell("<env-var>P=${dbPassword}</env-var>"), &[]);
    check(
        "",
        &shell("<argument>${wf:actionData('b')['token']}</argument>"),
        &["secret `token` ends in an argument of a command"],
    );
}

#[test]
fn secrets_flow_through_other_properties() {
    let head = "<parameters><property><name>url</name><value>jdbc:x?password=${dbPassword}</value></property>\
                <property><name>target</name><value>${url};a=b</value></property></parameters>";
    check(
        head,
        &shell("<argument>${target}</argument>"),
        &["secret `dbPassword` ends in an argument of a command"],
    );
    let circle = "<parameters><property><name>a</name><value>${b}</value></property>\
                  <property><name>b</name><value>${a}</value></property></parameters>";
    check(circle, &shell("<argument>${a}</argument>"), &[]);
}

#[test]
fn what_a_credential_takes_is_a_secret() {
    let head = r#"<credentials><credential name="c" type="x"><property><name>jdbc.password</name><value>${word}</value></property></credential></credentials>"#;
    check(
        head,
        &shell("<argument>${word}</argument>"),
        &["secret `word` ends in an argument of a command"],
    );
}

#[test]
fn names_that_do_not_tell_are_masked_nowhere() {
    let property = |name: &str| {
        shell_with(&format!(
            "<configuration><property><name>{name}</name><value>jdbc:x?password=${{dbPassword}}</value></property></configuration>"
        ))
    };
    check(
        "",
        &property("url"),
        &["secret `dbPassword` ends in a property whose name does not tell a secret"],
    );
    check("", &property("jdbc.password"), &[]);
}

fn shell_with(configuration: &str) -> String {
    format!(r#"<shell xmlns="uri:oozie:shell-action:1.0">{configuration}<exec>x</exec></shell>"#)
}

#[test]
fn mails_and_commands_of_tools_show_secrets() {
    check(
        "",
        r#"<email xmlns="uri:oozie:email-action:0.2"><to>a@b</to><subject>${token}</subject><body>${apiKey}</body></email>"#,
        &[
            "secret `token` ends in the subject of a mail",
            "secret `apiKey` ends in the body of a mail",
        ],
    );
    check(
        "",
        r#"<sqoop xmlns="uri:oozie:sqoop-action:1.0"><command>import --password ${dbPassword}</command></sqoop>"#,
        &["secret `dbPassword` ends in a command of Sqoop"],
    );
    check(
        "",
        r#"<sqoop xmlns="uri:oozie:sqoop-action:1.0"><command>import --password-file ${passwordFile}</command></sqoop>"#,
        &[],
    );
}
