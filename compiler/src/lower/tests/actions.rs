//! The bodies of every action type, in every version that differs.

use std::fmt::Write as _;

use expect_test::expect;
use hpdlc_tests::cases;

use super::{lower, shown::Shown, with_body};
use crate::model::WorkflowApp;

fn model_of(document: &str) -> WorkflowApp {
    let (app, diagnostics) = lower(document, None);
    assert_eq!(diagnostics, []);
    app.expect("it is a workflow")
}

/// The first action of a workflow of schema `VERSION` with the body that follows it.
fn shown(given: &str) -> String {
    let (version, body) = given.split_once(' ').expect("a version and a body");
    let app = model_of(&with_body(version, body));
    let (_, action) = app.actions().next().expect("it has an action");
    let mut shown = Shown::default();
    writeln!(shown.0, "{}", action.kind.name()).expect("writing to a string");
    shown.settings(&action.kind);
    shown.body(&action.kind);
    shown.0
}

#[test]
fn models() {
    cases::check("compiler/src/lower/tests/models.txt", |case| {
        shown(&case.given)
    });
}

#[test]
fn global_reaches_the_types_that_take_it() {
    let body = |name: &str, content: &str| {
        let namespace = match name {
            "pig" => "uri:oozie:workflow:1.0".to_owned(),
            "email" => "uri:oozie:email-action:0.2".to_owned(),
            "ssh" => "uri:oozie:ssh-action:0.2".to_owned(),
            other => format!("uri:oozie:{other}-action:1.0"),
        };
        format!(
            "<action name='{name}'><{name} xmlns='{namespace}'>{content}</{name}><ok to='n'/><error to='n'/></action>"
        )
    };
    let actions = [
        body("pig", "<job-xml>own</job-xml><script>s</script>"),
        body("distcp", "<arg>a</arg><arg>b</arg>"),
        body("email", "<to>a</to><subject>s</subject><body>b</body>"),
        body("ssh", "<host>h</host><command>c</command>"),
        body(
            "git",
            "<name-node>own</name-node><git-uri>u</git-uri><destination-uri>d</destination-uri>",
        ),
    ]
    .concat();
    let app = model_of(&format!(
        "<workflow-app name='w' xmlns='uri:oozie:workflow:1.0'><global><job-tracker>jt</job-tracker><name-node>nn</name-node><job-xml>g</job-xml></global><start to='pig'/>{actions}<end name='n'/></workflow-app>"
    ));
    let mut shown = Shown::default();
    for (node, action) in app.actions() {
        writeln!(shown.0, "{}", node.name.value).expect("writing to a string");
        shown.settings(&action.kind);
    }
    expect![[r#"
        pig
        resource-manager: "jt"
        name-node: "nn"
        job-xml: ["g", "own"]
        distcp
        resource-manager: "jt"
        name-node: "nn"
        job-xml: ["g"]
        email
        ssh
        git
        resource-manager: "jt"
        name-node: "own"
        job-xml: ["g"]
    "#]]
    .assert_eq(&shown.0);
}

#[test]
fn credentials_and_their_names() {
    let app = model_of(
        "<workflow-app name='w' xmlns='uri:oozie:workflow:0.5'><credentials><credential name='Meta' type='hcat'><property><name>u</name><value> ${uri} </value></property></credential><credential name='x' type='hbase'/></credentials><start to='a'/><action name='a' cred='meta, x,,y,'><fs/><ok to='n'/><error to='n'/></action><end name='n'/></workflow-app>",
    );
    let credentials = app.credentials.as_ref().expect("there is a section");
    let shown: Vec<_> = credentials
        .list
        .iter()
        .map(|credential| {
            (
                credential.name.value.as_str(),
                credential.r#type.value.as_str(),
                credential.properties.len(),
            )
        })
        .collect();
    assert_eq!(shown, [("Meta", "hcat", 1), ("x", "hbase", 0)]);
    assert_eq!(
        credentials
            .named("META")
            .map(|credential| credential.properties[0].value.text.as_str().to_owned()),
        Some("${uri}".to_owned())
    );
    let (_, action) = app.actions().next().expect("there is an action");
    let names: Vec<&str> = action
        .credentials
        .iter()
        .map(|name| name.value.as_str())
        .collect();
    assert_eq!(names, ["meta", " x", "", "y"]);
}

#[test]
fn service_levels_of_both_versions() {
    let app = model_of(
        "<workflow-app name='w' xmlns='uri:oozie:workflow:0.5' xmlns:s='uri:oozie:sla:0.2' xmlns:o='uri:oozie:sla:0.1'><start to='a'/><action name='a'><fs/><ok to='n'/><error to='n'/><o:info><o:app-name>app</o:app-name><o:nominal-time>t</o:nominal-time><o:should-start>1</o:should-start><o:should-end>2</o:should-end><o:alert-contact>c</o:alert-contact><o:dev-contact>d</o:dev-contact><o:qa-contact>q</o:qa-contact><o:se-contact>s</o:se-contact></o:info></action><end name='n'/><s:info><s:nominal-time>${t}</s:nominal-time><s:should-start>${10 * MINUTES}</s:should-start><s:should-end>30</s:should-end><s:max-duration>20</s:max-duration><s:alert-events>start_miss</s:alert-events><s:alert-contact>c@x</s:alert-contact><s:notification-msg>m</s:notification-msg><s:upstream-apps>u</s:upstream-apps></s:info></workflow-app>",
    );
    let (_, action) = app.actions().next().expect("there is an action");
    let mut shown = Shown::default();
    for sla in action.sla.iter().chain(&app.sla) {
        writeln!(shown.0, "{} {}", sla.name.value, sla.is_version_0_1)
            .expect("writing to a string");
        for text in sla.templates() {
            shown.text("text", text);
        }
        let texts = &sla.texts;
        for (name, text) in [
            ("app-name", &texts.app_name),
            ("dev-contact", &texts.dev_contact),
            ("qa-contact", &texts.qa_contact),
            ("se-contact", &texts.se_contact),
        ] {
            if let Some(text) = text {
                shown.text(name, text);
            }
        }
    }
    expect![[r#"
        o:info true
        text: "t"
        text: "1"
        text: "2"
        text: "c"
        text: "app"
        text: "d"
        text: "q"
        text: "s"
        app-name: "app"
        dev-contact: "d"
        qa-contact: "q"
        se-contact: "s"
        s:info false
        text: "${t}"
        text: "${10 * MINUTES}"
        text: "30"
        text: "20"
        text: "start_miss"
        text: "c@x"
        text: "m"
        text: "u"
    "#]]
    .assert_eq(&shown.0);
}
