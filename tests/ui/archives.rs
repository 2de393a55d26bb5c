//! A ZIP of an application instead of its folder.

use std::{fs, io::Write, path::Path};

use hpdlc_tests::{command, hpdlc, run};
use zip::{ZipWriter, write::SimpleFileOptions};

/// Calls a function that does not exist.
const WRONG: &str = r#"<hadoop-workflow name="daily">
    <start to="broken"/>
    <fail name="broken"><message>${wf:nothing()}</message></fail>
    <end name="done"/>
</hadoop-workflow>
"#;

const RIGHT: &str =
    r#"<hadoop-workflow name="daily"><start to="done"/><end name="done"/></hadoop-workflow>"#;

fn archive(path: &Path, document: &str) {
    let mut writer = ZipWriter::new(fs::File::create(path).expect("made"));
    for (name, text) in [("daily/workflow.xml", document), ("daily/data", "1 2 3")] {
        writer
            .start_file(name, SimpleFileOptions::default())
            .expect("added");
        writer.write_all(text.as_bytes()).expect("written");
    }
    writer.finish().expect("finished");
}

#[test]
fn places_are_named_by_the_archive_and_nothing_is_left_behind() {
    let world = tempfile::tempdir().expect("a temporary folder");
    let temporary = world.path().join("tmp");
    fs::create_dir(&temporary).expect("made");
    archive(&world.path().join("wrong.zip"), WRONG);
    archive(&world.path().join("Right.ZIP"), RIGHT);
    for (arguments, code, part) in [
        (
            vec!["check", "wrong.zip", "--format", "short"],
            1,
            "wrong.zip/daily/workflow.xml:3:36: error[H0411]",
        ),
        (vec!["check", "Right.ZIP"], 0, ""),
        (vec!["check", "wrong.zip", "--fix"], 2, "cannot be changed"),
        (vec!["graph", "Right.ZIP", "-o", "picture.svg"], 0, ""),
        (
            vec!["migrate", "wrong.zip", "-o", "new"],
            1,
            "wrong.zip/daily",
        ),
        (
            vec!["migrate", "Right.ZIP", "-o", "new"],
            0,
            "Migrated 1 document",
        ),
    ] {
        let finished = run(command::command(hpdlc(), &world.path().join("home"))
            .args(&arguments)
            .env("TMPDIR", &temporary)
            .current_dir(world.path()));
        assert_eq!(
            finished.code,
            Some(code),
            "{arguments:?}: {}",
            finished.stderr
        );
        assert!(
            finished.stderr.contains(part),
            "{arguments:?}: {}",
            finished.stderr
        );
        let left = fs::read_dir(&temporary).expect("it is there").count();
        assert_eq!(left, 0, "{arguments:?}");
    }
    let new = fs::read_to_string(world.path().join("new/workflow.xml")).expect("written");
    assert!(new.contains("workflow-app"), "{new}");
    assert!(world.path().join("new/data").is_file());
}

/// A ZIP with these files.
fn packed(path: &Path, files: &[(&str, &str)]) {
    let mut writer = ZipWriter::new(fs::File::create(path).expect("made"));
    for (name, text) in files {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .expect("added");
        writer.write_all(text.as_bytes()).expect("written");
    }
    writer.finish().expect("finished");
}

/// Runs `check --format short`, which must leave no temporary files.
fn check_short(world: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let temporary = world.join("tmp");
    fs::create_dir_all(&temporary).expect("made");
    let finished = run(command::command(hpdlc(), &world.join("home"))
        .args(["check", "--format", "short"])
        .args(arguments)
        .env("TMPDIR", &temporary)
        .current_dir(world));
    let left = fs::read_dir(&temporary).expect("it is there").count();
    assert_eq!(left, 0, "{arguments:?}");
    (finished.code, finished.stderr)
}

const UNREACHED: &str = r#"<workflow-app name="w" xmlns="uri:oozie:workflow:1.0"><start to="end"/><kill name="no"><message>m</message></kill><end name="end"/></workflow-app>"#;

const ALLOW: &str = "[lints]\nunreachable_nodes = \"allow\"\n";

#[test]
fn settings_in_an_archive_count_above_those_beside_it() {
    let world = tempfile::tempdir().expect("a temporary folder");
    let (here, zip) = (world.path(), world.path().join("app.zip"));
    fs::write(here.join("hpdl.toml"), ALLOW.replace("allow", "deny")).expect("written");
    packed(&zip, &[("app/workflow.xml", UNREACHED)]);
    let (code, said) = check_short(here, &["app.zip"]);
    assert_eq!(code, Some(1), "{said}");
    for folder in ["", "app/"] {
        let document = format!("{folder}workflow.xml");
        let settings = format!("{folder}hpdl.toml");
        packed(&zip, &[(&document, UNREACHED), (&settings, ALLOW)]);
        let (code, said) = check_short(here, &["app.zip"]);
        assert_eq!((code, said.as_str()), (Some(0), ""));
    }
    packed(
        &zip,
        &[
            ("app/workflow.xml", UNREACHED),
            ("app/hpdl.toml", "[map]\n\"hdfs://nn\" = \"../..\"\n"),
        ],
    );
    let (code, said) = check_short(here, &["app.zip"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("app.zip/app/hpdl.toml:2:15: error[H0007]"),
        "{said}"
    );
}

#[test]
fn an_archive_can_stand_for_a_uri() {
    let world = tempfile::tempdir().expect("a temporary folder");
    let here = world.path();
    let parent = |uri: &str| {
        format!(
            r#"<workflow-app name="w" xmlns="uri:oozie:workflow:1.0"><start to="run"/><action name="run"><sub-workflow><app-path>{uri}</app-path></sub-workflow><ok to="end"/><error to="end"/></action><end name="end"/></workflow-app>"#
        )
    };
    let wrong = UNREACHED.replace("start to=\"end\"", "start to=\"ende\"");
    packed(&here.join("one.zip"), &[("child/workflow.xml", &wrong)]);
    packed(
        &here.join("two.ZIP"),
        &[
            ("child/workflow.xml", &wrong),
            ("other/workflow.xml", UNREACHED),
        ],
    );
    fs::write(here.join("no.zip"), "no archive").expect("written");
    for (uri, map, code, part) in [
        (
            "hdfs://nn/child",
            "hdfs://nn/child=one.zip",
            1,
            "one.zip/child/workflow.xml:1:",
        ),
        (
            "hdfs://nn/child",
            "hdfs://nn=one.zip",
            1,
            "one.zip/child/workflow.xml:1:",
        ),
        (
            "hdfs://nn/child",
            "hdfs://nn=two.ZIP",
            1,
            "two.ZIP/child/workflow.xml:1:",
        ),
        (
            "hdfs://nn/other",
            "hdfs://nn=two.ZIP",
            0,
            "two.ZIP/other/workflow.xml:1:",
        ),
        (
            "hdfs://nn/child",
            "hdfs://nn=no.zip",
            1,
            "no.zip: error[H0008]",
        ),
    ] {
        fs::write(here.join("workflow.xml"), parent(uri)).expect("written");
        let (found, said) = check_short(here, &["workflow.xml", "--map", map]);
        assert_eq!(found, Some(code), "{map}: {said}");
        assert!(said.contains(part), "{map}: {said}");
    }
}
