use std::{
    ffi::OsString,
    fs,
    os::unix::{
        ffi::OsStringExt,
        fs::{MetadataExt, PermissionsExt, symlink},
    },
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use hpdlc_files::Local;
use tempfile::TempDir;

use super::{Across, Relocation, free_name, perform, rename};
use crate::fs::{FsFailure, Operation, journal::OperationJournal};

static RUNNING: AtomicBool = AtomicBool::new(false);

fn local() -> Local<'static> {
    Local::new(&RUNNING)
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(folder.path().join("from/sub")).expect("made");
    fs::write(folder.path().join("from/file"), "text").expect("written");
    fs::set_permissions(
        folder.path().join("from/file"),
        fs::Permissions::from_mode(0o640),
    )
    .expect("changed");
    symlink("nowhere", folder.path().join("from/sub/link")).expect("linked");
    folder
}

fn operation() -> Operation {
    Operation::Move {
        source: "file:/from".to_owned(),
        target: "file:/to".to_owned(),
    }
}

fn relocation(folder: &Path) -> Relocation {
    Relocation::new(folder.join("from"), folder.join("to"))
}

fn assert_moved(folder: &Path) {
    let to = folder.join("to");
    assert!(!folder.join("from").exists(), "the source is gone");
    assert_eq!(fs::read_to_string(to.join("file")).expect("moved"), "text");
    assert_eq!(
        fs::metadata(to.join("file")).expect("moved").mode() & 0o777,
        0o640
    );
    assert_eq!(
        fs::read_link(to.join("sub/link")).expect("moved"),
        Path::new("nowhere")
    );
    let leftovers: Vec<_> = fs::read_dir(folder)
        .expect("read")
        .map(|entry| entry.expect("read").file_name().display().to_string())
        .filter(|name| name.starts_with(".hpdl-move-"))
        .collect();
    assert_eq!(leftovers, [""; 0]);
}

/// Creates the state that `prepare` leaves, and continues as after a crash.
fn check_redo(
    prepare: impl FnOnce(&Across<'_>, &mut OperationJournal),
) -> Result<TempDir, FsFailure> {
    let folder = folder();
    let relocation = relocation(folder.path());
    let path = folder.path().join("journal");
    let mut journal = OperationJournal::open(&path).expect("new");
    journal
        .begin_moving(0, &operation(), vec![relocation.clone()])
        .expect("written");
    let across = Across {
        system: &local(),
        index: 0,
        place: 0,
        relocation: &relocation,
        is_canceled: &RUNNING,
    };
    prepare(&across, &mut journal);

    let mut journal = OperationJournal::open(&path).expect("old");
    let begun = journal.begun(0, &operation());
    assert!(begun.is_some());
    let plan = || panic!("a redo has a plan");
    perform(
        0,
        &operation(),
        begun,
        plan,
        &mut journal,
        &local(),
        &RUNNING,
    )?;
    Ok(folder)
}

#[test]
fn a_copy_replaces_its_source() {
    let folder = folder();
    let relocation = relocation(folder.path());
    let mut journal = OperationJournal::open(&folder.path().join("journal")).expect("new");
    let across = Across {
        system: &local(),
        index: 0,
        place: 0,
        relocation: &relocation,
        is_canceled: &RUNNING,
    };
    across.copy(&mut journal).expect("copied");
    assert_moved(folder.path());
}

#[test]
fn a_move_goes_on_after_a_crash_at_any_point() {
    let redo = |prepare: fn(&Across<'_>, &mut OperationJournal)| {
        let folder = check_redo(prepare).expect("moved");
        assert_moved(folder.path());
    };
    // Nothing was done.
    redo(|_, _| {});
    // The rename was done.
    redo(|across, _| fs::rename(&across.relocation.from, &across.relocation.to).expect("moved"));
    // The copy was complete and recorded.
    redo(|across, journal| {
        across
            .copy_tree(&across.relocation.from, &across.temporary())
            .expect("copied");
        journal.copied(0, 0).expect("written");
    });
    // The copy was at its target, and a part of the source was removed.
    redo(|across, journal| {
        across
            .copy_tree(&across.relocation.from, &across.relocation.to)
            .expect("copied");
        journal.copied(0, 0).expect("written");
        fs::remove_dir_all(across.relocation.from.join("sub")).expect("removed");
    });
    // The copy was complete once, but neither it nor the target exists: only the source is left.
    redo(|_, journal| journal.copied(0, 0).expect("written"));
}

#[test]
fn an_unfinished_copy_is_begun_anew() {
    let folder = folder();
    let relocation = relocation(folder.path());
    let mut journal = OperationJournal::open(&folder.path().join("journal")).expect("new");
    let across = Across {
        system: &local(),
        index: 0,
        place: 0,
        relocation: &relocation,
        is_canceled: &RUNNING,
    };
    fs::create_dir(across.temporary()).expect("made");
    fs::write(across.temporary().join("half"), "te").expect("written");
    across.copy(&mut journal).expect("copied");
    assert_moved(folder.path());
    assert!(!folder.path().join("to/half").exists());
}

#[test]
fn what_exists_is_never_replaced() {
    let folder = folder();
    fs::write(folder.path().join("to"), "old").expect("written");
    let relocation = relocation(folder.path());
    let mut journal = OperationJournal::open(&folder.path().join("journal")).expect("new");
    let across = Across {
        system: &local(),
        index: 0,
        place: 0,
        relocation: &relocation,
        is_canceled: &RUNNING,
    };
    let failure = across.copy(&mut journal).expect_err("the target exists");
    assert!(
        failure
            .to_string()
            .starts_with("FS008: move, could not move ["),
        "{failure}"
    );
    rename(&relocation.from, &relocation.to).expect_err("the target exists");
    assert_eq!(fs::read_to_string(&relocation.to).expect("kept"), "old");
    assert!(relocation.from.join("file").exists());

    // Nor if it appeared between the copy and the rename; then the source is kept too.
    let failure = check_redo(|across, journal| {
        across
            .copy_tree(&across.relocation.from, &across.temporary())
            .expect("copied");
        journal.copied(0, 0).expect("written");
        fs::write(&across.relocation.to, "new").expect("written");
    })
    .expect_err("the target exists");
    assert!(failure.to_string().starts_with("FS008"), "{failure}");
}

#[test]
fn a_move_reaches_another_disk() {
    let folder = folder();
    let shared = Path::new("/dev/shm");
    let is_other = fs::metadata(shared)
        .is_ok_and(|it| it.dev() != fs::metadata(folder.path()).expect("made").dev());
    let Ok(other) = tempfile::tempdir_in(shared) else {
        println!("skipped: there is no second disk");
        return;
    };
    if !is_other {
        println!("skipped: there is no second disk");
        return;
    }
    let relocation = Relocation::new(folder.path().join("from"), other.path().join("to"));
    let mut journal = OperationJournal::open(&folder.path().join("journal")).expect("new");
    let plan = || Ok(vec![relocation.clone()]);
    perform(
        0,
        &operation(),
        None,
        plan,
        &mut journal,
        &local(),
        &RUNNING,
    )
    .expect("moved");
    assert!(!relocation.from.exists());
    assert_moved(other.path());
}

#[test]
fn a_canceled_copy_leaves_nothing() {
    let folder = folder();
    let relocation = relocation(folder.path());
    let mut journal = OperationJournal::open(&folder.path().join("journal")).expect("new");
    let canceled = AtomicBool::new(true);
    let across = Across {
        system: &local(),
        index: 0,
        place: 0,
        relocation: &relocation,
        is_canceled: &canceled,
    };
    let failure = across.copy(&mut journal).expect_err("canceled");
    assert!(
        failure.to_string().starts_with("HPDL_CANCELED"),
        "{failure}"
    );
    assert!(!across.temporary().exists());
    assert!(relocation.from.join("file").exists() && !relocation.to.exists());
}

#[test]
fn names_that_are_no_text_survive_the_journal() {
    let name = PathBuf::from(OsString::from_vec(b"/a/\xff\xfe".to_vec()));
    let relocation = Relocation::new(name, PathBuf::from("/b/\u{e9}"));
    let json = serde_json::to_string(&relocation).expect("written");
    assert_eq!(json, r#"{"from":[47,97,47,255,254],"to":"/b/é"}"#);
    assert_eq!(
        serde_json::from_str::<Relocation>(&json).expect("read"),
        relocation
    );
}

#[test]
fn free_names_are_numbered() {
    let folder = tempfile::tempdir().expect("a folder");
    let wanted = folder.path().join("x");
    assert_eq!(
        free_name(&local(), &wanted, |_| false).expect("free"),
        wanted
    );
    fs::write(&wanted, "").expect("written");
    assert_eq!(
        free_name(&local(), &wanted, |_| false).expect("free"),
        folder.path().join("x.1")
    );
    let taken = folder.path().join("x.1");
    assert_eq!(
        free_name(&local(), &wanted, |it| it == taken).expect("free"),
        folder.path().join("x.2")
    );
}
