//! What no file of the repository may be or contain.

use std::{env, fs};

use hpdlc_tests::{
    folder::{tracked_files, untracked_files},
    repository,
};

use super::rust_files;

/// Every place where `needle` occurs, one per line.
fn places(text: &str, path: &std::path::Path, needle: &str) -> Vec<String> {
    let lines = (1..).zip(text.lines());
    lines
        .filter(|(_, line)| line.contains(needle))
        .map(|(number, line)| format!("{}:{number}: {}", path.display(), line.trim()))
        .collect()
}

/// `git commit --all` leaves new files out, and only a fresh clone shows that they are missing.
#[test]
fn every_file_is_known_to_git() {
    let unknown = untracked_files();
    assert!(
        unknown.is_empty(),
        "a clone is without these files: add them (git add), or ignore them (.gitignore)\n{unknown:#?}"
    );
}

#[test]
fn rust_files_are_short() {
    const MOST: usize = 600;
    let long: Vec<String> = rust_files()
        .into_iter()
        .map(|(path, text)| (text.lines().count(), path))
        .filter(|(n_lines, _)| *n_lines > MOST)
        .map(|(n_lines, path)| format!("{}: {n_lines} lines", path.display()))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn rust_files_say_what_they_are_for() {
    let silent: Vec<String> = rust_files()
        .into_iter()
        .filter(|(path, text)| {
            // One diagnostic each, described by its type.
            let is_diagnostic = text.contains("\ncode!(") || text.contains("\nlint!(");
            // Their name and the module that they test describe them.
            let is_tests = path.ends_with("tests.rs");
            !text.starts_with("//!") && !is_diagnostic && !is_tests
        })
        .map(|(path, _)| path.display().to_string())
        .collect();
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

/// The one file with code that the compiler cannot check: it calls a library of C.
const UNCHECKED: &str = "runtime/gssapi/src/native.rs";

#[test]
fn only_one_file_is_not_checked_and_says_why_it_is_sound() {
    let mut found = Vec::new();
    for (path, text) in rust_files() {
        // In parts, so that this file does not contain them.
        for end in [" {", " fn", " impl"] {
            let needle = ["unsafe", end].concat();
            if !path.ends_with(UNCHECKED) {
                found.extend(places(&text, &path, &needle));
                continue;
            }
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            let unexplained = lines.iter().enumerate().filter(|(at, line)| {
                let mut above = lines[at.saturating_sub(3)..*at].iter();
                line.contains(&needle) && !above.any(|line| line.starts_with("// SAFETY: "))
            });
            found.extend(unexplained.map(|(at, _)| format!("{UNCHECKED}:{}", at + 1)));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn rust_files_hold_no_shortcut() {
    // In parts, so that this file does not contain them.
    let banned = [
        ["#[ig", "nore"].concat(),
        ["#[should_", "panic"].concat(),
        ["to", "do!("].concat(),
        ["unimple", "mented!("].concat(),
        ["dbg", "!("].concat(),
        ["TO", "DO"].concat(),
        ["FIX", "ME"].concat(),
    ];
    let mut found = Vec::new();
    for (path, text) in rust_files() {
        for banned in &banned {
            found.extend(places(&text, &path, banned));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn modules_are_named_by_their_file() {
    let wrong: Vec<String> = rust_files()
        .into_iter()
        .filter(|(path, _)| {
            let name = path.file_name().and_then(|name| name.to_str());
            matches!(
                name,
                Some("mod.rs" | "utils.rs" | "helpers.rs" | "common.rs" | "misc.rs")
            )
        })
        .map(|(path, _)| path.display().to_string())
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether the match at `at` in `line` does not continue a longer path.
fn begins(line: &str, at: usize) -> bool {
    let before = line[..at].chars().next_back();
    !before.is_some_and(|character| character.is_alphanumeric() || "}_.$".contains(character))
}

#[test]
fn no_file_knows_the_machine_it_was_written_on() {
    let mut machine = vec![["/wo", "rk/"].concat(), ["/ro", "ot/."].concat()];
    let host = fs::read_to_string("/etc/hostname").unwrap_or_default();
    let home = env::var("HOME").unwrap_or_default();
    // Short or common names occur in many texts by chance.
    machine.extend(
        [host.trim().to_owned(), home]
            .into_iter()
            .filter(|name| name.len() > 8 && name != "localhost"),
    );
    let mut found = Vec::new();
    for path in tracked_files() {
        let Ok(text) = fs::read_to_string(repository().join(&path)) else {
            continue;
        };
        for name in &machine {
            let of_machine = |line: &&str| line.match_indices(name).any(|(at, _)| begins(line, at));
            let lines = (1..).zip(text.lines());
            found.extend(
                lines
                    .filter(|(_, line)| of_machine(line))
                    .map(|(number, line)| format!("{}:{number}: {}", path.display(), line.trim())),
            );
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
