//! The layering of the crates: a room (layer) depends only on the rooms to the left of it.
//!
//! A room is one or more modules at the top of a crate. Code that is compiled only for tests is exempt.

use std::{collections::BTreeSet, path::Path};

use super::rust_files;

mod circles;
mod imports;

/// A crate whose modules have an order.
struct House {
    sources: &'static str,
    /// From left to right; the modules of one room may use each other.
    rooms: &'static [&'static [&'static str]],
}

/// `diagnostics` is used by all and is beside `source`.
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
        &["rust"],
        &["lints"],
        &["analysis"],
        &["codegen"],
        &["migrate"],
        &["driver"],
        &["rules"],
        &["cli"],
        &["build"],
    ],
};

const RUNTIME: House = House {
    sources: "runtime/src",
    rooms: &[
        &["masks"],
        &["picture", "timeline"],
        &["commands"],
        &["parts", "fleet"],
        &["include_app"],
    ],
};

/// Crates, from left to right: each depends in its manifest only on those before it.
const CRATES: [(&str, &str); 16] = [
    ("hpdlc-core", "runtime/core"),
    ("hpdlc-graph", "runtime/graph"),
    ("hpdlc-program", "runtime/program"),
    ("hpdlc-host", "runtime/host"),
    ("hpdlc-store", "runtime/store"),
    ("hpdlc-gssapi", "runtime/gssapi"),
    ("hpdlc-files", "runtime/files"),
    ("hpdlc-launcher", "runtime/launcher"),
    ("hpdlc-network", "runtime/network"),
    ("hpdlc-yarn", "runtime/yarn"),
    ("hpdlc-executors", "runtime/executors"),
    ("hpdlc-engine", "runtime/engine"),
    ("hpdlc-scheduler", "runtime/scheduler"),
    ("hpdlc-testing", "runtime/testing"),
    ("hpdlc-runtime", "runtime"),
    ("hpdl", "runtime/server"),
];

impl House {
    /// The index of a module's room; `None` if it is in none.
    fn place(&self, module: &str) -> Option<usize> {
        self.rooms.iter().position(|room| room.contains(&module))
    }

    /// Uses of rooms to the right: the file, and the module.
    fn backward(&self) -> BTreeSet<(String, String)> {
        let mut backward = BTreeSet::new();
        let house = crate_at(Path::new(self.sources));
        for room in house.modules().filter_map(|module| module.first()) {
            let is_known = self.place(room).is_some();
            assert!(is_known, "{}: `{room}` is in no room", self.sources);
        }
        for (module, _, other) in house.named() {
            // `lib.rs` connects the rooms, and may be used by all.
            let (Some(own), Some(named)) = (module.first(), other.first()) else {
                continue;
            };
            if self.place(named) > self.place(own) {
                let file = format!("{}/{}.rs", self.sources, module.join("/"));
                backward.insert((file, named.clone()));
            }
        }
        backward
    }

    #[track_caller]
    fn check(&self) {
        let wrong: Vec<String> = self
            .backward()
            .into_iter()
            .map(|(file, named)| format!("{file}: {named}"))
            .collect();
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

/// The crate with these sources.
fn crate_at(sources: &Path) -> circles::Crate {
    let files = rust_files();
    let files = files.iter().filter_map(|(path, text)| {
        let path = path.strip_prefix(sources).ok()?;
        Some((path, text.as_str()))
    });
    circles::Crate::new(files)
}

#[test]
fn modules_that_stand_beside_each_other_form_no_circle() {
    let others = ["compiler", "compiler/runtime_sources", "macros"];
    let runtime = CRATES.into_iter().map(|(_, folder)| folder);
    let mut wrong = Vec::new();
    for folder in runtime.chain(others) {
        let circles = crate_at(&Path::new(folder).join("src")).circles();
        let found = circles
            .iter()
            .map(|(circle, places)| format!("{folder}: {circle}\n    {}", places.join("\n    ")));
        wrong.extend(found);
    }
    assert!(wrong.is_empty(), "circles:\n{}", wrong.join("\n"));
}

#[test]
fn crates_of_the_runtime_name_only_those_to_their_left() {
    for (place, (name, folder)) in CRATES.iter().enumerate() {
        let manifest = hpdlc_tests::repository().join(folder).join("Cargo.toml");
        let manifest = std::fs::read_to_string(manifest).expect("each has one");
        // What tests need does not count.
        let (manifest, _) = manifest
            .split_once("[dev-dependencies]")
            .unwrap_or((&manifest, ""));
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
