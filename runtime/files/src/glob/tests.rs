use std::{fs, os::unix::fs::symlink, path::PathBuf};

use tempfile::TempDir;

use super::GlobError;
use crate::Access;

fn expand(pattern: &str, max: usize) -> Result<Vec<PathBuf>, GlobError> {
    super::expand(&Access::default().local, pattern, max)
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    for file in [
        "a/1.txt",
        "a/2.txt",
        "a/.hidden",
        "b/1.txt",
        "b/c/1.txt",
        "star*",
    ] {
        let path = root.join(file);
        fs::create_dir_all(path.parent().expect("below root")).expect("made");
        fs::write(path, "").expect("written");
    }
    symlink("nowhere", root.join("dangling")).expect("linked");
    symlink("b", root.join("link")).expect("linked");
    folder
}

fn names(folder: &TempDir, pattern: &str, max: usize) -> Result<Vec<String>, GlobError> {
    let root = folder.path().to_str().expect("UTF-8");
    let found = expand(&format!("{root}/{pattern}"), max)?;
    Ok(found
        .iter()
        .map(|path| {
            path.strip_prefix(root)
                .expect("below root")
                .display()
                .to_string()
        })
        .collect())
}

#[test]
fn patterns_match_a_component_at_a_time() {
    let folder = folder();
    let check = |pattern: &str, expected: &[&str]| {
        assert_eq!(
            names(&folder, pattern, 100).expect("fine"),
            expected,
            "{pattern}"
        );
    };
    check("a/1.txt", &["a/1.txt"]);
    check("a/3.txt", &[]);
    check("missing/*", &[]);
    check("a/1.txt/*", &[]);
    check("a/1.txt/x", &[]);
    check("a/*", &["a/.hidden", "a/1.txt", "a/2.txt"]);
    check("*/1.txt", &["a/1.txt", "b/1.txt", "link/1.txt"]);
    check("[ab]/?.txt", &["a/1.txt", "a/2.txt", "b/1.txt"]);
    check("{a,b/c}/1.txt", &["a/1.txt", "b/c/1.txt"]);
    check("{a/1.txt,a/*.txt}", &["a/1.txt", "a/2.txt"]);
    check(r"star\*", &["star*"]);
    check("dang*", &["dangling"]);
    check("dangling", &["dangling"]);
    check("dang*/x", &[]);
}

#[test]
fn the_number_of_matches_is_bounded() {
    let folder = folder();
    assert_eq!(names(&folder, "a/*", 3).expect("three").len(), 3);
    let error = names(&folder, "a/*", 2).expect_err("three");
    assert!(
        matches!(error, GlobError::TooMany { max: 2, .. }),
        "{error}"
    );
    assert!(
        error
            .to_string()
            .ends_with("matches more than 2 files (oozie.action.fs.glob.max)")
    );
}

#[test]
fn a_bad_pattern_is_shown() {
    let error = expand("/tmp/[a/b", 10).expect_err("unclosed");
    assert_eq!(
        error.to_string(),
        "path pattern `/tmp/[a/b` is not valid: a `[` is not closed"
    );
}

#[test]
fn the_root_matches_itself() {
    assert_eq!(expand("/", 10).expect("fine"), [PathBuf::from("/")]);
}

#[test]
fn a_path_matches_as_a_whole() {
    for (pattern, path, expected) in [
        ("/logs/*/part-[0-9]", "/logs/a/part-7", true),
        ("/logs/*/part-[0-9]", "/logs/a/b/part-7", false),
        ("/logs/*", "/logs", false),
        ("/{a,b/c}/x", "/b/c/x", true),
        ("/a", "/a", true),
    ] {
        let found = super::is_match(pattern, path, 10).expect("it is a pattern");
        assert_eq!(found, expected, "{pattern} {path}");
    }
}
