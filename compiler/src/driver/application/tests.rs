mod others;

use expect_test::{Expect, expect};

use super::*;
use crate::{
    driver::{check, locate::WORKFLOW_XML, package, properties::PropertyArguments, writer},
    rules::RULES,
};

/// A workflow whose sub-workflows have these paths, in order.
fn workflow(app_paths: &[&str]) -> String {
    let mut text = String::from("<workflow-app name=\"w\" xmlns=\"uri:oozie:workflow:1.0\">\n");
    let name = |number: usize| {
        if number < app_paths.len() {
            format!("run{number}")
        } else {
            "end".to_owned()
        }
    };
    text.push_str(&format!("<start to=\"{}\"/>\n", name(0)));
    for (number, path) in app_paths.iter().enumerate() {
        text.push_str(&format!(
            "<action name=\"run{number}\"><sub-workflow><app-path>{path}</app-path></sub-workflow>\
             <ok to=\"{}\"/><error to=\"end\"/></action>\n",
            name(number + 1)
        ));
    }
    text.push_str("<end name=\"end\"/>\n</workflow-app>\n");
    text
}

/// Applications by their folder, with the paths of their sub-workflows; the first one is loaded. Shows the compiled
/// applications, the URIs that they are requested by, their folders, and the diagnostics.
#[track_caller]
fn check(apps: &[(&str, &[&str])], definitions: &[(&str, &str)], maps: &[&str], expect: Expect) {
    let root = tempfile::tempdir().expect("a temporary folder");
    for (folder, app_paths) in apps {
        let path = root.path().join(folder).join(WORKFLOW_XML);
        writer::replace(&path, workflow(app_paths).as_bytes()).expect("writes");
    }
    let here = root.path().display().to_string();
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), value.replace("HERE", &here));
    let arguments = Arguments {
        properties: PropertyArguments {
            files: Vec::new(),
            definitions: definitions.iter().map(owned).collect(),
        },
        mappings: maps
            .iter()
            .map(|map| Mapping::parse(&map.replace("HERE", &here)).expect("is well-formed"))
            .collect(),
        user: Some("ann".to_owned()),
        ..Arguments::new(RULES)
    };
    let mut session = Session::new(&arguments);
    let application =
        load(&root.path().join(apps[0].0), &mut session).expect("it is an application");
    let package =
        package::package(&application, None, &mut session.files, &mut session.sink).expect("reads");
    let (diagnostics, sources) = session.finish();
    let mut text = String::new();
    for app in &application.apps {
        let document = app.location.document.canonicalize().expect("it exists");
        let document = document
            .strip_prefix(root.path().canonicalize().expect("it exists"))
            .expect("it is below");
        text.push_str(&format!("{}\n", document.display()));
    }
    for (uri, app) in &application.uris {
        text.push_str(&format!("{uri} -> {app}\n"));
    }
    for path in package.files.keys() {
        text.push_str(&format!("file {path}\n"));
    }
    for diagnostic in &diagnostics {
        let place = diagnostic.span().map_or("", |span| sources.snippet(span));
        text.push_str(&format!(
            "{} `{place}`: {}\n",
            diagnostic.rule.id(),
            diagnostic.notes.join("; ")
        ));
        text.push_str(&format!("  help: {}\n", diagnostic.help.join("; ")));
    }
    expect.assert_eq(&text.replace(&here, "HERE"));
}

#[test]
fn children_below_the_application_share_its_files() {
    check(
        &[
            (
                "app",
                &[
                    "${wf:appPath()}/report",
                    "${wf:appPath()}/report/workflow.xml/",
                ],
            ),
            ("app/report", &[]),
        ],
        &[],
        &[],
        expect![[r#"
            app/workflow.xml
            app/report/workflow.xml
            ${wf:appPath()}/report -> 1
            file report/workflow.xml
            file workflow.xml
        "#]],
    );
}

#[test]
fn children_elsewhere_are_found_by_mapping_and_have_their_own_folder() {
    check(
        &[
            (
                "app",
                &["${nameNode}/apps/report", "${wf:appPath()}/../other/report"],
            ),
            ("lib/report", &[]),
            ("other/report", &[]),
        ],
        &[("nameNode", "hdfs://nn")],
        &["hdfs://nn/apps=HERE/lib"],
        expect![[r#"
            app/workflow.xml
            lib/report/workflow.xml
            other/report/workflow.xml
            ${wf:appPath()}/../other/report -> 2
            hdfs://nn/apps/report -> 1
            file .children/report-2/workflow.xml
            file .children/report/workflow.xml
            file workflow.xml
        "#]],
    );
}

#[test]
fn user_in_the_path_of_a_child_is_the_one_that_is_given() {
    check(
        &[
            ("app", &["hdfs://nn/user/${wf:user()}/report"]),
            ("lib/report", &[]),
        ],
        &[("user.name", "ann")],
        &["hdfs://nn/user/ann=HERE/lib"],
        expect![[r#"
            app/workflow.xml
            lib/report/workflow.xml
            hdfs://nn/user/${user.name}/report -> 1
            hdfs://nn/user/ann/report -> 1
            file .children/report/workflow.xml
            file workflow.xml
        "#]],
    );
}

#[test]
fn children_of_children_are_found_from_their_own_folder() {
    check(
        &[
            ("app", &["${wf:appPath()}/one"]),
            ("app/one", &["${wf:appPath()}/two", "${wf:appPath()}"]),
            ("app/one/two", &["${wf:appPath()}/../../../app"]),
        ],
        &[],
        &[],
        expect![[r#"
            app/workflow.xml
            app/one/workflow.xml
            app/one/two/workflow.xml
            ${wf:appPath()}/../app -> 0
            ${wf:appPath()}/one -> 1
            ${wf:appPath()}/one/two -> 2
            file one/two/workflow.xml
            file one/workflow.xml
            file workflow.xml
            endless_sub_workflows `${wf:appPath()}`: every job reaches this action unless an earlier action fails; at 50 levels it ends in ERROR with SUBWF001
              help: put the action behind a decision that ends the repetition
            endless_sub_workflows `${wf:appPath()}/../../../app`: every job reaches this action unless an earlier action fails; at 50 levels it ends in ERROR with SUBWF001
              help: put the action behind a decision that ends the repetition
        "#]],
    );
}

#[test]
fn path_of_the_application_stands_for_its_folder() {
    check(
        &[("app", &["${nameNode}/app/report"]), ("app/report", &[])],
        &[
            ("nameNode", "hdfs://nn"),
            ("oozie.wf.application.path", "${nameNode}/app/workflow.xml"),
        ],
        &[],
        expect![[r#"
            app/workflow.xml
            app/report/workflow.xml
            ${wf:appPath()}/report -> 1
            hdfs://nn/app -> 0
            hdfs://nn/app/report -> 1
            file report/workflow.xml
            file workflow.xml
        "#]],
    );
}

#[test]
fn what_does_not_resolve_is_said_with_the_way_out() {
    check(
        &[(
            "app",
            &[
                "${nameNode}/apps/report",
                "hdfs://nn/apps/report",
                "${wf:appPath()}/missing",
                "${wf:id()}",
                "${timestamp()}",
                "hdfs://nn/user/${wf:user()}/apps",
                "hdfs://nn/user/${wf:user()}/${wf:id()}",
            ],
        )],
        &[],
        &[],
        expect![[r#"
            app/workflow.xml
            file workflow.xml
            unresolved_sub_workflows `${nameNode}/apps/report`: variable `nameNode` cannot be resolved; at run time the action will end in ERROR, unless another executable was registered for it (`register --as`)
              help: give the properties that it needs: `-c job.properties` or `-D name=value`; they only find the child
            unresolved_sub_workflows `hdfs://nn/apps/report`: at run time the action will end in ERROR, unless another executable was registered for it (`register --as`)
              help: say where its files are: `--map hdfs://nn/apps=DIR`, or `[map]` in `hpdl.toml`
            unresolved_sub_workflows `${wf:appPath()}/missing`: there is no `workflow.xml` at `HERE/app/missing`; at run time the action will end in ERROR, unless another executable was registered for it (`register --as`)
              help: correct the path, put the application there, or map its URI with `--map` or `[map]` in `hpdl.toml`
            unresolved_sub_workflows `${wf:id()}`: function `wf:id` needs a running job; at run time the action will end in ERROR, unless another executable was registered for it (`register --as`)
              help: name the application by properties that are known when it is compiled
            unresolved_sub_workflows `${timestamp()}`: function `timestamp` needs a running job; at run time the action will end in ERROR, unless another executable was registered for it (`register --as`)
              help: name the application by properties that are known when it is compiled
            unresolved_sub_workflows `hdfs://nn/user/${wf:user()}/apps`: at run time the action will end in ERROR, unless another executable was registered for it (`register --as`)
              help: say where its files are: `--map hdfs://nn/user/ann=DIR`, or `[map]` in `hpdl.toml`
            unresolved_sub_workflows `hdfs://nn/user/${wf:user()}/${wf:id()}`: function `wf:id` needs a running job; at run time the action will end in ERROR, unless another executable was registered for it (`register --as`)
              help: name the application by properties that are known when it is compiled
        "#]],
    );
}

#[test]
fn hash_names_the_contents_and_not_the_place() {
    let hash = |workflow_text: &str, script: &str| {
        let root = tempfile::tempdir().expect("a temporary folder");
        writer::replace(
            &root.path().join("app/workflow.xml"),
            workflow_text.as_bytes(),
        )
        .expect("writes");
        writer::replace(&root.path().join("app/run.sh"), script.as_bytes()).expect("writes");
        writer::replace(
            &root.path().join("app/job.properties"),
            root.path().display().to_string().as_bytes(),
        )
        .expect("writes");
        let mut session = Session::new(&Arguments::new(RULES));
        let application =
            load(&root.path().join("app"), &mut session).expect("it is an application");
        package::package(&application, None, &mut session.files, &mut session.sink)
            .expect("reads")
            .hash
    };
    let first = hash(&workflow(&[]), "one");
    assert_eq!(first.len(), 16);
    assert_eq!(hash(&workflow(&[]), "one"), first);
    assert_ne!(hash(&workflow(&[]), "two"), first);
    assert_ne!(hash(&workflow(&["${wf:appPath()}"]), "one"), first);
}

#[test]
fn children_among_the_checked_are_held_to_what_their_parents_pass() {
    let root = tempfile::tempdir().expect("a temporary folder");
    let put = |path: &str, text: &str| {
        writer::replace(&root.path().join(path), text.as_bytes()).expect("writes")
    };
    put("app/workflow.xml", &workflow(&["${wf:appPath()}/report"]));
    put("app/report/workflow.xml", &workflow(&["${fromParent}/x"]));
    put("loop/a/workflow.xml", &workflow(&["${wf:appPath()}/../b"]));
    put(
        "loop/b/workflow.xml",
        &workflow(&["${wf:appPath()}/../a", "${nowhere}"]),
    );
    put("job.properties", "a=b\n");
    let arguments = Arguments {
        properties: PropertyArguments {
            files: vec![root.path().join("job.properties")],
            definitions: Vec::new(),
        },
        ..Arguments::new(RULES)
    };
    let check::Checked {
        diagnostics,
        sources,
        documents,
        ..
    } = check::check(&[root.path().to_owned()], &arguments, &Arc::default());
    assert_eq!(documents.len(), 4);
    let undefined: Vec<&str> = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.level == crate::diagnostics::Level::Error)
        .filter_map(|diagnostic| Some(sources.snippet(diagnostic.span()?)))
        .collect();
    // Reported once, where the child is run, and not where it reads them.
    assert_eq!(
        undefined,
        ["${wf:appPath()}/report", "${wf:appPath()}/../b"]
    );
}

#[test]
fn file_that_is_not_utf8_is_reported_among_several() {
    let root = tempfile::tempdir().expect("a temporary folder");
    let put =
        |path: &str, bytes: &[u8]| writer::replace(&root.path().join(path), bytes).expect("writes");
    put("a/workflow.xml", workflow(&[]).as_bytes());
    put("b/workflow.xml", b"<workflow-app name=\"\xff\"/>");
    let checked = check::check(
        &[root.path().to_owned()],
        &Arguments::new(RULES),
        &Arc::default(),
    );
    let ids: Vec<&str> = checked
        .diagnostics
        .iter()
        .map(|diagnostic| diagnostic.rule.id())
        .collect();
    assert_eq!(ids, ["H0101"]);
}
