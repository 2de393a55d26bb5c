//! The rules of the proposal of 2009.

use super::ground::{FsTestFolder, delete, mkdir, r#move};
use crate::fs::{Fs, Operation};

/// The files that exist after the operations, or the code of their failure.
#[track_caller]
fn check(before: &[&str], operations: Vec<Operation>, expected: Result<&[&str], &str>) {
    let ground = FsTestFolder::new(before);
    let shown = format!("{operations:?}");
    let fs = Fs {
        of_proposal: true,
        ..ground.fs(operations)
    };
    match (ground.run_all(&fs), expected) {
        (Ok(()), Ok(after)) => assert_eq!(ground.tree(), after, "{shown}"),
        (Err(failure), Err(code)) => {
            assert!(failure.to_string().starts_with(code), "{shown}: {failure}");
            let untouched = FsTestFolder::new(before);
            assert_eq!(ground.tree(), untouched.tree(), "{shown}");
        }
        (result, _) => panic!("{shown}: {result:?}"),
    }
}

#[test]
fn what_moves_is_looked_at_before_anything_is_done() {
    let no_source = vec![delete("@a"), r#move("@none", "@b")];
    check(&["a"], no_source, Err("FS006"));
    let taken = vec![mkdir("@c"), r#move("@a", "@b")];
    check(&["a", "b"], taken, Err("FS008"));
    let no_folder = vec![mkdir("@c"), r#move("@a", "@d/a")];
    check(&["a"], no_folder, Err("FS008"));
    let moved_away = vec![r#move("@a", "@b"), r#move("@a", "@c")];
    check(&["a"], moved_away, Err("FS006"));
}

#[test]
fn operations_see_what_those_before_them_do() {
    let archived = vec![mkdir("@archive/1"), r#move("@in", "@archive/1/in")];
    check(
        &["in/"],
        archived,
        Ok(&["archive/", "archive/1/", "archive/1/in/"]),
    );
    let replaced = vec![delete("@b"), r#move("@a", "@b")];
    check(&["a", "b/c"], replaced, Ok(&["b"]));
    let inside = vec![r#move("@a", "@b"), r#move("@b/x", "@c")];
    check(&["a/x"], inside, Ok(&["b/", "c"]));
}

#[test]
fn paths_are_no_patterns() {
    check(&["a1", "a*"], vec![delete("@a*")], Ok(&["a1"]));
    check(&["a1", "{b}"], vec![r#move("@{b}", "@c")], Ok(&["a1", "c"]));
}

#[test]
fn relative_paths_stand_on_the_home() {
    let ground = FsTestFolder::new(&["home/old/f", "home/in"]);
    let operations = vec![
        delete("old"),
        mkdir("archive/1"),
        r#move("in", "archive/1/in"),
    ];
    let fs = Fs {
        name_node: Some("file:///".to_owned()),
        of_proposal: true,
        ..ground.fs(operations)
    };
    ground.run_all(&fs).expect("done");
    assert_eq!(
        ground.tree(),
        ["home/archive/", "home/archive/1/", "home/archive/1/in"]
    );
    // Nothing is checked or done twice.
    ground.run_all(&fs).expect("done before");
}
