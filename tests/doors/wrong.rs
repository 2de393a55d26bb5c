//! Programs with mistakes in their workflows: what rustc prints, compared with the text beside each (`wrong/*.stderr`).
//!
//! One mistake gives one message, at its tokens. `UPDATE_EXPECT=1` rewrites the texts.

use std::{collections::BTreeMap, fs, path::PathBuf};

use expect_test::expect_file;
use hpdlc_tests::repository;

use crate::copy::PackageCopy;

fn cases() -> Vec<(String, PathBuf)> {
    let folder = repository().join("tests/doors/wrong");
    let entries = fs::read_dir(&folder).expect("the cases can be listed");
    let mut cases: Vec<(String, PathBuf)> = entries
        .map(|entry| entry.expect("the cases can be listed").path())
        .filter(|path| path.extension().is_some_and(|it| it == "rs"))
        .map(|path| {
            let name = path.file_stem().expect("it has a name").to_string_lossy();
            (name.into_owned(), path)
        })
        .collect();
    cases.sort();
    cases
}

#[test]
fn every_mistake_has_one_message_at_its_place() {
    let copy = PackageCopy::of("rust-workflow", "log-watch", "wrong");
    copy.write("tidy/workflow.xml", include_str!("sub_workflows/tidy.xml"));
    copy.write(
        "tidy/note/workflow.xml",
        include_str!("sub_workflows/note.xml"),
    );
    let cases = cases();
    for (name, path) in &cases {
        let text = fs::read_to_string(path).expect("the case is UTF-8");
        copy.write(&format!("src/bin/{name}.rs"), &text);
    }
    let printed: BTreeMap<String, String> = copy.printed_by_target();
    for (name, path) in cases {
        let printed = printed.get(&name).map(String::as_str).unwrap_or_default();
        expect_file![path.with_extension("stderr")].assert_eq(printed);
    }
}
