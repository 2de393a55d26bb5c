use super::*;
use crate::{
    driver::{properties::PropertyArguments, writer},
    rules::RULES,
};

const END: &str = "<end name=\"e\"/></workflow-app>";

fn workflow(name: &str, nodes: &str) -> String {
    format!("<workflow-app name=\"{name}\" xmlns=\"uri:oozie:workflow:1.0\">{nodes}{END}")
}

fn parent_of(child: &str) -> String {
    let nodes = format!(
        "<start to=\"c\"/><action name=\"c\"><sub-workflow><app-path>${{wf:appPath()}}/../{child}</app-path></sub-workflow>\
         <ok to=\"e\"/><error to=\"e\"/></action>"
    );
    workflow("parent", &nodes)
}

/// Every diagnostic of a tree as `file id`, with the path below the tree.
fn found(root: &Path, paths: &[&str], arguments: &Arguments) -> Vec<String> {
    let paths: Vec<PathBuf> = paths.iter().map(|path| root.join(path)).collect();
    let checked = check(&paths, arguments, &Arc::default());
    let root = format!("{}/", root.display());
    checked
        .diagnostics
        .iter()
        .map(|diagnostic| {
            let file = diagnostic
                .file()
                .map_or("", |file| checked.sources.path(file));
            format!("{} {}", file.replace(&root, ""), diagnostic.rule.id())
        })
        .collect()
}

#[test]
fn order_is_that_of_arguments_and_paths_whoever_reads_them() {
    let root = tempfile::tempdir().expect("a temporary folder");
    let put = |path: &str, text: &str| {
        writer::replace(&root.path().join(path), text.as_bytes()).expect("writes")
    };
    let mut expected = Vec::new();
    for number in 10..60 {
        let path = format!("z/{number}/workflow.xml");
        put(&path, &workflow("w", "<start to=\"nowhere\"/>"));
        expected.push(format!("{path} H0301"));
    }
    put("a/workflow.xml", &workflow("w", "<start to=\"nowhere\"/>"));
    expected.push("a/workflow.xml H0301".to_owned());
    for _ in 0..3 {
        assert_eq!(
            found(root.path(), &["z", "a"], &Arguments::new(RULES)),
            expected
        );
    }
}

#[test]
fn child_of_many_is_reported_once_and_needs_no_properties() {
    let root = tempfile::tempdir().expect("a temporary folder");
    let put = |path: &str, text: &str| {
        writer::replace(&root.path().join(path), text.as_bytes()).expect("writes")
    };
    let passing = parent_of("shared").replace(
        "</sub-workflow>",
        "<configuration><property><name>fromParent</name><value>/x</value></property></configuration></sub-workflow>",
    );
    for number in 10..40 {
        put(&format!("app/{number}/workflow.xml"), &passing);
    }
    put(
        "app/shared/workflow.xml",
        &workflow(
            "w",
            "<start to=\"f\"/><action name=\"f\"><fs><mkdir path=\"${fromParent}\"/></fs><ok to=\"x\"/><error to=\"e\"/></action>",
        ),
    );
    put("job.properties", "queue=etl\n");
    let arguments = Arguments {
        properties: PropertyArguments {
            files: vec![root.path().join("job.properties")],
            ..PropertyArguments::default()
        },
        ..Arguments::new(RULES)
    };
    let expected = ["app/shared/workflow.xml H0301"];
    assert_eq!(found(root.path(), &["app"], &arguments), expected);
    // A document that is named twice is checked once.
    let paths = [
        root.path().join("app"),
        root.path().join("app/10/workflow.xml"),
    ];
    let checked = check(&paths, &arguments, &Arc::default());
    assert_eq!(checked.documents.len(), 31);
    let last = checked.sources.files().last().expect("there are files");
    assert_eq!(
        checked.paths[&last],
        root.path().join("app/shared/workflow.xml")
    );
}

#[test]
fn applications_that_only_run_each_other_are_checked() {
    let root = tempfile::tempdir().expect("a temporary folder");
    for (own, other) in [("a", "b"), ("b", "a")] {
        let text = parent_of(other).replace("<ok to=\"e\"/>", "<ok to=\"x\"/>");
        writer::replace(&root.path().join(own).join("workflow.xml"), text.as_bytes())
            .expect("writes");
    }
    let found = found(root.path(), &["."], &Arguments::new(RULES));
    assert_eq!(found.len(), 3, "{found:?}");
}

#[test]
fn one_file_under_two_names_is_reported_once() {
    let root = tempfile::tempdir().expect("a temporary folder");
    let put = |path: &str, text: &str| {
        writer::replace(&root.path().join(path), text.as_bytes()).expect("writes")
    };
    put("apps/one/workflow.xml", &parent_of("link"));
    put("apps/two/workflow.xml", &parent_of("../elsewhere"));
    put(
        "elsewhere/workflow.xml",
        &workflow("w", "<start to=\"x\"/>"),
    );
    std::os::unix::fs::symlink("../elsewhere", root.path().join("apps/link")).expect("links");
    assert_eq!(
        found(root.path(), &["apps"], &Arguments::new(RULES)),
        ["apps/link/workflow.xml H0301"]
    );
}
