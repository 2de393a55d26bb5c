//! Rooms know only what stands to the left of them.
//!
//! A room is one or more modules at the top of a crate. What is compiled for tests alone may look around.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use super::rust_files;

mod circles;
mod imports;

/// A crate whose modules have an order.
struct House {
    sources: &'static str,
    /// From left to right; the modules of one room may name each other.
    rooms: &'static [&'static [&'static str]],
    /// Files that bring rooms together.
    doors: &'static [&'static str],
}

/// `diagnostics` is written by all and stands beside `source`.
const COMPILER: House = House {
    sources: "compiler/src",
    rooms: &[
        &["lookup"],
        &["parallel"],
        &["source"],
        &["diagnostics"],
        &["syntax"],
        &["model"],
        &["lower"],
        &["lints"],
        &["analysis"],
        &["codegen"],
        &["migrate"],
        &["driver"],
        &["rules"],
        &["cli"],
        &["build"],
    ],
    doors: &["lib.rs", "main.rs"],
};

const RUNTIME: House = House {
    sources: "runtime/src",
    rooms: &[
        &["masks"],
        &["picture", "timeline"],
        &["commands"],
        &["parts"],
        &["include_app"],
    ],
    doors: &["lib.rs"],
};

/// Crates, from left to right: each names in its manifest only those before it.
const CRATES: [(&str, &str); 12] = [
    ("hpdlc-core", "runtime/core"),
    ("hpdlc-graph", "runtime/graph"),
    ("hpdlc-program", "runtime/program"),
    ("hpdlc-host", "runtime/host"),
    ("hpdlc-store", "runtime/store"),
    ("hpdlc-files", "runtime/files"),
    ("hpdlc-launcher", "runtime/launcher"),
    ("hpdlc-network", "runtime/network"),
    ("hpdlc-executors", "runtime/executors"),
    ("hpdlc-engine", "runtime/engine"),
    ("hpdlc-scheduler", "runtime/scheduler"),
    ("hpdlc-runtime", "runtime"),
];

/// Whether a file is compiled for tests alone.
fn is_for_tests(path: &Path) -> bool {
    path.iter().any(|part| {
        ["tests", "tests.rs", "testing.rs", "oracle.rs"]
            .iter()
            .any(|name| part == *name)
    })
}

impl House {
    /// The place of a module's room; none where it is in none.
    fn place(&self, module: &str) -> Option<usize> {
        self.rooms.iter().position(|room| room.contains(&module))
    }

    fn module_of<'p>(&self, path: &'p Path) -> Option<&'p str> {
        let first = path.strip_prefix(self.sources).ok()?.iter().next()?;
        let first = first.to_str()?;
        Some(first.strip_suffix(".rs").unwrap_or(first))
    }

    /// Every file with what it names to the right of its room.
    fn backward(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut backward: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (path, text) in rust_files() {
            let Some(own) = self.module_of(&path) else {
                continue;
            };
            let below = path.strip_prefix(self.sources).expect("it has a module");
            let file = below.to_str().expect("the repository's names are ASCII");
            if is_for_tests(below) || self.doors.contains(&file) {
                continue;
            }
            let place = self.place(own);
            assert!(place.is_some(), "{}: `{own}` is in no room", path.display());
            for named in imports::modules(&text) {
                if self.place(&named) > place {
                    backward.entry(file.to_owned()).or_default().insert(named);
                }
            }
        }
        backward
    }

    #[track_caller]
    fn check(&self) {
        let mut wrong = Vec::new();
        for (file, names) in self.backward() {
            let lines = names
                .iter()
                .map(|name| format!("{}/{file}: {name}", self.sources));
            wrong.extend(lines);
        }
        assert!(
            wrong.is_empty(),
            "these name what stands to their right:\n{}",
            wrong.join("\n")
        );
    }
}

#[test]
fn rooms_of_the_compiler_import_only_what_stands_to_their_left() {
    COMPILER.check();
}

#[test]
fn rooms_of_the_runtime_import_only_what_stands_to_their_left() {
    RUNTIME.check();
}

/// Crates that still have circles. The list may only get shorter.
const CRATES_WITH_CIRCLES: [&str; 2] = ["runtime/executors", "runtime/engine"];

/// The circles of modules in a crate, with the places that close them.
fn circles_of(sources: &Path) -> BTreeMap<String, Vec<String>> {
    let files = rust_files();
    let files = files.iter().filter_map(|(path, text)| {
        let path = path.strip_prefix(sources).ok()?;
        (!is_for_tests(path)).then_some((path, text.as_str()))
    });
    circles::Crate::new(files).circles()
}

#[test]
fn modules_that_stand_beside_each_other_form_no_circle() {
    let others = ["compiler", "compiler/bundle", "macros"];
    let runtime = CRATES.into_iter().map(|(_, folder)| folder);
    let mut wrong = Vec::new();
    for folder in runtime.chain(others) {
        let circles = circles_of(&Path::new(folder).join("src"));
        let may_have_circles = CRATES_WITH_CIRCLES.contains(&folder);
        if may_have_circles && circles.is_empty() {
            wrong.push(format!("opened, take it out of the list: {folder}"));
        }
        if !may_have_circles {
            let found = circles.iter().map(|(circle, places)| {
                format!("{folder}: {circle}\n    {}", places.join("\n    "))
            });
            wrong.extend(found);
        }
    }
    assert!(wrong.is_empty(), "circles:\n{}", wrong.join("\n"));
}

#[test]
fn crates_of_the_runtime_name_only_those_to_their_left() {
    for (place, (name, folder)) in CRATES.iter().enumerate() {
        let manifest = hpdlc_tests::repository().join(folder).join("Cargo.toml");
        let manifest = std::fs::read_to_string(manifest).expect("each has one");
        for line in manifest.lines() {
            let other = line.split(['.', ' ']).next().unwrap_or_default();
            let right = CRATES.iter().position(|(name, _)| *name == other);
            assert!(
                right.is_none_or(|right| right < place),
                "{name} depends on {other}, which stands to its right"
            );
        }
    }
}
