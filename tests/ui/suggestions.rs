//! Every suggestion of `hpdlc check`, in every case, applied alone: the diagnostic is gone, and nothing is wrong that was not before.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::Value;

use super::{cases, fix::CaseCopy};

/// Suggestions that only begin a correction: those that have to be repeated for another place, or reveal the next mistake.
const FIRST_STEPS: [&str; 0] = [];

#[test]
fn each_suggestion_leads_to_something_right() {
    let mut n_applied = 0;
    let mut wrong = Vec::new();
    for case in cases() {
        let Some(copy) = CaseCopy::of(&case) else {
            continue;
        };
        let before = diagnostics(&copy);
        for diagnostic in &before {
            let suggestions = diagnostic["suggestions"].as_array().expect("it is a list");
            for suggestion in suggestions {
                if suggestion["applicability"] == "HasPlaceholders" {
                    continue;
                }
                n_applied += 1;
                let saved = apply(&copy.here(), &suggestion["edits"]);
                let after = diagnostics(&copy);
                for (file, text) in saved {
                    fs::write(file, text).expect("the copy can be written");
                }
                let code = diagnostic["code"].as_str().unwrap_or_default();
                if let Some(problem) = problem(diagnostic, &before, &after)
                    && !FIRST_STEPS.contains(&code)
                {
                    wrong.push(format!(
                        "{}: {} -> {}: {problem}",
                        case.path.display(),
                        diagnostic["message"],
                        suggestion["message"],
                    ));
                }
            }
        }
    }
    assert!(n_applied > 100, "{n_applied}");
    assert_eq!(wrong, [""; 0], "{}", wrong.join("\n"));
}

fn diagnostics(copy: &CaseCopy) -> Vec<Value> {
    let finished = copy.check(&["--format", "json"]);
    let lines = finished.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("each line is JSON"))
        .collect()
}

/// Makes the edits in the files below `folder`; returns their texts before.
fn apply(folder: &Path, edits: &Value) -> Vec<(std::path::PathBuf, String)> {
    let mut by_file: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
    for edit in edits.as_array().expect("it is a list") {
        let file = edit["file"].as_str().expect("it names a file");
        by_file.entry(file.to_owned()).or_default().push(edit);
    }
    let mut saved = Vec::new();
    for (file, edits) in by_file {
        let path = folder.join(file);
        let text = fs::read_to_string(&path).expect("a suggestion is about a text");
        let mut places: Vec<(usize, usize, &str)> = edits
            .iter()
            .map(|edit| {
                let at = |line: &str, column: &str| {
                    offset(&text, number(&edit[line]), number(&edit[column]))
                };
                let replacement = edit["replacement"].as_str().expect("it has a text");
                (
                    at("line", "column"),
                    at("end_line", "end_column"),
                    replacement,
                )
            })
            .collect();
        places.sort_by_key(|(start, ..)| *start);
        let mut changed = text.clone();
        for (start, end, replacement) in places.into_iter().rev() {
            changed.replace_range(start..end, replacement);
        }
        fs::write(&path, changed).expect("the copy can be written");
        saved.push((path, text));
    }
    saved
}

fn number(value: &Value) -> usize {
    let number = value.as_u64().expect("it is a number");
    usize::try_from(number).expect("it is small")
}

/// The byte at a line and a column, which count characters from 1.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text
        .split_inclusive('\n')
        .take(line - 1)
        .map(str::len)
        .sum();
    let rest = &text[before..];
    let in_line = rest.char_indices().nth(column - 1);
    before + in_line.map_or(rest.len(), |(at, _)| at)
}

/// What is wrong after a suggestion was applied.
fn problem(applied: &Value, before: &[Value], after: &[Value]) -> Option<String> {
    let same = |all: &[Value]| {
        let key = |it: &Value| (it["code"].clone(), it["message"].clone());
        all.iter().filter(|it| key(it) == key(applied)).count()
    };
    if same(after) >= same(before) {
        return Some("it is said again".to_owned());
    }
    // Until the XML is well-formed, nothing else is looked at.
    if applied["code"]
        .as_str()
        .is_some_and(|code| code.starts_with("H01"))
    {
        return None;
    }
    let errors = |all: &[Value]| all.iter().filter(|it| it["severity"] == "error").count();
    if errors(after) > errors(before) {
        let known: Vec<&Value> = before.iter().map(|it| &it["message"]).collect();
        let new = after
            .iter()
            .find(|it| it["severity"] == "error" && !known.contains(&&it["message"]));
        return Some(format!(
            "then there is {}",
            new.map_or(&Value::Null, |it| &it["message"])
        ));
    }
    None
}
