//! Tests with an in-memory store; the network protocols of the real ones are tested in their own crate.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

use object_store::memory::InMemory;

use super::Objects;
use crate::{
    AccessSettings, FileSystem,
    clusters::Clusters,
    error::Fault,
    glob,
    hosts::Hosts,
    system::{EntryStatus, PART},
};

static RUNNING: AtomicBool = AtomicBool::new(false);

static SETTINGS: AccessSettings = AccessSettings {
    user: None,
    properties: std::collections::BTreeMap::new(),
    schemes: None,
    timeout: None,
    clusters: Clusters::INSTALLED,
};

fn store(names: &[&str]) -> Objects<'static> {
    let objects = Objects {
        hosts: Hosts::new(&SETTINGS, &RUNNING),
        store: Arc::new(InMemory::new()),
        scheme: "s3a".to_owned(),
        name: "s3a://bucket".to_owned(),
    };
    for name in names {
        objects.touch(Path::new(name)).expect("written");
    }
    objects
}

fn found(objects: &Objects<'_>, pattern: &str) -> Vec<PathBuf> {
    glob::expand(objects, pattern, 100).expect("listed")
}

fn status(objects: &Objects<'_>, path: &str) -> Option<EntryStatus> {
    objects.status(Path::new(path)).expect("asked")
}

#[test]
fn folders_are_there_while_something_is_in_them() {
    let objects = store(&["/a/b/c", "/a/d"]);
    assert!(status(&objects, "/a").is_some_and(|it| it.is_folder));
    assert!(status(&objects, "/").is_some_and(|it| it.is_folder));
    assert!(status(&objects, "/a/d").is_some_and(|it| !it.is_folder));
    assert_eq!(status(&objects, "/a/x"), None);
    assert_eq!(
        found(&objects, "/a/*"),
        [PathBuf::from("/a/b"), "/a/d".into()]
    );
    assert_eq!(found(&objects, "/*/b/[a-c]"), [PathBuf::from("/a/b/c")]);
    objects.remove(Path::new("/a/b")).expect("removed");
    assert_eq!(status(&objects, "/a/b"), None);
    objects
        .remove(Path::new("/a/b"))
        .expect("nothing there is fine");
    objects
        .make_folders(Path::new("/x"))
        .expect("nothing to do");
    assert_eq!(status(&objects, "/x"), None);
}

#[test]
fn a_rename_moves_every_object_and_replaces_none() {
    let objects = store(&["/a/1", "/a/b/2", "/ab", "/c/x"]);
    let error = objects
        .rename(Path::new("/a"), Path::new("/c"), false)
        .expect_err("it exists");
    assert_eq!(error.kind(), std::io::ErrorKind::AlreadyExists);
    objects
        .rename(Path::new("/a"), Path::new("/d"), false)
        .expect("moved");
    assert_eq!(
        found(&objects, "/*"),
        [PathBuf::from("/ab"), "/c".into(), "/d".into()]
    );
    assert_eq!(found(&objects, "/d/b/*"), [PathBuf::from("/d/b/2")]);

    // The state after a crash between the copies and the removals.
    objects.touch(Path::new("/a/1")).expect("written");
    objects
        .rename(Path::new("/a"), Path::new("/d"), true)
        .expect("moved again");
    assert_eq!(status(&objects, "/a"), None);
    let missing = objects.rename(Path::new("/a"), Path::new("/e"), false);
    assert!(missing.is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound));
}

#[test]
fn what_stores_do_not_have_is_said() {
    let objects = store(&["/a"]);
    let path = Path::new("/a");
    for error in [
        objects.set_permission(path, 0o644).expect_err("none"),
        objects.group("staff").map(drop).expect_err("none"),
        objects.set_replication(path, 2).expect_err("none"),
        objects.trash().map(drop).expect_err("none"),
    ] {
        assert_eq!(Fault::of(&error), Some(&Fault::Unsupported));
        assert!(
            error
                .to_string()
                .starts_with("files of scheme `s3a` cannot "),
            "{error}"
        );
    }
}

#[test]
fn objects_are_read_up_to_a_limit() {
    let objects = store(&["/empty"]);
    assert_eq!(objects.read(Path::new("/empty"), 10).expect("read"), b"");
    let store = Arc::clone(&objects.store);
    let key = object_store::path::Path::from("text");
    objects
        .hosts
        .wait(async move {
            use object_store::ObjectStoreExt as _;
            let bytes = b"0123456789".to_vec();
            store
                .put(&key, bytes.into())
                .await
                .map_err(super::converted)
        })
        .expect("written");
    assert_eq!(
        objects.read(Path::new("/text"), 10).expect("read"),
        b"0123456789"
    );
    objects.read(Path::new("/text"), 9).expect_err("too long");
    objects.read(Path::new("/none"), 9).expect_err("missing");
}

#[test]
fn a_long_file_is_sent_and_fetched_in_parts() {
    let objects = store(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    let long = 2 * usize::try_from(PART).expect("fits") + 5;
    for length in [0, 1, long] {
        let from = folder.path().join("from");
        let to = folder.path().join("to");
        let bytes: Vec<u8> = (0..length).map(|index| (index % 251) as u8).collect();
        fs::write(&from, &bytes).expect("written");
        objects.put(&from, Path::new("/a/long")).expect("sent");
        objects.get(Path::new("/a/long"), &to).expect("fetched");
        assert!(fs::read(&to).expect("read") == bytes, "{length}");
        let part = objects.read_part(Path::new("/a/long"), 1, 3);
        let expected: Vec<u8> = bytes.iter().skip(1).take(3).copied().collect();
        assert_eq!(part.expect("read"), expected);
        let max = u64::try_from(length).expect("fits");
        assert!(objects.read(Path::new("/a/long"), max).is_ok());
        if max > 0 {
            let error = objects.read(Path::new("/a/long"), max - 1);
            let kind = error.expect_err("too long").kind();
            assert_eq!(kind, std::io::ErrorKind::FileTooLarge);
        }
    }
}
