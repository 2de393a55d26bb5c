//! What `check` only warns of, since a job may use another folder, but `build`, `run` and `emit` refuse, since theirs is fixed.

use std::path::Path;

use hpdlc_tests::{FinishedCommand, command, folder::write, hpdlc, run};

fn workflow(body: &str) -> String {
    format!(
        r#"<workflow-app xmlns="uri:oozie:workflow:1.0" name="w">
    <start to="a"/>
    <action name="a">
        {body}
        <ok to="end"/>
        <error to="end"/>
    </action>
    <end name="end"/>
</workflow-app>
"#
    )
}

fn hpdlc_in(folder: &Path, arguments: &[&str]) -> FinishedCommand {
    run(command::command(hpdlc(), &folder.join("home"))
        .args(arguments)
        .current_dir(folder))
}

/// `build`, `emit` and `run` of the application in `folder` report `error` and write nothing.
#[track_caller]
fn check_nothing_built(folder: &Path, error: &str, properties: &[&str]) {
    for (arguments, code, prevented) in [
        (&["build", "app", "-o", "out"][..], 1, "nothing was built"),
        (&["emit", "app", "-o", "out"][..], 1, "nothing was written"),
        (&["run", "app"][..], 2, "nothing was built"),
    ] {
        let refused = hpdlc_in(folder, &[arguments, properties].concat());
        assert_eq!(refused.code, Some(code), "{}", refused.stderr);
        assert!(refused.stderr.contains(error), "{}", refused.stderr);
        let summary = format!("`app`: 1 error; {prevented}");
        assert!(refused.stderr.contains(&summary), "{}", refused.stderr);
        assert!(!folder.join("out").exists());
    }
}

/// `check` warns of `lint` in an action, and the others report an error and write nothing.
#[track_caller]
fn check_refused(body: &str, properties: &[&str], lint: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    write(&folder.join("app/workflow.xml"), workflow(body));
    let warning = format!("warning[{lint}]");
    let error = format!("error[{lint}]");
    let with = |arguments: &[&str]| {
        let arguments: Vec<&str> = arguments.iter().chain(properties).copied().collect();
        hpdlc_in(folder, &arguments)
    };
    let checked = with(&["check", "app"]);
    assert_eq!(checked.code, Some(0), "{body}: {}", checked.stderr);
    assert!(
        checked.stderr.contains(&warning),
        "{body}: {}",
        checked.stderr
    );
    check_nothing_built(folder, &error, properties);
    // The author can allow it in the document.
    let allowed = format!("<!-- hpdlc: allow({lint}) -->{body}");
    write(&folder.join("app/workflow.xml"), workflow(&allowed));
    let emitted = with(&["emit", "app", "-o", "out"]);
    assert_eq!(emitted.code, Some(0), "{body}: {}", emitted.stderr);
}

#[test]
fn paths_without_a_file_system() {
    const LINT: &str = "fs_paths_without_scheme";
    for operation in [
        r#"<mkdir path="/x"/>"#,
        r#"<delete path="/x/${wf:id()}"/>"#,
        r#"<move source="/x" target="/y"/>"#,
        r#"<chmod path="/x" permissions="755"/>"#,
        r#"<touchz path="/x"/>"#,
        r#"<chgrp path="/x" group="g"/>"#,
    ] {
        check_refused(&format!("<fs>{operation}</fs>"), &[], LINT);
    }
    let given = &["-D", "dir=/data"];
    check_refused(r#"<fs><mkdir path="${dir}/x"/></fs>"#, given, LINT);
}

#[test]
fn files_that_are_not_there() {
    let body =
        r#"<shell xmlns="uri:oozie:shell-action:1.0"><exec>ls</exec><file>none.sh</file></shell>"#;
    check_refused(body, &[], "missing_files");
}

/// `check` cannot know what an application is compiled into; the others make a program of it alone.
#[test]
fn functions_of_a_program_that_has_none() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    let body = r#"<rust xmlns="uri:hpdl:rust-action:0.1"><function>count</function></rust>"#;
    write(&folder.join("app/workflow.xml"), workflow(body));
    let checked = hpdlc_in(folder, &["check", "app"]);
    assert_eq!((checked.code, &*checked.stderr), (Some(0), ""));
    check_nothing_built(folder, "error[H0813]", &[]);
}

#[test]
fn what_a_function_of_a_rust_file_starts_is_no_part_of_a_program_of_its_own() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    let text = r#"
#[workflow(name_node = "file:///")]
async fn report() -> Result { fs().mkdir("/x").await }

#[workflow]
async fn daily() -> Result { child(report, report::Params {}).await }

#[coordinator(workflow = daily, frequency = days(1), start = "2026-01-01T00:00Z", end = "2027-01-01T00:00Z", timezone = "UTC")]
fn nightly() -> daily::Params { daily::Params {} }

#[bundle]
fn all() -> Bundle { Bundle::new().start("nightly", nightly::Params {}) }
"#;
    write(&folder.join("main.rs"), text);
    for (function, started) in [
        ("daily", "report"),
        ("nightly", "daily"),
        ("all", "nightly"),
    ] {
        let document = format!("main.rs#{function}");
        let refused = hpdlc_in(folder, &["build", &document, "-o", "out"]);
        assert_eq!(refused.code, Some(1), "{}", refused.stderr);
        let error = format!("error[H0813]: the document starts `{started}`, which is no part");
        assert!(refused.stderr.contains(&error), "{}", refused.stderr);
        assert!(!folder.join("out").exists());
    }
    // Their paths in Oozie's cluster are not known.
    for function in ["nightly", "all"] {
        let document = format!("main.rs#{function}");
        let refused = hpdlc_in(folder, &["migrate", &document, "-o", "out"]);
        assert_eq!(refused.code, Some(2), "{}", refused.stderr);
        let error = format!("`{document}` is no workflow, and is not migrated");
        assert!(refused.stderr.contains(&error), "{}", refused.stderr);
        assert!(!folder.join("out").exists());
    }
}
