//! Rooms know only what stands to the left of them.

use std::path::Path;

use super::rust_files;

/// The rooms of the compiler from left to right. `diagnostics` is written by all and stands beside `source`.
const ORDER: [&str; 10] = [
    "source",
    "diagnostics",
    "syntax",
    "model",
    "lower",
    "lints",
    "analysis",
    "codegen",
    "migrate",
    "driver",
];

/// Files that bring rooms together: the registry of codes, and the doors.
const EXEMPT: [&str; 4] = [
    "compiler/src/diagnostics/registry.rs",
    "compiler/src/lib.rs",
    "compiler/src/main.rs",
    "compiler/src/build.rs",
];

/// The room of a file of the compiler, and its place; none for doors.
fn room(path: &Path) -> Option<(&str, usize)> {
    let below = path.strip_prefix("compiler/src").ok()?;
    let first = below.iter().next()?.to_str()?;
    let room = first.strip_suffix(".rs").unwrap_or(first);
    let place = ORDER.iter().position(|name| *name == room)?;
    Some((room, place))
}

/// The rooms that a text names: `crate::room`, and each `room` of `use crate::{…}`.
fn named_rooms(text: &str) -> Vec<(usize, &'static str)> {
    let mut named = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        if let Some(group) = rest.strip_prefix('{') {
            named.extend(rooms_of_group(group).into_iter().map(|room| (at, room)));
        } else {
            named.extend(room_at(rest).map(|room| (at, room)));
        }
    }
    named
}

/// The rooms at the top of a `{…}` whose opening brace has been read.
fn rooms_of_group(group: &str) -> Vec<&'static str> {
    let mut rooms = Vec::new();
    let mut depth = 0;
    let mut is_start = true;
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => is_start = true,
            _ if character.is_whitespace() => {}
            _ => {
                if is_start && depth == 0 {
                    rooms.extend(room_at(&group[at..]));
                }
                is_start = false;
            }
        }
    }
    rooms
}

/// The room whose name stands at the start of `text`.
fn room_at(text: &str) -> Option<&'static str> {
    let end = text
        .find(|character: char| !character.is_ascii_alphanumeric() && character != '_')
        .unwrap_or(text.len());
    ORDER.into_iter().find(|room| *room == &text[..end])
}

/// The code in front of its tests, which may look around, as do comments.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]").next().unwrap_or(text);
    let lines = code.lines().map(|line| {
        if line.trim_start().starts_with("//") {
            ""
        } else {
            line
        }
    });
    lines.collect::<Vec<&str>>().join("\n")
}

#[test]
fn rooms_import_only_what_stands_to_their_left() {
    let mut wrong = Vec::new();
    let mut n_seen = 0;
    for (path, text) in rust_files() {
        let Some((own, place)) = room(&path) else {
            continue;
        };
        let is_test = path.iter().any(|part| {
            part == "tests" || part == "tests.rs" || part == "testing.rs" || part == "oracle.rs"
        });
        if is_test || EXEMPT.iter().any(|exempt| path == Path::new(exempt)) {
            continue;
        }
        for (at, named) in named_rooms(&code(&text)) {
            n_seen += 1;
            let is_left = ORDER.iter().position(|room| *room == named) <= Some(place);
            if !is_left {
                let line = text[..at].lines().count();
                wrong.push(format!("{}:{line}: {own} names {named}", path.display()));
            }
        }
    }
    assert!(n_seen > 300, "the rooms are where they were: {n_seen}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn groups_of_imports_are_understood() {
    let text = "use crate::{\n    diagnostics::{Sink, codegen},\n    model::App,\n};\nfn f() { crate::driver::x() }";
    let names: Vec<&str> = named_rooms(text)
        .into_iter()
        .map(|(_, room)| room)
        .collect();
    assert_eq!(names, ["diagnostics", "model", "driver"]);
}
