//! Tests of the repository itself: explanations, what becomes of Oozie's refusals, the order of rooms, and what no file may hold.

mod explanations;
mod oozie;
mod rooms;
mod sources;

use std::{fs, path::PathBuf, process::Command};

use hpdlc_tests::repository;

/// Every file of the repository that is or will be under version control, by its path in it.
fn tracked_files() -> Vec<PathBuf> {
    let listed = Command::new("git")
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(repository())
        .output()
        .expect("the repository is under git");
    assert!(listed.status.success());
    let listed = String::from_utf8(listed.stdout).expect("the repository's names are UTF-8");
    let mut files: Vec<PathBuf> = listed
        .split_terminator('\0')
        .map(PathBuf::from)
        .filter(|path| repository().join(path).is_file())
        .collect();
    files.sort();
    files.dedup();
    files
}

/// Every Rust file that people write, with its text.
fn rust_files() -> Vec<(PathBuf, String)> {
    tracked_files()
        .into_iter()
        .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
        .filter(|path| !is_generated(path))
        .map(|path| {
            let text = fs::read_to_string(repository().join(&path)).expect("Rust files are UTF-8");
            (path, text)
        })
        .collect()
}

/// Golden files are what the compiler writes.
fn is_generated(path: &std::path::Path) -> bool {
    path.starts_with("tests/golden") && path.components().any(|part| part.as_os_str() == "expected")
}
