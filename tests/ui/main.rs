//! The exact output of `hpdlc check` on each case, compared with the text beside it.
//!
//! A case is a document, `<topic>/<what>.xml`, that starts with a comment of intent; or, if one file is not enough, a
//! folder `<topic>/<what>/` with a `case.txt`: the intent, and the arguments of `hpdlc check`, on one line each. The expected
//! messages are in `<what>.stderr`, answers in `<what>.stdout`. `UPDATE_EXPECT=1` rewrites them.

mod archives;
mod bad_input;
mod fix;
mod migrate;
mod pages;
mod paths;
mod refused;
mod sarif;
mod schedule;
mod suggestions;

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

use expect_test::expect_file;
use hpdlc::{diagnostics::Rule, rules::RULES};
use hpdlc_tests::{command, folder, hpdlc, repository, run};

/// One run of `hpdlc check`.
#[derive(Debug)]
struct CheckCase {
    /// Its path, without an extension.
    path: PathBuf,
    /// The working directory of the compiler.
    current_dir: PathBuf,
    arguments: Vec<String>,
    /// What the case shows.
    intent: String,
}

fn root() -> PathBuf {
    repository().join("tests/ui")
}

fn folders_of(folder: &Path) -> Vec<PathBuf> {
    entries(folder)
        .into_iter()
        .filter(|path| path.is_dir())
        .collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("cannot list `{}`: {error}", folder.display()))
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    paths.sort();
    paths
}

/// All cases, sorted.
fn cases() -> Vec<CheckCase> {
    let topics = folders_of(&root());
    let entries = topics.iter().flat_map(|topic| entries(topic));
    entries
        .filter_map(|path| {
            if path.is_dir() {
                return Some(folder_case(path));
            }
            (path.extension() == Some(OsStr::new("xml"))).then(|| document_case(&path))
        })
        .collect()
}

fn document_case(document: &Path) -> CheckCase {
    let text = fs::read_to_string(document).expect("a case of one document is UTF-8");
    let intent = text
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("<!-- ")?.strip_suffix(" -->"))
        .unwrap_or_else(|| panic!("`{}` does not start with its intent", document.display()));
    let name = document.file_name().expect("it was found in a folder");
    CheckCase {
        path: document.with_extension(""),
        current_dir: document.parent().expect("it lies in a topic").to_owned(),
        arguments: vec![name.to_string_lossy().into_owned()],
        intent: intent.to_owned(),
    }
}

fn folder_case(folder: PathBuf) -> CheckCase {
    let file = folder.join("case.txt");
    let text = fs::read_to_string(&file)
        .unwrap_or_else(|error| panic!("cannot read `{}`: {error}", file.display()));
    let [intent, arguments] = text.lines().collect::<Vec<&str>>()[..] else {
        panic!(
            "`{}` has the intent and the arguments, a line each",
            file.display()
        );
    };
    CheckCase {
        current_dir: folder.clone(),
        path: folder,
        arguments: arguments.split(' ').map(str::to_owned).collect(),
        intent: intent.to_owned(),
    }
}

/// The file with the expected output of a stream.
fn expected_file(case: &CheckCase, stream: &str) -> PathBuf {
    let mut path = case.path.clone().into_os_string();
    path.push(".");
    path.push(stream);
    PathBuf::from(path)
}

/// Compares the output; if there is no output, there is no file.
fn compare(case: &CheckCase, stream: &str, printed: &str, is_needed: bool) {
    let file = expected_file(case, stream);
    if !printed.is_empty() || is_needed || file.exists() {
        expect_file![file].assert_eq(printed);
    }
}

/// The exit code that the messages imply.
fn expected_code(stdout: &str, stderr: &str) -> i32 {
    let is_unread = ["H0001", "H0002", "H0003", "error: unknown lint"]
        .iter()
        .any(|sign| stderr.contains(sign));
    let has_error = stderr.lines().any(|line| line.starts_with("error"))
        || stderr.contains("error[")
        || stdout.contains(r#""severity":"error""#)
        || stdout.contains(r#""exitCode":1"#);
    match (is_unread, has_error) {
        (true, _) => 2,
        (false, true) => 1,
        (false, false) => 0,
    }
}

#[test]
fn every_case_prints_what_stands_beside_it() {
    let home = tempfile::tempdir().expect("a temporary folder");
    for case in cases() {
        let finished = run(command::command(hpdlc(), home.path())
            .arg("check")
            .args(&case.arguments)
            .current_dir(&case.current_dir));
        compare(&case, "stderr", &finished.stderr, true);
        compare(&case, "stdout", &finished.stdout, false);
        assert_eq!(
            finished.code,
            Some(expected_code(&finished.stdout, &finished.stderr)),
            "{} ends with the wrong exit code",
            case.path.display()
        );
    }
    assert_eq!(
        entries(home.path()),
        [] as [PathBuf; 0],
        "`check` leaves nothing behind"
    );
}

#[test]
fn every_case_says_what_it_shows() {
    for case in cases() {
        let is_sentence = case.intent.ends_with('.') && case.intent.starts_with(char::is_uppercase);
        assert!(is_sentence, "{}: {}", case.path.display(), case.intent);
        let name = case.path.file_name().and_then(OsStr::to_str);
        let is_named = name.is_some_and(|name| {
            name.bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
        });
        assert!(is_named, "{}", case.path.display());
    }
}

#[test]
fn every_expected_text_has_its_case() {
    let expected: BTreeSet<PathBuf> = cases()
        .iter()
        .flat_map(|case| ["stderr", "stdout"].map(|stream| expected_file(case, stream)))
        .collect();
    let left_over: Vec<PathBuf> = folder::files_below(&root())
        .into_iter()
        .filter(|path| {
            let ending = path.extension().and_then(OsStr::to_str);
            matches!(ending, Some("stderr" | "stdout")) && !expected.contains(path)
        })
        .collect();
    assert_eq!(left_over, [] as [PathBuf; 0]);
}

/// The case that shows each rule by name: in brackets after the level.
fn shown() -> BTreeMap<String, PathBuf> {
    let mut shown = BTreeMap::new();
    for case in cases() {
        let text = fs::read_to_string(expected_file(&case, "stderr")).unwrap_or_default();
        for (at, _) in text.match_indices('[') {
            if let Some(end) = text[at..].find(']') {
                shown.insert(text[at + 1..at + end].to_owned(), case.path.clone());
            }
        }
    }
    shown
}

#[test]
fn every_rule_has_a_case() {
    /// Their smallest cases are large: `bad_input` generates them.
    const MADE_AT_RUN_TIME: [&str; 3] = ["H0103", "H0004", "oversized_definitions"];
    /// Only `build` reads the files of an application, and makes a program of it alone: `bad_input` and `refused` create one.
    const ONLY_IN_BUILD: [&str; 3] = ["H0813", "embedded_secrets", "skipped_files"];
    /// Only reported by `migrate`, which has the cases.
    const ONLY_IN_MIGRATE: [&str; 1] = ["migration_losses"];
    /// No longer reported.
    const RETIRED: [&str; 2] = ["H0801", "H0805"];
    let shown = shown();
    let missing: Vec<&str> = RULES
        .all()
        .map(Rule::id)
        .filter(|id| {
            !shown.contains_key(*id)
                && !MADE_AT_RUN_TIME.contains(id)
                && !ONLY_IN_BUILD.contains(id)
                && !ONLY_IN_MIGRATE.contains(id)
                && !RETIRED.contains(id)
        })
        .collect();
    assert_eq!(missing, [] as [&str; 0]);
}
