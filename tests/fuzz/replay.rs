//! Regression tests for the fuzzing: every input in `tests/fuzz/found` is run through its target again.

use std::fs;

use hpdlc_tests::{folder::files_below, repository};

#[path = "src/targets.rs"]
mod targets;

#[test]
fn nothing_that_was_found_comes_back() {
    for (name, target) in targets::ALL {
        let found = repository().join("tests/fuzz/found").join(name);
        if !found.is_dir() {
            continue;
        }
        for file in files_below(&found) {
            let bytes = fs::read(&file).expect("the file is in the repository");
            println!("{}", file.display());
            target(&bytes);
        }
    }
}
