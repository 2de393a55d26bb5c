//! The contents of the model.

use std::fmt::Write as _;

use expect_test::{Expect, expect};

use super::{lower, with_body};
use crate::model::{
    ActionKind, Configuration, NodeKind, Template, WorkflowApp,
    action::{FsOperation, HadoopSettings, PrepareOperation, fs::FsOperationKind, java::JavaOpts},
};

fn app(text: &str, config_default: Option<&str>) -> WorkflowApp {
    let (app, diagnostics) = lower(text, config_default);
    assert_eq!(diagnostics, []);
    app.expect("it is a workflow")
}

fn text(template: &Template) -> &str {
    template.text.as_str()
}

fn texts(templates: &[Template]) -> Vec<&str> {
    templates.iter().map(text).collect()
}

fn properties(configuration: &Configuration) -> Vec<String> {
    configuration
        .properties
        .iter()
        .map(|property| format!("{}={}", text(&property.name), text(&property.value)))
        .collect()
}

fn show_settings(out: &mut String, settings: &HadoopSettings) {
    let HadoopSettings {
        name_node,
        resource_manager,
        job_xml,
        configuration,
    } = settings;
    writeln!(
        out,
        "  nn={:?} rm={:?} job-xml={:?} conf={:?}",
        name_node.as_ref().map(text),
        resource_manager.as_ref().map(text),
        texts(job_xml),
        properties(configuration),
    )
    .expect("writing to a string");
}

fn show_operation(operation: &FsOperation) -> String {
    let optional = |template: &Option<Template>| template.as_ref().map(|t| text(t).to_owned());
    match &operation.kind {
        FsOperationKind::Delete { path, skip_trash } => {
            format!("delete {} {:?}", text(path), optional(skip_trash))
        }
        FsOperationKind::Mkdir { path } => format!("mkdir {}", text(path)),
        FsOperationKind::Move { source, target } => {
            format!("move {} {}", text(source), text(target))
        }
        FsOperationKind::Chmod {
            path,
            permissions,
            dir_files,
            recursive,
        } => format!(
            "chmod {} {} {:?} {recursive}",
            text(path),
            text(permissions),
            optional(dir_files)
        ),
        FsOperationKind::Chgrp {
            path,
            group,
            dir_files,
            recursive,
        } => format!(
            "chgrp {} {} {:?} {recursive}",
            text(path),
            text(group),
            optional(dir_files)
        ),
        FsOperationKind::Touchz { path } => format!("touchz {}", text(path)),
        FsOperationKind::Setrep { path, factor } => {
            format!("setrep {} {}", text(path), text(factor))
        }
    }
}

fn show(app: &WorkflowApp) -> String {
    let mut out = String::new();
    for node in &app.nodes {
        let transitions: Vec<String> = node
            .targets()
            .map(|(kind, target)| format!("{kind:?}->{}", target.value))
            .collect();
        writeln!(
            out,
            "{} {} {}",
            node.kind.element(),
            node.name.value,
            transitions.join(" ")
        )
        .expect("writing to a string");
        let NodeKind::Action(action) = &node.kind else {
            continue;
        };
        writeln!(out, "  type {:?}", action.kind.name()).expect("writing to a string");
        match &action.kind {
            ActionKind::Fs(fs) => {
                show_settings(&mut out, &fs.settings);
                for operation in &fs.operations {
                    writeln!(out, "  {}", show_operation(operation)).expect("writing to a string");
                }
            }
            ActionKind::Java(java) => {
                show_settings(&mut out, &java.settings);
                let opts = match &java.java_opts {
                    JavaOpts::None => "none".to_owned(),
                    JavaOpts::Text(opts) => text(opts).to_owned(),
                    JavaOpts::List(opts) => format!("{:?}", texts(opts)),
                };
                writeln!(
                    out,
                    "  {} opts={opts} {:?}",
                    text(&java.main_class),
                    texts(&java.args)
                )
                .expect("writing to a string");
            }
            ActionKind::Shell(shell) => {
                show_settings(&mut out, &shell.settings);
                let prepare: Vec<String> = shell
                    .prepare
                    .iter()
                    .map(|operation| match operation {
                        PrepareOperation::Delete(path) => format!("delete {}", text(path)),
                        PrepareOperation::Mkdir(path) => format!("mkdir {}", text(path)),
                    })
                    .collect();
                writeln!(
                    out,
                    "  {prepare:?} {} {:?} {:?} {:?} {:?} capture={}",
                    text(&shell.exec),
                    texts(&shell.arguments),
                    texts(&shell.env_vars),
                    texts(&shell.files),
                    texts(&shell.archives),
                    shell.capture_output
                )
                .expect("writing to a string");
            }
            ActionKind::SubWorkflow(child) => {
                show_settings(&mut out, &child.settings);
                writeln!(
                    out,
                    "  {} {}",
                    text(&child.app_path),
                    child.propagate_configuration
                )
                .expect("writing to a string");
            }
            // `actions` tests their contents.
            _ => {}
        }
    }
    out.lines()
        .map(|line| format!("{}\n", line.trim_end()))
        .collect()
}

#[track_caller]
fn check(document: &str, expected: Expect) {
    let app = app(document, None);
    assert!(!app.has_gaps());
    expected.assert_eq(&show(&app));
}

#[test]
fn control_flow_is_kept_in_document_order() {
    check(
        "<workflow-app name='w' xmlns='uri:oozie:workflow:0.5'><start to='d'/>
        <decision name='d'><switch><case to='f'> ${x} </case><case to='k'>true</case><default to='e'/></switch></decision>
        <fork name='f'><path start='j'/><path start='j'/></fork><join name='j' to='e'/>
        <kill name='k'><message>m</message></kill><end name='e'/></workflow-app>",
        expect![[r#"
            start :start: Start->d
            decision d Case(0)->f Case(1)->k Default->e
            fork f Branch(0)->j Branch(1)->j
            join j Joined->e
            kill k
            end e
        "#]],
    );
}

#[test]
fn global_is_merged_into_actions() {
    check(
        "<workflow-app name='w' xmlns='uri:oozie:workflow:1.0'>
        <global><resource-manager>rm</resource-manager><name-node>nn</name-node>
          <launcher><queue>q</queue></launcher>
          <job-xml>g1</job-xml><job-xml>g2</job-xml>
          <configuration><property><name>a</name><value>1</value></property></configuration></global>
        <start to='s'/>
        <action name='s'><shell xmlns='uri:oozie:shell-action:1.0'>
            <launcher><memory.mb>512</memory.mb><java-opts>-Xmx1g</java-opts></launcher>
            <job-xml>own</job-xml><job-xml>g2</job-xml>
            <configuration><property><name>b</name><value> 2 </value></property></configuration>
            <exec>x</exec></shell><ok to='f'/><error to='e'/></action>
        <action name='f'><fs/><ok to='j'/><error to='e'/></action>
        <action name='j'><java><job-tracker>own-rm</job-tracker><name-node>own-nn</name-node><main-class>M</main-class></java><ok to='c'/><error to='e'/></action>
        <action name='c'><sub-workflow><app-path>p</app-path><propagate-configuration/></sub-workflow><ok to='e'/><error to='e'/></action>
        <end name='e'/></workflow-app>",
        expect![[r#"
            start :start: Start->s
            action s Ok->f Error->e
              type "shell"
              nn=Some("nn") rm=Some("rm") job-xml=["g1", "own", "g2"] conf=["oozie.launcher.memory.mb=512", "oozie.launcher.javaopts=-Xmx1g", "b=2"]
              [] x [] [] [] [] capture=false
            action f Ok->j Error->e
              type "fs"
              nn=Some("nn") rm=None job-xml=["g1", "g2"] conf=[]
            action j Ok->c Error->e
              type "java"
              nn=Some("own-nn") rm=Some("own-rm") job-xml=["g1", "g2"] conf=[]
              M opts=none []
            action c Ok->e Error->e
              type "sub-workflow"
              nn=Some("nn") rm=Some("rm") job-xml=["g1", "g2"] conf=[]
              p true
            end e
        "#]],
    );
    let app = app(
        "<workflow-app name='w' xmlns='uri:oozie:workflow:1.0'><global><launcher><vcores>2</vcores><view-acl>u</view-acl></launcher><configuration><property><name>a</name><value/></property></configuration></global><start to='e'/><end name='e'/></workflow-app>",
        None,
    );
    let global = app.global.expect("there is a global section");
    assert_eq!(
        properties(&global.configuration),
        ["a=", "oozie.launcher.vcores=2", "oozie.launcher.view.acl=u"]
    );
}

#[test]
fn bodies_are_read_whole() {
    check(
        &with_body(
            "0.5",
            "<shell xmlns='uri:oozie:shell-action:0.3'><prepare><delete path='d'/><mkdir path='m'/></prepare><exec> \n x </exec><argument> a b </argument><argument/><env-var>A=1</env-var><file>f#g</file><archive>z</archive><capture-output/></shell>",
        ),
        expect![[r#"
            start :start: Start->n
            action a Ok->n Error->n
              type "shell"
              nn=None rm=None job-xml=[] conf=[]
              ["delete d", "mkdir m"] x ["a b", ""] ["A=1"] ["f#g"] ["z"] capture=true
            end n
        "#]],
    );
    check(
        &with_body(
            "0.5",
            "<java><main-class>M</main-class><java-opt>-a</java-opt><java-opt>-b</java-opt><arg>1</arg></java>",
        ),
        expect![[r#"
            start :start: Start->n
            action a Ok->n Error->n
              type "java"
              nn=None rm=None job-xml=[] conf=[]
              M opts=["-a", "-b"] ["1"]
            end n
        "#]],
    );
    check(
        &with_body(
            "0.5",
            "<fs><mkdir path=' p '/><delete path='p' skip-trash='false'/><move source='a' target='b'/><chmod path='p' permissions='755' dir-files='false'><recursive/></chmod><chgrp path='p' group='g'/><touchz path='t'/><setrep path='p' replication-factor='3'/></fs>",
        ),
        expect![[r#"
            start :start: Start->n
            action a Ok->n Error->n
              type "fs"
              nn=None rm=None job-xml=[] conf=[]
              mkdir  p
              delete p Some("false")
              move a b
              chmod p 755 Some("false") true
              chgrp p g None false
              touchz t
              setrep p 3
            end n
        "#]],
    );
}

#[test]
fn parameters_keep_empty_defaults_apart_from_none() {
    for version in ["0.4", "0.4.5", "0.5", "1.0"] {
        let app = app(
            &format!(
                "<workflow-app name='w' xmlns='uri:oozie:workflow:{version}'><parameters><property><name> a </name></property><property><name>b</name><value/></property><property><name>c</name><value> 1 </value><description>d</description></property></parameters><start to='e'/><end name='e'/></workflow-app>"
            ),
            None,
        );
        let shown: Vec<_> = app
            .parameters
            .iter()
            .map(|parameter| {
                let default = parameter.default.as_ref().map(|value| value.value.as_str());
                (parameter.name.value.as_str(), default)
            })
            .collect();
        assert_eq!(
            shown,
            [("a", None), ("b", Some("")), ("c", Some("1"))],
            "{version}"
        );
    }
}

#[test]
fn config_default_keeps_order_and_blanks() {
    let workflow = with_body("0.5", "<fs/>");
    let app = app(
        &workflow,
        Some(
            "<configuration xmlns='any'><property><name> b </name><value> 2 </value><final>true</final></property><configuration><property><name>a</name><value>${b}</value></property></configuration><property><name/><value>x</value></property><property><name>n</name></property></configuration>",
        ),
    );
    let shown: Vec<_> = app
        .config_default
        .iter()
        .map(|property| (text(&property.name), text(&property.value)))
        .collect();
    assert_eq!(shown, [("b", " 2 "), ("a", "${b}")]);
}

#[test]
fn what_is_missing_leaves_a_gap_and_no_node_out() {
    let (app, diagnostics) = lower(
        "<workflow-app name='w' xmlns='uri:oozie:workflow:0.5'><start/><action name='a'><ok to='${x}'/></action><action><shell xmlns='uri:oozie:shell-action:0.3'/><ok to='e'/><error to='e'/></action><end name='e'/></workflow-app>",
        None,
    );
    assert!(!diagnostics.is_empty());
    let app = app.expect("it is a workflow");
    expect![[r#"
        start :start:
        action a
          type ""
        action  Ok->e Error->e
          type "shell"
          nn=None rm=None job-xml=[] conf=[]
          []  [] [] [] [] capture=false
        end e
    "#]]
    .assert_eq(&show(&app));
    let NodeKind::Action(action) = &app.nodes[2].kind else {
        panic!("the third node is an action");
    };
    let ActionKind::Shell(shell) = &action.kind else {
        panic!("it is a shell action");
    };
    assert!(shell.exec.is_invalid);
    assert!(app.has_gaps());
}

#[test]
fn invalid_expressions_become_text() {
    let (app, _) = lower(&with_body("0.5", "<fs><delete path='${a b}'/></fs>"), None);
    let app = app.expect("it is a workflow");
    let NodeKind::Action(action) = &app.nodes[1].kind else {
        panic!("the second node is an action");
    };
    let ActionKind::Fs(fs) = &action.kind else {
        panic!("it is an fs action");
    };
    let FsOperationKind::Delete { path, .. } = &fs.operations[0].kind else {
        panic!("it deletes");
    };
    assert!(path.is_invalid);
    assert_eq!(path.literal(), Some("${a b}"));
}
