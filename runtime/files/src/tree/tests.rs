//! What is copied of a folder, and what is refused.

use std::{os::unix::fs::symlink, sync::atomic::AtomicBool};

use super::*;
use crate::Local;

const PLENTY: Allowance = Allowance {
    bytes: 1_000,
    entries: 20,
};

/// Copies the application `app` of a new folder that `make` has filled.
fn copied(
    make: impl FnOnce(&Path),
    allowed: Allowance,
) -> (tempfile::TempDir, Result<Copied, TreeError>) {
    let folder = tempfile::tempdir().unwrap();
    let app = folder.path().join("app");
    fs::create_dir(&app).unwrap();
    fs::write(app.join("workflow.xml"), "<workflow-app/>").unwrap();
    make(&app);
    let never = AtomicBool::new(false);
    let into = folder.path().join("into");
    let result = application(&Local::new(&never), &app, "workflow.xml", &into, allowed);
    (folder, result)
}

fn names(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => waiting.push(path),
                false => found.push(path.strip_prefix(folder).unwrap().display().to_string()),
            }
        }
    }
    found.sort();
    found
}

#[test]
fn only_a_document_is_taken_for_one() {
    for (text, expected) in [
        ("<workflow-app name='a'/>", Some("workflow-app")),
        (
            "\u{feff}<?xml version='1.0'?>\n<!-- <x> -->\n<c:coordinator-app>",
            Some("coordinator-app"),
        ),
        ("<bundle-app>", Some("bundle-app")),
        ("root:x:0:0:root:/root:/bin/bash\n", None),
        ("<configuration/>", None),
        (
            "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><workflow-app/>",
            None,
        ),
        ("<workflow-app", None),
        ("<!-- <workflow-app/>", None),
        ("", None),
    ] {
        assert_eq!(root_element(text.as_bytes()), expected, "{text}");
    }
}

fn files_of_all_kinds(app: &Path) {
    fs::create_dir_all(app.join("lib/.hidden")).unwrap();
    for name in [
        "lib/a.jar",
        "lib/b.properties",
        "job.properties",
        ".hpdlignore",
        ".x",
        "hpdl.toml",
        "lib/.hidden/c",
    ] {
        fs::write(app.join(name), name).unwrap();
    }
    symlink("lib/a.jar", app.join("a.jar")).unwrap();
}

#[test]
fn a_folder_is_copied_with_links_inside_it_and_without_what_is_never_embedded() {
    let (folder, result) = copied(
        |app| {
            files_of_all_kinds(app);
            symlink("../lib", app.join("lib/again")).unwrap();
        },
        Allowance {
            bytes: 10_000,
            entries: 1_000,
        },
    );
    // `again` leads to the folder that it is in.
    assert!(
        matches!(result, Err(TreeError::LeadsOut(_) | TreeError::TooMuch)),
        "{result:?}"
    );
    drop(folder);
    let (folder, result) = copied(files_of_all_kinds, PLENTY);
    let app = folder.path().join("app");
    let document = app.join("workflow.xml").display().to_string();
    assert_eq!(result.map(|copied| copied.document), Ok(document));
    let copy = below(&folder.path().join("into"), &app);
    assert_eq!(
        names(&copy),
        [
            ".hpdlignore",
            "a.jar",
            "lib/a.jar",
            "lib/b.properties",
            "workflow.xml"
        ]
    );
}

/// CVE-2017-15712: an application must not bring in files of the server that it only links to.
#[test]
fn a_link_that_leads_out_of_the_folder_is_refused() {
    for target in [
        "/etc/passwd",
        "../secret",
        "/etc",
        "sub/../../secret",
        "/proc/self/environ",
    ] {
        let (folder, result) = copied(
            |app| {
                fs::write(app.join("../secret"), "secret").unwrap();
                fs::create_dir(app.join("sub")).unwrap();
                symlink(target, app.join("link")).unwrap();
            },
            PLENTY,
        );
        assert_eq!(
            result,
            Err(TreeError::LeadsOut("link".to_owned())),
            "{target}"
        );
        let copy = below(&folder.path().join("into"), &folder.path().join("app"));
        assert!(!copy.join("link").exists());
    }
}

#[test]
fn the_document_may_not_be_a_link_that_leads_out() {
    let (_folder, result) = copied(
        |app| {
            fs::rename(app.join("workflow.xml"), app.join("../other.xml")).unwrap();
            symlink("../other.xml", app.join("workflow.xml")).unwrap();
        },
        PLENTY,
    );
    assert_eq!(result, Err(TreeError::LeadsOut("workflow.xml".to_owned())));
    let secret = |app: &Path| fs::write(app.join("workflow.xml"), "root:x:0:0").unwrap();
    let (folder, result) = copied(secret, PLENTY);
    assert!(
        matches!(result, Err(TreeError::NoDocument(_))),
        "{result:?}"
    );
    assert!(!folder.path().join("into").exists());
}

#[test]
fn pipes_and_too_much_are_refused() {
    let (_folder, result) = copied(
        |app| {
            let path = app.join("pipe");
            rustix::fs::mknodat(
                rustix::fs::CWD,
                &path,
                rustix::fs::FileType::Fifo,
                Mode::from_raw_mode(0o600),
                0,
            )
            .unwrap();
        },
        PLENTY,
    );
    assert!(matches!(result, Err(TreeError::Odd(_))), "{result:?}");
    let large = |app: &Path| fs::write(app.join("large"), vec![0; 1_001]).unwrap();
    assert_eq!(copied(large, PLENTY).1, Err(TreeError::TooMuch));
    let many = |app: &Path| (0..20).for_each(|n| fs::write(app.join(n.to_string()), "").unwrap());
    assert_eq!(copied(many, PLENTY).1, Err(TreeError::TooMuch));
}

#[test]
fn a_folder_without_a_document_is_not_copied() {
    let (folder, result) = copied(
        |app| fs::remove_file(app.join("workflow.xml")).unwrap(),
        PLENTY,
    );
    assert!(matches!(result, Err(TreeError::Missing(_))), "{result:?}");
    assert!(!folder.path().join("into").exists());
}

#[test]
fn a_file_is_copied_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("one.xml"), "1").unwrap();
    fs::write(folder.path().join("two.xml"), "2").unwrap();
    let never = AtomicBool::new(false);
    let into = folder.path().join("into");
    let path = folder.path().join("one.xml");
    file(&Local::new(&never), &path, &into, PLENTY).unwrap();
    assert_eq!(names(&below(&into, folder.path())), ["one.xml"]);
}
