//! A ZIP of an application in the place of its folder.

use std::{fs, io::Write, path::Path};

use hpdlc_tests::{command, hpdlc, run};
use zip::{ZipWriter, write::SimpleFileOptions};

/// Calls a function that is in no language.
const WRONG: &str = r#"<hadoop-workflow name="daily">
    <start to="done"/>
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
