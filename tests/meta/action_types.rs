//! Adding an action type takes one file and one line of a registry in each room.
//!
//! Every room has the type `probe` for tests. Unit tests run it: the compiler's (`codegen/action/tests.rs`) from the document to
//! the static table, the engine's (`owner/tests.rs`) from the table to the end of a job. Here its occurrences are counted.

use super::rust_files;

/// The lines outside its own files that name the type: its modules, and its lines in the registries.
const LINES: &[(&str, &str)] = &[
    ("compiler/src/analysis/action_types.rs", "Probe,"),
    ("compiler/src/analysis/action_types.rs", "mod probe;"),
    (
        "compiler/src/lower/action.rs",
        r#""probe" => ActionKind::Probe(probe::probe(body, cx.sink)),"#,
    ),
    ("compiler/src/lower/action.rs", "mod probe;"),
    ("compiler/src/lower/schema/extensions.rs", "&probe::PROBE,"),
    ("compiler/src/lower/schema/extensions.rs", "mod probe;"),
    ("compiler/src/model/action.rs", "Probe(probe::Probe),"),
    ("compiler/src/model/action.rs", "pub mod probe;"),
    ("runtime/core/src/action.rs", "mod probe;"),
    ("runtime/core/src/action.rs", "probe::{Probe};"),
    ("runtime/executors/src/lib.rs", "Probe(probe::Probe),"),
    ("runtime/executors/src/lib.rs", "mod probe;"),
    ("runtime/program/src/table/action.rs", "mod probe;"),
    ("runtime/program/src/table/action.rs", "probe::Probe,"),
];

/// Its own files.
const FILES: &[&str] = &[
    "compiler/src/analysis/action_types/probe.rs",
    "compiler/src/lower/action/probe.rs",
    "compiler/src/lower/schema/extensions/probe.rs",
    "compiler/src/model/action/probe.rs",
    "runtime/core/src/action/probe.rs",
    "runtime/executors/src/probe.rs",
    "runtime/program/src/table/action/probe.rs",
];

/// The files that distinguish types by their variants: registries, and rules for a single type.
const MATCHES: &[&str] = &[
    "compiler/src/analysis/actions.rs",
    "compiler/src/analysis/forms.rs",
    "compiler/src/analysis/schemes.rs",
    "compiler/src/lower/action.rs",
    "compiler/src/lower/proposal/actions.rs",
    "compiler/src/model/action.rs",
];

#[test]
fn facts_of_an_action_type_stand_in_its_own_files() {
    let mut files: Vec<String> = Vec::new();
    for (path, text) in rust_files() {
        let name = path.to_str().expect("the repository's names are ASCII");
        if !name.starts_with("compiler/src/") || name.contains("/tests") {
            continue;
        }
        let mut variants = text.split("ActionKind::").skip(1);
        if variants.any(|it| it.starts_with(char::is_uppercase) && !it.starts_with("Unknown")) {
            files.push(name.to_owned());
        }
    }
    files.sort();
    assert_eq!(files, MATCHES);
}

#[test]
fn an_action_type_is_a_file_and_a_line_of_a_registry_in_each_room() {
    let mut lines: Vec<(String, String)> = Vec::new();
    let mut files: Vec<String> = Vec::new();
    for (path, text) in rust_files() {
        let name = path.to_str().expect("the repository's names are ASCII");
        let is_source = name.starts_with("compiler/src/") || name.starts_with("runtime/");
        if !is_source || name.contains("/tests") {
            continue;
        }
        if name.ends_with("/probe.rs") {
            files.push(name.to_owned());
            continue;
        }
        let named = text.lines().map(str::trim);
        let named = named.filter(|line| line.to_lowercase().contains("probe"));
        lines.extend(named.map(|line| (name.to_owned(), line.to_owned())));
    }
    lines.sort();
    let lines: Vec<(&str, &str)> = lines
        .iter()
        .map(|(file, line)| (file.as_str(), line.as_str()))
        .collect();
    assert_eq!(lines, LINES);
    files.sort();
    assert_eq!(files, FILES);
}
