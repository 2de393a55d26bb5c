//! The rules of each operation, its error codes, and the behavior of a run after a crash.

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::Path,
    sync::atomic::AtomicBool,
};

use hpdlc_core::step::FailureClass;

use super::{ActionError, CANCELED, Fs, FsFailure, Operation, beginning_with_its_code};

mod evaluation;
mod ground;
mod limits;
mod proposal;
mod redo;

use self::ground::{
    FsTestFolder, chgrp, chmod, delete, mkdir, r#move, run_at_home, setrep, touchz, trash,
};

#[track_caller]
fn check(names: &[&str], operation: Operation, expected: &[&str]) {
    let ground = FsTestFolder::new(names);
    let shown = format!("{operation:?}");
    if let Err(failure) = ground.run(operation) {
        panic!("{shown}: {failure}");
    }
    assert_eq!(ground.tree(), expected, "{shown}");
}

/// The operation fails with `code` and a message that has `part`, and changes nothing.
#[track_caller]
fn check_error(names: &[&str], operation: Operation, code: &str, part: &str) {
    let ground = FsTestFolder::new(names);
    let before = ground.tree();
    let failure = ground.run(operation).expect_err(part);
    let FsFailure::Action(error) = failure else {
        panic!("{failure}")
    };
    assert_eq!(
        (error.class, error.code.as_str()),
        (FailureClass::Error, code),
        "{}",
        error.message
    );
    assert!(
        error.message.contains(&ground.uri(part)),
        "{}",
        error.message
    );
    assert_eq!(ground.tree(), before);
}

#[test]
fn delete_removes_whatever_matches() {
    check(&["a/b/c=x", "k"], delete("@a"), &["k"]);
    check(&["p-1", "p-2/x", "k"], delete("@p-*"), &["k"]);
    check(&["k"], delete("@missing/x"), &["k"]);
    check(&["k"], delete("@missing-*"), &["k"]);
    check_error(&[], delete("file:///"), "FS005", "it is the root folder");
    check_error(&[], delete("@{a"), "IOException", "a `{` is not closed");
}

#[test]
fn delete_removes_links_and_not_what_they_lead_to() {
    let ground = FsTestFolder::new(&["kept/file", "tree/x"]);
    symlink(ground.path("kept"), ground.path("tree/link")).expect("linked");
    symlink(ground.path("kept"), ground.path("link")).expect("linked");
    ground
        .run_all(&ground.fs(vec![delete("@tree"), delete("@link")]))
        .expect("deleted");
    assert_eq!(ground.tree(), ["kept/", "kept/file"]);
}

#[test]
fn delete_may_move_to_the_trash() {
    let ground = FsTestFolder::new(&["a/b=new", "k"]);
    let in_trash = |name: &str| {
        let below = ground
            .path(name)
            .strip_prefix("/")
            .expect("absolute")
            .to_owned();
        fs::read_to_string(ground.path("home/.Trash/Current").join(below).join("b")).ok()
    };
    ground.run(trash("@a")).expect("moved");
    assert_eq!(in_trash("a").as_deref(), Some("new"));
    assert!(!ground.path("a").exists());

    ground.add("a/b=newer");
    fs::remove_file(ground.path("journal")).expect("removed");
    ground.run(trash("@a")).expect("moved");
    assert_eq!(in_trash("a").as_deref(), Some("new"));
    assert_eq!(in_trash("a.1").as_deref(), Some("newer"));

    check(&["k"], trash("@missing"), &["k"]);
    check_error(
        &["home/.Trash/x"],
        trash("@home/.Trash/x"),
        "FS005",
        "is in the trash already",
    );
    check_error(&["home/.Trash/x"], trash("@home"), "FS005", "is in it");
    let ground = FsTestFolder::new(&["a"]);
    let fs = ground.fs(vec![trash("@a")]);
    let failure = run_at_home(&fs, &ground.path("journal"), &AtomicBool::new(false), None)
        .expect_err("no home");
    assert!(failure.to_string().contains("HOME is not set"), "{failure}");
}

#[test]
fn mkdir_makes_parents_and_takes_what_is_there() {
    check(&[], mkdir("@a/b"), &["a/", "a/b/"]);
    check(&["a/b"], mkdir("@a"), &["a/", "a/b"]);
    check(&["a=x"], mkdir("@a"), &["a"]);
    check_error(
        &["a=x"],
        mkdir("@a/b"),
        "FS004",
        "mkdir, path [file:#/a/b] could not create directory: ",
    );
}

#[test]
fn move_renames_or_moves_inside() {
    check(&["a/x"], r#move("@a", "@b"), &["b/", "b/x"]);
    check(&["a/x", "b/"], r#move("@a", "@b"), &["b/", "b/a/", "b/a/x"]);
    check(
        &["p-1", "p-2", "b/"],
        r#move("@p-*", "@b"),
        &["b/", "b/p-1", "b/p-2"],
    );
    check(&["p-1"], r#move("@p-*", "@b"), &["b"]);
    check(&["a"], r#move("@a", "#/b"), &["b"]);
    check(&["a"], r#move("@a", "b"), &["home/b"]);
    check(&["a=x"], r#move("@a", "@a"), &["a"]);
}

#[test]
fn errors_of_move() {
    check_error(
        &["b/"],
        r#move("@a*", "@b"),
        "FS006",
        "move, source path [file:#/a*] does not exist",
    );
    check_error(
        &["a"],
        r#move("@a", "ftp://nn/b"),
        "FS007",
        "move, target NN URI different from that of source: [ftp://nn/b]",
    );
    check_error(
        &["a", "b"],
        r#move("@a", "@b"),
        "FS008",
        "move, could not move [file:#/a] to [file:#/b]: ",
    );
    check_error(
        &["a/x", "b"],
        r#move("@a", "@b"),
        "FS008",
        "move, could not move [file:#/a] to [file:#/b]: ",
    );
    check_error(
        &["a", "b/a"],
        r#move("@a", "@b"),
        "FS008",
        "move, could not move [file:#/a] to [file:#/b/a]: ",
    );
    check_error(
        &["a/x", "b/a/"],
        r#move("@a", "@b"),
        "FS008",
        "move, could not move [file:#/a] to [file:#/b/a]: ",
    );
    check_error(
        &["a"],
        r#move("@a", "@c/b"),
        "FS008",
        "move, could not move [file:#/a] to [file:#/c/b]: ",
    );
    check_error(
        &["a/x"],
        r#move("@a", "@a/b"),
        "FS008",
        "the target is in the source",
    );
    check_error(
        &["a/x"],
        r#move("@a", "@a"),
        "FS008",
        "the target is in the source",
    );
    check_error(
        &[],
        r#move("file:///", "@a"),
        "FS008",
        "it is the root folder",
    );
    check_error(
        &["p-1", "p-2"],
        r#move("@p-*", "@b"),
        "FS012",
        "2 sources match",
    );
    check_error(
        &["p-1", "p-2", "b"],
        r#move("@p-*", "@b"),
        "FS012",
        "target [file:#/b] is not a folder",
    );
}

#[test]
fn chmod_goes_as_deep_as_it_is_told() {
    let check = |dir_files, recursive, expected: [u32; 4]| {
        let ground = FsTestFolder::new(&["d/s/file", "d/file"]);
        let names = ["d", "d/file", "d/s", "d/s/file"];
        for name in names {
            fs::set_permissions(ground.path(name), fs::Permissions::from_mode(0o711)).expect("set");
        }
        ground
            .run(chmod("@d*", "-rwxrwx--T", dir_files, recursive))
            .expect("changed");
        let modes =
            names.map(|name| fs::metadata(ground.path(name)).expect("there").mode() & 0o7777);
        assert_eq!(
            modes, expected,
            "dir-files={dir_files} recursive={recursive}"
        );
    };
    check(true, false, [0o1770, 0o1770, 0o1770, 0o711]);
    check(false, false, [0o1770, 0o711, 0o711, 0o711]);
    check(true, true, [0o1770; 4]);
    // As in Oozie, `recursive` has no effect without `dir-files`.
    check(false, true, [0o1770, 0o711, 0o711, 0o711]);
}

#[test]
fn chmod_follows_no_link_below() {
    let ground = FsTestFolder::new(&["d/file", "outside/file"]);
    fs::set_permissions(ground.path("outside"), fs::Permissions::from_mode(0o755)).expect("set");
    symlink(ground.path("outside"), ground.path("d/link")).expect("linked");
    symlink(ground.path("d"), ground.path("named")).expect("linked");
    ground
        .run(chmod("@named", "700", true, true))
        .expect("changed");
    let mode = |name: &str| fs::metadata(ground.path(name)).expect("there").mode() & 0o777;
    assert_eq!(
        (mode("d"), mode("d/file"), mode("outside")),
        (0o700, 0o700, 0o755)
    );
}

#[test]
fn errors_of_changes() {
    check_error(
        &[],
        chmod("@a", "755", true, false),
        "FS009",
        "path(s) that matches [file:#/a",
    );
    check_error(
        &[],
        chgrp("@a*", "0"),
        "FS009",
        "path(s) that matches [file:#/a",
    );
    check_error(
        &["a"],
        chmod("@a", "758", true, false),
        "NumberFormatException",
        "invalid permissions mask [758]",
    );
    check_error(
        &["a"],
        chmod("@a", "0755", true, false),
        "FS010",
        "invalid permissions mask [0755]",
    );
    check_error(
        &["a"],
        chgrp("@a", "no such group"),
        "IOException",
        "there is no group",
    );
    let ground = FsTestFolder::new(&[]);
    symlink("nowhere", ground.path("a")).expect("linked");
    let failure = ground
        .run(chmod("@a", "755", true, false))
        .expect_err("dangling");
    assert!(failure.to_string().starts_with("FS009"), "{failure}");
}

#[test]
fn chgrp_changes_the_group_alone() {
    let ground = FsTestFolder::new(&["d/s/file"]);
    let before = fs::metadata(ground.path("d")).expect("there");
    // Root can use any group; other users can only use a group that they belong to.
    let group = if before.uid() == 0 {
        before.gid() + 7
    } else {
        before.gid()
    };
    ground
        .run(chgrp("@d", &group.to_string()))
        .expect("changed");
    for name in ["d", "d/s", "d/s/file"] {
        let after = fs::metadata(ground.path(name)).expect("there");
        assert_eq!((after.uid(), after.gid()), (before.uid(), group), "{name}");
    }
}

#[test]
fn access_denied_is_fs014() {
    // Not even root can change these.
    for operation in [
        chmod("file:/proc/self/status", "777", true, false),
        delete("file:/proc/self/status"),
    ] {
        let shown = format!("{operation:?}");
        let ground = FsTestFolder::new(&[]);
        let failure = ground.run(operation).expect_err("refused");
        assert!(
            failure.to_string().starts_with("FS014: "),
            "{shown}: {failure}"
        );
    }
}

#[test]
fn touchz_makes_an_empty_file() {
    check(&[], touchz("@a/b"), &["a/", "a/b"]);
    check_error(
        &["a/"],
        touchz("@a"),
        "Exception",
        "file:#/a is a directory",
    );
    check_error(
        &["a=x"],
        touchz("@a"),
        "Exception",
        "file:#/a must be a zero-length file",
    );
    check_error(
        &["a=x"],
        touchz("@a/b"),
        "IOException",
        "cannot touch #/a/b",
    );

    let ground = FsTestFolder::new(&["a"]);
    let old = std::time::SystemTime::UNIX_EPOCH;
    fs::File::open(ground.path("a"))
        .expect("there")
        .set_modified(old)
        .expect("set");
    ground.run(touchz("@a")).expect("touched");
    let after = fs::metadata(ground.path("a"))
        .expect("there")
        .modified()
        .expect("known");
    assert!(after > old, "{after:?}");
}

#[test]
fn setrep_is_checked() {
    check(&["a"], setrep("@a", "3"), &["a"]);
    check(&[], setrep("@missing", "3"), &[]);
    check_error(
        &["a"],
        setrep("@a", "many"),
        "NumberFormatException",
        "`many`",
    );
    check_error(
        &["a"],
        setrep("@a", "40000"),
        "NumberFormatException",
        "`40000`",
    );
    check_error(
        &["a"],
        setrep("#/a", "3"),
        "FS001",
        "Missing scheme in path [#/a]",
    );
    check_error(&["a"], setrep("ftp://nn/a", "3"), "FS002", "scheme `ftp`");
}

#[test]
fn paths_stand_on_the_name_node() {
    let check = |name_node: Option<&str>, path: &str, expected: Result<(), &str>| {
        let ground = FsTestFolder::new(&[]);
        let name_node = name_node.map(str::to_owned);
        let fs = Fs {
            name_node,
            ..ground.fs(vec![mkdir(path)])
        };
        let result = ground.run_all(&fs);
        match expected {
            Ok(()) => {
                assert!(result.is_ok(), "{path}: {result:?}");
                assert_eq!(ground.tree(), ["a/"], "{path}");
            }
            Err(code) => {
                let failure = result.expect_err(path);
                assert!(failure.to_string().starts_with(code), "{path}: {failure}");
                assert_eq!(ground.tree(), [""; 0], "{path}");
            }
        }
    };
    check(None, "@a", Ok(()));
    check(None, "file:#/a", Ok(()));
    check(None, "#/a", Err("FS001"));
    check(None, "a", Err("FS001"));
    check(None, "ftp://nn/a", Err("FS002"));
    check(None, "file://other/a", Err("FS002"));
    check(None, "file:a", Err("FS011"));
    check(Some("file:///"), "#/a", Ok(()));
    check(Some("file:///"), "a", Err("FS011"));
    check(Some("file:///"), "ftp://nn/a", Err("FS002"));
    check(Some("ftp://nn:8020"), "@a", Ok(()));
    check(Some("ftp://nn:8020"), "file:#/a", Ok(()));
    check(Some("ftp://nn:8020"), "#/a", Err("FS002"));
    check(Some("ftp://nn:8020"), "ftp:///a", Err("FS002"));
    check(Some("nn:8020"), "#/a", Err("FS002"));
    check(Some("/nn"), "@a", Err("FS001"));
    check(Some(""), "@a", Err("FS001"));
}

#[test]
fn too_many_matches_are_refused() {
    for operation in [
        delete("@p-*"),
        trash("@p-*"),
        r#move("@p-*", "@b"),
        chmod("@p-*", "755", true, false),
        chgrp("@p-*", "0"),
    ] {
        let ground = FsTestFolder::new(&["p-1", "p-2", "b/"]);
        let shown = format!("{operation:?}");
        let fs = Fs {
            glob_max: 1,
            ..ground.fs(vec![operation])
        };
        let failure = ground.run_all(&fs).expect_err("two");
        assert!(
            failure.to_string().starts_with("FS013"),
            "{shown}: {failure}"
        );
        assert_eq!(ground.tree(), ["b/", "p-1", "p-2"], "{shown}");
    }
}

#[test]
fn operations_run_in_order_and_stay_when_a_later_one_fails() {
    let ground = FsTestFolder::new(&["old/x"]);
    let fs = ground.fs(vec![
        r#move("@old", "@older"),
        mkdir("@old"),
        touchz("@old/done"),
        r#move("@missing", "@x"),
        delete("@old"),
    ]);
    let failure = ground.run_all(&fs).expect_err("missing");
    assert!(failure.to_string().starts_with("FS006"), "{failure}");
    assert_eq!(ground.tree(), ["old/", "old/done", "older/", "older/x"]);
}

#[test]
fn schemes_that_the_site_does_not_allow_are_refused() {
    let ground = FsTestFolder::new(&["a"]);
    let mut fs = ground.fs(vec![delete("@a")]);
    fs.access.schemes = Some("hdfs,hftp,webhdfs".to_owned());
    let failure = ground.run_all(&fs).expect_err("not allowed");
    assert!(
        failure
            .to_string()
            .starts_with("HadoopAccessorException: E0904: scheme `file`"),
        "{failure}"
    );
    assert_eq!(ground.tree(), ["a"]);
}

#[test]
fn a_canceled_run_stops_before_the_next_operation() {
    let ground = FsTestFolder::new(&[]);
    let fs = ground.fs(vec![mkdir("@a")]);
    let failure = run_at_home(&fs, &ground.path("journal"), &AtomicBool::new(true), None)
        .expect_err("canceled");
    assert!(
        failure.to_string().starts_with("HPDL_CANCELED"),
        "{failure}"
    );
    assert_eq!(ground.tree(), [""; 0]);
}

#[test]
fn a_journal_that_cannot_be_kept_is_the_machine_s_fault() {
    let ground = FsTestFolder::new(&[]);
    let fs = ground.fs(vec![mkdir("@a")]);
    for journal in ["/proc/hpdlc/journal", "/proc"] {
        let failure = run_at_home(&fs, Path::new(journal), &AtomicBool::new(false), None)
            .expect_err("no journal");
        assert!(
            matches!(failure, FsFailure::Machine(_)),
            "{journal}: {failure}"
        );
        assert_eq!(ground.tree(), [""; 0], "nothing happens without a journal");
    }
}

#[test]
fn messages_begin_with_the_codes_that_oozie_has() {
    let message = |code: &str| beginning_with_its_code(ActionError::error(code, "why")).message;
    assert_eq!(message("FS006"), "FS006: why");
    assert_eq!(
        message("NumberFormatException"),
        "NumberFormatException: why"
    );
    assert_eq!(message(CANCELED), "why");
    assert_eq!(message("HPDL_TIMEOUT"), "why");
}
