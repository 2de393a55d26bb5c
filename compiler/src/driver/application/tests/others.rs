//! Folders with coordinators and bundles: which documents are checked, and with which properties.

use super::*;
use crate::{
    driver::{
        check::{self, Checked},
        writer,
    },
    rules::RULES,
};

const WORKFLOW: &str = r#"<workflow-app xmlns="uri:oozie:workflow:1.0" name="w">
<start to="make"/>
<action name="make"><fs><mkdir path="file:/${day}"/></fs><ok to="end"/><error to="end"/></action>
<end name="end"/>
</workflow-app>"#;

fn coordinator(app_path: &str, section: &str) -> String {
    format!(
        r#"<coordinator-app xmlns="uri:oozie:coordinator:0.4" name="c" frequency="60" start="2026-01-01T00:00Z" end="2027-01-01T00:00Z" timezone="UTC">
{section}
<action><workflow><app-path>{app_path}</app-path></workflow></action>
</coordinator-app>"#
    )
}

fn bundle(app_path: &str) -> String {
    format!(
        r#"<bundle-app xmlns="uri:oozie:bundle:0.2" name="b">
<coordinator name="c"><app-path>{app_path}</app-path></coordinator>
</bundle-app>"#
    )
}

/// The diagnostics of a folder with these files and `job.properties`: each with its file, except those about unsupported
/// features. If `properties` is empty, none are given.
#[track_caller]
fn check_folder(files: &[(&str, &str)], properties: &str, expected: &[&str]) {
    let root = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in files {
        writer::replace(&root.path().join(path), text.as_bytes()).expect("writes");
    }
    let given = root.path().join("job.properties");
    writer::replace(&given, properties.as_bytes()).expect("writes");
    let arguments = Arguments {
        properties: PropertyArguments {
            files: if properties.is_empty() {
                Vec::new()
            } else {
                vec![given]
            },
            definitions: Vec::new(),
        },
        ..Arguments::new(RULES)
    };
    let paths = [root.path().to_owned()];
    let Checked {
        diagnostics,
        sources,
        ..
    } = check::check(&paths, &arguments, &Arc::default());
    let found: Vec<String> = diagnostics
        .iter()
        .map(|diagnostic| {
            let file = diagnostic.file().map_or("", |file| sources.path(file));
            let root = root.path().display().to_string();
            let file = file
                .strip_prefix(&root)
                .unwrap_or(file)
                .trim_start_matches('/');
            format!("{file} {}", diagnostic.rule.id())
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn workflow_gets_what_its_coordinator_passes() {
    let files = |coordinator| [("coordinator.xml", coordinator), ("workflow.xml", WORKFLOW)];
    let found = coordinator("${apps}", "");
    let properties = "apps=hdfs://nn/apps\noozie.coord.application.path=${apps}/coordinator.xml\n";
    check_folder(&files(&found), properties, &["coordinator.xml H0724"]);
    check_folder(&files(&found), &format!("{properties}day=monday\n"), &[]);
    check_folder(&files(&found), "", &[]);
}

#[test]
fn user_in_a_path_is_the_one_that_is_given() {
    for user in ["${coord:user()}", "${coord:conf('user.name')}"] {
        let found = coordinator(&format!("hdfs://nn/user/{user}/apps"), "");
        let files = [
            ("coordinator.xml", found.as_str()),
            ("workflow.xml", WORKFLOW),
        ];
        let own =
            "oozie.coord.application.path=hdfs://nn/user/ann/apps/coordinator.xml\nuser.name=";
        check_folder(&files, &format!("{own}ann\n"), &["coordinator.xml H0724"]);
        check_folder(&files, &format!("{own}bo\n"), &[]);
    }
}

#[test]
fn workflow_that_a_coordinator_may_start_is_not_short_of_properties() {
    let unfound = coordinator("hdfs://elsewhere/app", "");
    check_folder(
        &[
            ("coordinator.xml", &unfound),
            ("app/workflow.xml", WORKFLOW),
        ],
        "a=1\n",
        &[],
    );
    check_folder(
        &[("app/workflow.xml", WORKFLOW)],
        "a=1\n",
        &["app/workflow.xml H0511"],
    );
}

#[test]
fn bundle_passes_to_coordinator_and_workflow() {
    let coordinator = coordinator(
        "${apps}/daily",
        "<parameters><property><name>day</name></property></parameters>",
    );
    let bundle = bundle("${apps}/daily/coordinator.xml");
    let files = [
        ("bundle.xml", bundle.as_str()),
        ("daily/coordinator.xml", &coordinator),
        ("daily/workflow.xml", WORKFLOW),
    ];
    let properties = "apps=hdfs://nn/apps\noozie.bundle.application.path=${apps}\n";
    check_folder(&files, properties, &["bundle.xml H0724"]);
    check_folder(&files, &format!("{properties}day=monday\n"), &[]);
}

#[test]
fn coordinator_that_a_bundle_may_start_is_not_short_of_properties() {
    let coordinator = coordinator(
        "/no/such/app",
        "<parameters><property><name>day</name></property></parameters>",
    );
    let bundle = bundle("hdfs://elsewhere/coordinator.xml");
    check_folder(
        &[("bundle.xml", &bundle), ("coordinator.xml", &coordinator)],
        "a=1\n",
        &[],
    );
    check_folder(
        &[("coordinator.xml", &coordinator)],
        "a=1\n",
        &["coordinator.xml H0512"],
    );
}

#[test]
fn included_files_that_include_each_other_are_read_once() {
    let section = "<datasets><include>a.xml</include></datasets><input-events><data-in name='i' dataset='d'><instance>${coord:current(0)}</instance></data-in></input-events>";
    let coordinator = coordinator("/no/such/app", section);
    let a = "<datasets><include>b.xml</include></datasets>";
    let b = "<datasets><include>a.xml</include></datasets>";
    let files = [
        ("coordinator.xml", coordinator.as_str()),
        ("a.xml", a),
        ("b.xml", b),
    ];
    // Relative paths are resolved against the folder of the coordinator.
    check_folder(&files, "", &["coordinator.xml H0709"]);
    let missing = [
        ("coordinator.xml", coordinator.as_str()),
        ("a.xml", "<datasets><include>c.xml</include></datasets>"),
    ];
    check_folder(&missing, "", &[]);
    let broken = [
        ("coordinator.xml", coordinator.as_str()),
        ("a.xml", "<datasets>"),
    ];
    check_folder(&broken, "", &["a.xml H0108"]);
}

#[test]
fn coordinator_is_a_program_with_a_hint_where_its_workflow_is_not_found() {
    let root = tempfile::tempdir().expect("a temporary folder");
    let text = coordinator("/no/such/app", "");
    writer::replace(&root.path().join("coordinator.xml"), text.as_bytes()).expect("writes");
    let mut session = Session::new(&Arguments::new(RULES));
    let application = load(root.path(), &mut session).expect("nothing is wrong with it");
    assert!(application.apps.is_empty());
    let (diagnostics, _) = session.finish();
    let rules: Vec<&str> = diagnostics.iter().map(|said| said.rule.id()).collect();
    assert_eq!(rules, ["unresolved_workflows"]);
}

#[test]
fn sub_workflow_gets_what_its_parent_passes() {
    let parent = |action: &str| {
        format!(
            r#"<workflow-app xmlns="uri:oozie:workflow:1.0" name="p"><start to="run"/>
<action name="run"><sub-workflow><app-path>${{wf:appPath()}}/child</app-path>{action}</sub-workflow><ok to="end"/><error to="end"/></action>
<end name="end"/></workflow-app>"#
        )
    };
    let day = "<configuration><property><name>day</name><value>${today}</value></property></configuration>";
    let propagate = "<propagate-configuration/>";
    let started = coordinator("${apps}", "");
    let properties = "apps=hdfs://nn/apps\noozie.coord.application.path=${apps}\ntoday=monday\n";
    for (action, more, expected) in [
        ("", "", &["workflow.xml H0724"][..]),
        ("", "day=monday\n", &["workflow.xml H0724"]),
        (day, "", &[]),
        (propagate, "day=monday\n", &[]),
        (propagate, "", &["workflow.xml H0724"]),
    ] {
        let parent = parent(action);
        let properties = format!("{properties}{more}");
        let files = [
            ("workflow.xml", parent.as_str()),
            ("child/workflow.xml", WORKFLOW),
        ];
        check_folder(&files, &properties, expected);
        let with_coordinator = [&files[..], &[("coordinator.xml", started.as_str())]].concat();
        check_folder(&with_coordinator, &properties, expected);
        // Without properties it is only certain for what does not receive them.
        let is_certain = action.is_empty();
        let expected: &[&str] = if is_certain { expected } else { &[] };
        check_folder(&files, "", expected);
        check_folder(&with_coordinator, "", expected);
    }
}

#[test]
fn sub_workflow_that_another_may_stand_in_for_is_not_short_of_properties() {
    let parent = r#"<workflow-app xmlns="uri:oozie:workflow:1.0" name="p">
<parameters><property><name>child</name><value>child</value></property></parameters><start to="run"/>
<action name="run"><sub-workflow><app-path>${wf:appPath()}/${child}</app-path></sub-workflow><ok to="end"/><error to="end"/></action>
<end name="end"/></workflow-app>"#;
    let files = [("workflow.xml", parent), ("child/workflow.xml", WORKFLOW)];
    check_folder(&files, "", &[]);
    check_folder(&files, "a=1\n", &["workflow.xml H0724"]);
    check_folder(&files, "child=child\n", &["workflow.xml H0724"]);
}

#[test]
fn child_of_a_sub_workflow_that_gets_nothing_is_short_of_properties_whatever_the_job_has() {
    let parent = |name: &str, action: &str| {
        format!(
            r#"<workflow-app xmlns="uri:oozie:workflow:1.0" name="{name}"><start to="run"/>
<action name="run"><sub-workflow><app-path>${{wf:appPath()}}/child</app-path>{action}</sub-workflow><ok to="end"/><error to="end"/></action>
<end name="end"/></workflow-app>"#
        )
    };
    let propagate = "<propagate-configuration/>";
    for (outer, expected) in [("", &["child/workflow.xml H0724"][..]), (propagate, &[])] {
        let (outer, inner) = (parent("outer", outer), parent("inner", propagate));
        let files = [
            ("workflow.xml", outer.as_str()),
            ("child/workflow.xml", &inner),
            ("child/child/workflow.xml", WORKFLOW),
        ];
        check_folder(&files, "", expected);
    }
}
