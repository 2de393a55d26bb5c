//! The bodies of every action type, in every version that differs.

use std::fmt::Write as _;

use expect_test::{Expect, expect};

use super::{lower, shown::Shown, with_body};
use crate::model::WorkflowApp;

fn model_of(document: &str) -> WorkflowApp {
    let (app, diagnostics) = lower(document, None);
    assert_eq!(diagnostics, []);
    app.expect("it is a workflow")
}

/// The first action of a workflow of schema `version` with this body.
#[track_caller]
fn check(version: &str, body: &str, expected: Expect) {
    let app = model_of(&with_body(version, body));
    let (_, action) = app.actions().next().expect("it has an action");
    let mut shown = Shown::default();
    writeln!(shown.0, "{}", action.kind.name()).expect("writing to a string");
    shown.settings(&action.kind);
    shown.body(&action.kind);
    expected.assert_eq(&shown.0);
}

/// What the launcher's types of schema 1.0 have in common.
const COMMON: &str = "<resource-manager>rm</resource-manager><name-node>nn</name-node><prepare><delete path='d'/><mkdir path='m'/></prepare><launcher><queue>q</queue></launcher><job-xml>j1</job-xml><job-xml>j2</job-xml><configuration><property><name>k</name><value>v</value></property></configuration>";

/// What comes last in most types.
const FILES: &str = "<file>f1#l</file><file>f2</file><archive>a</archive>";

#[test]
fn map_reduce_with_classes() {
    check(
        "1.0",
        &format!("<map-reduce>{COMMON}<config-class>C</config-class>{FILES}</map-reduce>"),
        expect![[r#"
            map-reduce
            resource-manager: "rm"
            name-node: "nn"
            job-xml: ["j1", "j2"]
            oozie.launcher.queue: "q"
            k: "v"
            delete: "d"
            mkdir: "m"
            config-class: "C"
            files: ["f1#l", "f2"]
            archives: ["a"]
        "#]],
    );
}

#[test]
fn map_reduce_with_streaming_and_pipes() {
    check(
        "0.1",
        "<map-reduce><job-tracker>jt</job-tracker><name-node>nn</name-node><streaming><mapper>/bin/cat</mapper><reducer>/usr/bin/wc</reducer><record-reader>R</record-reader><record-reader-mapping>a=b</record-reader-mapping><env>X=1</env><env>Y=2</env></streaming></map-reduce>",
        expect![[r#"
            map-reduce
            resource-manager: "jt"
            name-node: "nn"
            mapper: "/bin/cat"
            reducer: "/usr/bin/wc"
            record-reader: "R"
            mappings: ["a=b"]
            env: ["X=1", "Y=2"]
        "#]],
    );
    check(
        "0.5",
        "<map-reduce><pipes><map>M</map><reduce>R</reduce><inputformat>I</inputformat><partitioner>P</partitioner><writer>W</writer><program>bin/p#p</program></pipes></map-reduce>",
        expect![[r#"
            map-reduce
            map: "M"
            reduce: "R"
            inputformat: "I"
            partitioner: "P"
            writer: "W"
            program: "bin/p#p"
        "#]],
    );
}

#[test]
fn pig() {
    check(
        "1.0",
        &format!(
            "<pig>{COMMON}<script> s.pig </script><param>A=1</param><argument>-v</argument>{FILES}</pig>"
        ),
        expect![[r#"
            pig
            resource-manager: "rm"
            name-node: "nn"
            job-xml: ["j1", "j2"]
            oozie.launcher.queue: "q"
            k: "v"
            delete: "d"
            mkdir: "m"
            script: "s.pig"
            params: ["A=1"]
            arguments: ["-v"]
            files: ["f1#l", "f2"]
            archives: ["a"]
        "#]],
    );
}

#[test]
fn hive_by_script_and_by_query() {
    check(
        "0.4",
        "<hive xmlns='uri:oozie:hive-action:0.2'><job-tracker>jt</job-tracker><name-node>nn</name-node><script>s.q</script><param>A=1</param><file>f</file></hive>",
        expect![[r#"
            hive
            resource-manager: "jt"
            name-node: "nn"
            script: "s.q"
            params: ["A=1"]
            files: ["f"]
        "#]],
    );
    check(
        "1.0",
        &format!(
            "<hive xmlns='uri:oozie:hive-action:1.0'>{COMMON}<query>SELECT 1;</query><argument>-v</argument></hive>"
        ),
        expect![[r#"
            hive
            resource-manager: "rm"
            name-node: "nn"
            job-xml: ["j1", "j2"]
            oozie.launcher.queue: "q"
            k: "v"
            delete: "d"
            mkdir: "m"
            query: "SELECT 1;"
            arguments: ["-v"]
        "#]],
    );
}

#[test]
fn hive2() {
    check(
        "0.5",
        "<hive2 xmlns='uri:oozie:hive2-action:0.1'><jdbc-url>jdbc:hive2://h</jdbc-url><password>p</password><script>s.q</script><param>A=1</param><argument>-v</argument><file>f</file><archive>z</archive></hive2>",
        expect![[r#"
            hive2
            jdbc-url: "jdbc:hive2://h"
            password: "p"
            script: "s.q"
            params: ["A=1"]
            arguments: ["-v"]
            files: ["f"]
            archives: ["z"]
        "#]],
    );
    check(
        "1.0",
        "<hive2 xmlns='uri:oozie:hive2-action:1.0'><jdbc-url>u</jdbc-url><query>Q</query></hive2>",
        expect![[r#"
            hive2
            jdbc-url: "u"
            query: "Q"
        "#]],
    );
}

#[test]
fn spark() {
    check(
        "1.0",
        &format!(
            "<spark xmlns='uri:oozie:spark-action:1.0'>{COMMON}<master>yarn</master><mode>cluster</mode><name>n</name><class>C</class><jar>a.jar</jar><spark-opts>--conf a=b</spark-opts><arg>1</arg><arg/>{FILES}</spark>"
        ),
        expect![[r#"
            spark
            resource-manager: "rm"
            name-node: "nn"
            job-xml: ["j1", "j2"]
            oozie.launcher.queue: "q"
            k: "v"
            delete: "d"
            mkdir: "m"
            master: "yarn"
            mode: "cluster"
            name: "n"
            class: "C"
            jar: "a.jar"
            spark-opts: "--conf a=b"
            args: ["1", ""]
            files: ["f1#l", "f2"]
            archives: ["a"]
        "#]],
    );
}

#[test]
fn sqoop_by_command_and_by_arguments() {
    check(
        "0.4",
        "<sqoop xmlns='uri:oozie:sqoop-action:0.4'><command>import --table t</command><file>f</file></sqoop>",
        expect![[r#"
            sqoop
            command: "import --table t"
            files: ["f"]
        "#]],
    );
    check(
        "1.0",
        "<sqoop xmlns='uri:oozie:sqoop-action:1.0'><arg>import</arg><arg>--query</arg><arg>select a b</arg></sqoop>",
        expect![[r#"
            sqoop
            args: ["import", "--query", "select a b"]
        "#]],
    );
}

#[test]
fn distcp() {
    check(
        "0.5",
        "<distcp xmlns='uri:oozie:distcp-action:0.2'><java-opts>-Xmx1g</java-opts><arg>-update</arg><arg>/a</arg><arg>/b</arg></distcp>",
        expect![[r#"
            distcp
            java-opts: "-Xmx1g"
            args: ["-update", "/a", "/b"]
        "#]],
    );
}

#[test]
fn email_with_a_body_or_a_message() {
    check(
        "0.5",
        "<email xmlns='uri:oozie:email-action:0.2'><to>a@x,b@x</to><cc>c@x</cc><bcc>d@x</bcc><subject>s</subject><body>b\nc</body><content_type>text/html</content_type><attachment>/f</attachment></email>",
        expect![[r#"
            email
            to: "a@x,b@x"
            cc: "c@x"
            bcc: "d@x"
            subject: "s"
            body: "b\nc"
            content type: "text/html"
            attachment: "/f"
        "#]],
    );
    check(
        "0.1",
        "<email><to>a@x</to><subject>s</subject><message>m</message></email>",
        expect![[r#"
            email
            to: "a@x"
            subject: "s"
            body: "m"
        "#]],
    );
}

#[test]
fn ssh_with_both_kinds_of_arguments() {
    check(
        "0.1",
        "<ssh><host>u@h</host><command>c</command><args>a b</args><args>c</args><capture-output/></ssh>",
        expect![[r#"
            ssh
            host: "u@h"
            command: "c"
            flattened: ["a b", "c"]
            capture
        "#]],
    );
    check(
        "0.5",
        "<ssh xmlns='uri:oozie:ssh-action:0.2'><host>h</host><command>c</command><arg>a b</arg></ssh>",
        expect![[r#"
            ssh
            host: "h"
            command: "c"
            preserved: ["a b"]
        "#]],
    );
}

#[test]
fn git() {
    check(
        "1.0",
        "<git xmlns='uri:oozie:git-action:1.0'><resource-manager>rm</resource-manager><name-node>nn</name-node><prepare><delete path='d'/></prepare><git-uri>https://h/r</git-uri><branch>main</branch><key-path>k</key-path><destination-uri>hdfs:///d</destination-uri></git>",
        expect![[r#"
            git
            resource-manager: "rm"
            name-node: "nn"
            delete: "d"
            git-uri: "https://h/r"
            branch: "main"
            key-path: "k"
            destination-uri: "hdfs:///d"
        "#]],
    );
}

#[test]
fn http() {
    check(
        "0.1",
        "<http><http-url>http://h/x</http-url><post content-type='text/plain'>a=1</post><wait/><capture-output/></http>",
        expect![[r#"
            http
            url: "http://h/x"
            content type: "text/plain"
            post: "a=1"
            waits
            capture
        "#]],
    );
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
        for (name, text) in &sla.of_version_0_1 {
            shown.text(name, text);
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
