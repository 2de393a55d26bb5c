//! Tests of the repository itself: explanations, the index of codes, what it takes to add an action type, what becomes of Oozie's refusals, the order of rooms, and what no file may hold.

mod action_types;
mod codes;
mod explanations;
mod oozie;
mod rooms;
mod sources;

use std::{fs, path::PathBuf};

use hpdlc_tests::{folder::tracked_files, repository};

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
