//! The tables of `tests/meta/oozie`: how each of Oozie's refusals and traps is covered.

use std::{collections::BTreeSet, fs, path::Path};

use hpdlc::rules::RULES;
use hpdlc_tests::{repository, shared};

/// A row of a table.
struct CoverageRow {
    id: String,
    /// The table and the line, for messages.
    place: String,
    answers: Vec<CoverageAnswer>,
}

enum CoverageAnswer {
    /// Names of diagnostics and lints.
    Rules(Vec<String>),
    /// A test by its file and its name, or cases by their file and description.
    Test(String, String),
    /// The reason.
    NotApplicable(String),
}

fn rows(table: &str) -> Vec<CoverageRow> {
    let path = repository().join("tests/meta/oozie").join(table);
    let text = fs::read_to_string(&path).expect("the table is in the repository");
    let mut rows = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let place = format!("{table}:{}", number + 1);
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let ["", id, what, answer, ""] = cells.as_slice() else {
            assert!(!line.starts_with('|'), "{place} has not three cells");
            continue;
        };
        if *id == "row" || id.starts_with("---") {
            continue;
        }
        assert!(!what.is_empty(), "{place} does not say what it is about");
        rows.push(CoverageRow {
            id: (*id).to_owned(),
            answers: answer
                .split(';')
                .map(|answer| parse(answer.trim(), &place))
                .collect(),
            place,
        });
    }
    rows
}

fn parse(answer: &str, place: &str) -> CoverageAnswer {
    if let Some(rules) = answer.strip_prefix("rule ") {
        return CoverageAnswer::Rules(rules.split_whitespace().map(str::to_owned).collect());
    }
    if let Some((file, name)) = answer
        .strip_prefix("test ")
        .and_then(|test| test.split_once("::"))
    {
        return CoverageAnswer::Test(file.to_owned(), name.to_owned());
    }
    match answer.strip_prefix("not applicable, because ") {
        Some(reason) => CoverageAnswer::NotApplicable(reason.to_owned()),
        None => panic!("{place} has an answer of no known form: `{answer}`"),
    }
}

/// The rows that must exist, from first to last.
fn numbered(letter: char, last: u32) -> BTreeSet<String> {
    (1..=last)
        .map(|number| format!("{letter}{number}"))
        .collect()
}

fn ids(rows: &[CoverageRow]) -> BTreeSet<String> {
    let ids: BTreeSet<String> = rows.iter().map(|row| row.id.clone()).collect();
    assert_eq!(ids.len(), rows.len(), "a row stands twice");
    ids
}

const TABLES: &[&str] = &[
    "workflow_errors.md",
    "workflow_traps.md",
    "coordinator_errors.md",
    "coordinator_traps.md",
];

#[test]
fn every_answer_exists() {
    let rules: BTreeSet<&str> = RULES
        .codes()
        .map(|code| code.name)
        .chain(RULES.lints().map(|lint| lint.name))
        .collect();
    let mut wrong = Vec::new();
    for row in TABLES.iter().flat_map(|table| rows(table)) {
        let place = &row.place;
        for answer in row.answers {
            match answer {
                CoverageAnswer::Rules(names) => wrong.extend(
                    names
                        .iter()
                        .filter(|name| !rules.contains(name.as_str()))
                        .map(|name| format!("{place}: there is no rule `{name}`")),
                ),
                CoverageAnswer::Test(file, name) => {
                    let text =
                        fs::read_to_string(repository().join(Path::new(&file))).unwrap_or_default();
                    let is_there = if file.ends_with(".txt") {
                        text.lines()
                            .any(|line| line.strip_prefix("# ") == Some(&name))
                    } else {
                        text.contains(&format!("fn {name}()"))
                    };
                    if !is_there {
                        wrong.push(format!("{place}: `{file}` has no test `{name}`"));
                    }
                }
                CoverageAnswer::NotApplicable(reason) => {
                    if reason.is_empty() {
                        wrong.push(format!("{place}: no reason"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_trap_is_missing() {
    assert_eq!(ids(&rows("workflow_traps.md")), numbered('T', 60));
    assert_eq!(ids(&rows("coordinator_traps.md")), numbered('C', 55));
}

/// The codes of a table of the semantics reference, from the line that starts with `heading` on.
fn codes_in_reference(page: &str, heading: &str) -> Option<BTreeSet<String>> {
    let text = fs::read_to_string(shared("reference")?.join(page)).ok()?;
    let section = text.split_once(heading).map(|(_, rest)| rest)?;
    let mut codes = BTreeSet::new();
    for line in section.lines().skip(1) {
        if line.starts_with('#') {
            break;
        }
        let Some(cell) = line.strip_prefix('|').and_then(|row| row.split('|').next()) else {
            continue;
        };
        codes.extend(
            cell.split(|c: char| !c.is_ascii_alphanumeric())
                .filter(|word| word.len() == 5 && word.starts_with('E'))
                .filter(|word| word[1..].bytes().all(|byte| byte.is_ascii_digit()))
                .map(str::to_owned),
        );
    }
    Some(codes)
}

#[test]
fn no_error_code_is_missing() {
    for (table, page, heading) in [
        (
            "workflow_errors.md",
            "workflow-semantics.md",
            "### B.1 Workflow parse/graph/runtime",
        ),
        (
            "coordinator_errors.md",
            "coordinator-semantics.md",
            "### 1.7 Error codes",
        ),
    ] {
        let listed = ids(&rows(table));
        assert!(listed.len() > 20, "{table} has lost rows");
        let Some(codes) = codes_in_reference(page, heading) else {
            println!("skipped for {table}: the semantics reference is not there");
            continue;
        };
        let missing: Vec<&String> = codes.difference(&listed).collect();
        assert!(missing.is_empty(), "{table} has no row for {missing:?}");
    }
}
