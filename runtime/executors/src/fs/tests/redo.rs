//! What a run does with a journal of an earlier one: empty, with the operation begun, or with the operation done.

use std::{fs, os::unix::fs::PermissionsExt};

use super::ground::{FsTestFolder, chgrp, chmod, delete, mkdir, r#move, setrep, touchz, trash};
use crate::fs::{Fs, Operation};

/// The lines of a complete run.
fn lines(ground: &FsTestFolder) -> Vec<String> {
    let text = fs::read_to_string(ground.path("journal")).expect("written");
    text.split_inclusive('\n').map(str::to_owned).collect()
}

/// Runs `operation`, removes the last line of the journal as a crash would, changes the ground with `meanwhile`, and runs again.
#[track_caller]
fn check_begun(
    names: &[&str],
    operation: Operation,
    meanwhile: impl FnOnce(&FsTestFolder),
    expected: &[&str],
) {
    let shown = format!("{operation:?}");
    let ground = FsTestFolder::new(names);
    let fs = ground.fs(vec![operation]);
    ground
        .run_all(&fs)
        .unwrap_or_else(|failure| panic!("{shown}: {failure}"));
    let lines = lines(&ground);
    assert!(
        lines.len() == 2 && lines[1].starts_with("{\"done\""),
        "{shown}: {lines:?}"
    );
    fs::write(ground.path("journal"), &lines[0]).expect("written");
    meanwhile(&ground);
    ground
        .run_all(&fs)
        .unwrap_or_else(|failure| panic!("{shown}, again: {failure}"));
    assert_eq!(ground.tree(), expected, "{shown}");
}

#[test]
fn what_has_begun_and_stands_counts_as_done() {
    check_begun(&["a/x", "k"], delete("@a"), |_| {}, &["k"]);
    check_begun(&[], mkdir("@a"), |_| {}, &["a/"]);
    check_begun(&["a/x"], r#move("@a", "@b"), |_| {}, &["b/", "b/x"]);
    check_begun(
        &["p-1", "p-2", "b/"],
        r#move("@p-*", "@b"),
        |_| {},
        &["b/", "b/p-1", "b/p-2"],
    );
    check_begun(&["a"], chmod("@a", "600", true, true), |_| {}, &["a"]);
    check_begun(
        &["a"],
        chgrp("@a", &rustix::process::getgid().as_raw().to_string()),
        |_| {},
        &["a"],
    );
    check_begun(&[], touchz("@a"), |_| {}, &["a"]);
    check_begun(&["a"], setrep("@a", "2"), |_| {}, &["a"]);
}

#[test]
fn what_has_begun_and_is_unfinished_is_finished() {
    check_begun(&["a/x"], delete("@a"), |ground| ground.add("a/y"), &[]);
    check_begun(
        &[],
        mkdir("@a/b"),
        |ground| fs::remove_dir(ground.path("a/b")).expect("removed"),
        &["a/", "a/b/"],
    );
    check_begun(
        &["p-1", "p-2", "b/"],
        r#move("@p-*", "@b"),
        |ground| fs::rename(ground.path("b/p-2"), ground.path("p-2")).expect("moved back"),
        &["b/", "b/p-1", "b/p-2"],
    );
    check_begun(
        &["a/x"],
        r#move("@a", "@b"),
        |ground| fs::rename(ground.path("b"), ground.path("a")).expect("moved back"),
        &["b/", "b/x"],
    );
    check_begun(
        &[],
        touchz("@a"),
        |ground| fs::remove_file(ground.path("a")).expect("removed"),
        &["a"],
    );
}

#[test]
fn what_others_made_of_a_result_is_no_obstacle() {
    // The moved folder was moved again by another process.
    check_begun(
        &["a/x"],
        r#move("@a", "@b"),
        |ground| fs::rename(ground.path("b"), ground.path("c")).expect("moved"),
        &["c/", "c/x"],
    );
    // The empty file was filled by another process.
    check_begun(&[], touchz("@a"), |ground| ground.add("a=text"), &["a"]);
}

#[test]
fn a_move_is_not_planned_anew() {
    // A file that matches now, but did not when the move began, is left alone.
    check_begun(
        &["p-1", "p-2", "b/"],
        r#move("@p-*", "@b"),
        |ground| ground.add("p-3"),
        &["b/", "b/p-1", "b/p-2", "p-3"],
    );
}

#[test]
fn a_trashed_folder_is_not_trashed_twice() {
    let ground = FsTestFolder::new(&["a/x"]);
    let fs = ground.fs(vec![trash("@a")]);
    ground.run_all(&fs).expect("moved");
    fs::write(ground.path("journal"), &lines(&ground)[0]).expect("written");
    let before = ground.tree();
    ground.run_all(&fs).expect("moved");
    assert_eq!(ground.tree(), before);
    assert!(
        before.iter().any(|name| name.ends_with("/a/x")),
        "{before:?}"
    );
}

#[test]
fn a_folder_that_was_closed_is_finished() {
    if rustix::process::geteuid().is_root() {
        println!("skipped: no folder is closed to root");
        return;
    }
    let ground = FsTestFolder::new(&["d/s/file"]);
    let fs = ground.fs(vec![chmod("@d", "000", true, true)]);
    ground.run_all(&fs).expect("changed");
    fs::write(ground.path("journal"), &lines(&ground)[0]).expect("written");
    ground.run_all(&fs).expect("stands");
    fs::remove_file(ground.path("journal")).expect("removed");
    let failure = ground
        .run_all(&fs)
        .expect_err("a first run does not get in");
    assert!(failure.to_string().starts_with("FS014"), "{failure}");
    fs::set_permissions(ground.path("d"), fs::Permissions::from_mode(0o700)).expect("opened");
    fs::set_permissions(ground.path("d/s"), fs::Permissions::from_mode(0o700)).expect("opened");
}

#[test]
fn what_is_done_is_not_done_again() {
    let operations = vec![
        delete("@a"),
        trash("@t"),
        mkdir("@b"),
        r#move("@m", "@n"),
        touchz("@z"),
        setrep("@z", "2"),
    ];
    let ground = FsTestFolder::new(&["a", "t", "m"]);
    let fs = ground.fs(operations);
    ground.run_all(&fs).expect("done");
    assert_eq!(lines(&ground).len(), 12);
    for name in ["b", "home/.Trash"] {
        fs::remove_dir_all(ground.path(name)).expect("removed");
    }
    for name in ["n", "z"] {
        fs::remove_file(ground.path(name)).expect("removed");
    }
    for name in ["a", "t", "m"] {
        ground.add(name);
    }
    ground.run_all(&fs).expect("nothing to do");
    assert_eq!(ground.tree(), ["a", "m", "t"]);
    assert_eq!(lines(&ground).len(), 12);
}

#[test]
fn a_journal_without_a_line_is_a_first_run() {
    let ground = FsTestFolder::new(&[]);
    fs::write(ground.path("journal"), "").expect("written");
    let failure = ground.run(r#move("@a", "@b")).expect_err("missing");
    assert!(failure.to_string().starts_with("FS006"), "{failure}");
}

#[test]
fn a_run_goes_on_where_the_last_one_stopped() {
    let ground = FsTestFolder::new(&["m"]);
    let fs = ground.fs(vec![
        r#move("@m", "@n"),
        delete("@n"),
        r#move("@later", "@m"),
    ]);
    ground.run_all(&fs).expect_err("there is no `later` yet");
    assert_eq!(ground.tree(), [""; 0]);
    ground.add("later");
    ground.run_all(&fs).expect("done");
    assert_eq!(ground.tree(), ["m"]);
}

#[test]
fn a_journal_of_other_operations_is_no_excuse() {
    let ground = FsTestFolder::new(&[]);
    ground.run_all(&ground.fs(vec![mkdir("@a")])).expect("made");
    let other: Fs = ground.fs(vec![mkdir("@b")]);
    ground.run_all(&other).expect("made");
    assert_eq!(ground.tree(), ["a/", "b/"]);
}
