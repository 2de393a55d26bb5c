use std::{fs, os::unix::fs::symlink, sync::atomic::AtomicBool};

use hpdlc_core::{el::scope::NoJob, step::FailureClass};
use hpdlc_files::{AccessSettings, GLOB_MAX};
use hpdlc_program::table::{PrepareOperation, Template};

use super::{Operation, Prepare};

fn prepare(operations: Vec<Operation>) -> Prepare {
    Prepare {
        name_node: None,
        operations,
        glob_max: GLOB_MAX,
        access: AccessSettings::default(),
    }
}

fn delete(path: impl Into<String>) -> Operation {
    Operation::Delete { path: path.into() }
}

fn mkdir(path: impl Into<String>) -> Operation {
    Operation::Mkdir { path: path.into() }
}

#[test]
fn folders_are_deleted_and_made_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().display();
    fs::create_dir_all(folder.path().join("out/deep")).expect("made");
    fs::write(folder.path().join("out/deep/old"), "x").expect("written");
    fs::write(folder.path().join("part-1"), "x").expect("written");
    fs::write(folder.path().join("part-2"), "x").expect("written");
    fs::write(folder.path().join("kept"), "x").expect("written");
    symlink(folder.path().join("kept"), folder.path().join("link")).expect("linked");
    let prepare = prepare(vec![
        delete(format!("file:{root}/out")),
        delete(format!("{root}/part-*")),
        delete(format!("{root}/link")),
        delete(format!("{root}/missing")),
        mkdir(format!("file://{root}/out/a/b")),
        mkdir(format!("{root}/kept")),
    ]);
    for run in ["first", "second"] {
        prepare.run(&AtomicBool::new(false)).expect(run);
        let mut names: Vec<_> = fs::read_dir(folder.path())
            .expect("read")
            .map(|entry| entry.expect("read").file_name())
            .collect();
        names.sort();
        assert_eq!(names, ["kept", "out"], "{run}");
        assert!(folder.path().join("out/a/b").is_dir(), "{run}");
        assert!(!folder.path().join("out/deep").exists(), "{run}");
    }
}

#[test]
fn every_failure_is_of_the_prepare() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("1"), "x").expect("written");
    fs::write(folder.path().join("2"), "x").expect("written");
    let root = folder.path().display();
    let check = |prepare: &Prepare, part: &str| {
        let error = prepare.run(&AtomicBool::new(false)).expect_err(part);
        assert_eq!(
            (error.class, error.code.as_str()),
            (FailureClass::Error, "JA018"),
            "{part}"
        );
        assert!(
            error.message.starts_with("Prepare failed in "),
            "{}",
            error.message
        );
        assert!(error.message.contains(part), "{}", error.message);
    };
    check(
        &prepare(vec![delete("ftp://nn/x")]),
        "delete `ftp://nn/x`: this program cannot reach",
    );
    check(
        &prepare(vec![mkdir("out")]),
        "mkdir `out`: path `out` is not absolute",
    );
    check(
        &prepare(vec![delete("/")]),
        "the root folder cannot be deleted",
    );
    check(&prepare(vec![delete("/tmp/{a")]), "a `{` is not closed");
    check(
        &prepare(vec![mkdir(format!("{root}/1/below"))]),
        "could not create directory",
    );
    check(
        &prepare(vec![mkdir("/proc/hpdlc/x")]),
        "could not create directory",
    );
    check(
        &prepare(vec![mkdir("/x")]).on(" ftp://nn:8020 "),
        "scheme `ftp`",
    );
    let bounded = Prepare {
        glob_max: 1,
        ..prepare(vec![delete(format!("{root}/*"))])
    };
    check(&bounded, "matches more than 1 files");
    assert!(folder.path().join("1").exists());
}

#[test]
fn a_name_node_on_this_machine_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("out");
    let prepare = prepare(vec![mkdir(path.display().to_string())]).on("file:///");
    prepare.run(&AtomicBool::new(false)).expect("made");
    assert!(path.is_dir());
}

#[test]
fn a_canceled_prepare_does_nothing_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("out");
    let prepare = prepare(vec![mkdir(path.display().to_string())]);
    let error = prepare.run(&AtomicBool::new(true)).expect_err("canceled");
    assert_eq!(error.class, FailureClass::NonTransient);
    assert!(!path.exists());
}

#[test]
fn paths_are_evaluated_and_trimmed() {
    static OPERATIONS: [PrepareOperation; 2] = [
        PrepareOperation::Delete(Template::Around(0, 1, "", "out", " ")),
        PrepareOperation::Mkdir(Template::Around(1, 1, "", "out", "/x")),
    ];
    let properties = [("out".to_owned(), "/data".to_owned())].into();
    let scope = NoJob::new(&properties, chrono::DateTime::UNIX_EPOCH);
    let prepare = Prepare::evaluate(&OPERATIONS, &scope).expect("defined");
    assert_eq!(prepare.operations, [delete("/data"), mkdir("/data/x")]);

    let nothing = NoJob::new(&Default::default(), chrono::DateTime::UNIX_EPOCH);
    let error = Prepare::evaluate(&OPERATIONS, &nothing).expect_err("undefined");
    assert!(
        error
            .to_string()
            .contains("variable `out` cannot be resolved"),
        "{error}"
    );
}
