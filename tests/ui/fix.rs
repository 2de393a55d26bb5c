//! `hpdlc check --fix` on every case: a certain suggestion removes its diagnostic.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use hpdlc_tests::{
    FinishedCommand, command,
    folder::{files_below, write},
    hpdlc, run,
};
use serde_json::Value;

use super::{CheckCase, cases};

/// A copy of a case, which may be changed.
pub(super) struct CaseCopy {
    folder: tempfile::TempDir,
    arguments: Vec<String>,
}

impl CaseCopy {
    /// Cases that choose a format themselves are skipped.
    pub(super) fn of(case: &CheckCase) -> Option<CaseCopy> {
        if case.arguments.iter().any(|argument| argument == "--format") {
            return None;
        }
        let folder = tempfile::tempdir().expect("a temporary folder");
        let here = folder.path().join("here");
        let files = match case.path.is_dir() {
            true => files_below(&case.path),
            false => vec![case.path.with_extension("xml")],
        };
        for file in files {
            let below = file
                .strip_prefix(&case.current_dir)
                .expect("it was found there");
            write(
                &here.join(below),
                fs::read(&file).expect("the case can be read"),
            );
        }
        Some(CaseCopy {
            folder,
            arguments: case.arguments.clone(),
        })
    }

    pub(super) fn here(&self) -> PathBuf {
        self.folder.path().join("here")
    }

    pub(super) fn check(&self, more: &[&str]) -> FinishedCommand {
        run(command::command(hpdlc(), &self.folder.path().join("home"))
            .arg("check")
            .args(more)
            .args(&self.arguments)
            .current_dir(self.here()))
    }

    /// The codes with a machine-applicable suggestion, and all codes with the number of their occurrences.
    fn codes(&self) -> (BTreeSet<String>, BTreeMap<String, usize>) {
        let mut certain = BTreeSet::new();
        let mut all = BTreeMap::new();
        for line in self.check(&["--format", "json"]).stdout.lines() {
            let object: Value = serde_json::from_str(line).expect("each line is JSON");
            let code = object["code"].as_str().expect("each has a code").to_owned();
            let suggestions = object["suggestions"].as_array().expect("it is a list");
            let is_certain = suggestions
                .iter()
                .any(|suggestion| suggestion["applicability"] == "MachineApplicable");
            if is_certain {
                certain.insert(code.clone());
            }
            *all.entry(code).or_default() += 1;
        }
        (certain, all)
    }
}

#[test]
fn certain_suggestions_take_away_what_they_are_for() {
    let mut fixed = BTreeSet::new();
    for case in cases() {
        let Some(copy) = CaseCopy::of(&case) else {
            continue;
        };
        let shown = case.path.display();
        let (certain, all_before) = copy.codes();
        let before = texts(&copy.here());
        let finished = copy.check(&["--fix"]);
        let after = texts(&copy.here());
        if certain.is_empty() {
            assert!(
                !finished.stderr.contains("Fixed"),
                "{shown}: {}",
                finished.stderr
            );
            assert_eq!(before, after, "{shown}");
            continue;
        }
        assert!(
            finished.stderr.contains("Fixed"),
            "{shown}: {}",
            finished.stderr
        );
        assert_ne!(before, after, "{shown}");
        let (still_certain, all_after) = copy.codes();
        assert_eq!(still_certain, BTreeSet::new(), "{shown}");
        for code in &certain {
            // Another diagnostic of the same code may have no certain suggestion.
            assert!(
                all_after.get(code).unwrap_or(&0) < &all_before[code],
                "{shown}: {code}"
            );
        }
        fixed.extend(certain);
    }
    let codes: Vec<&str> = fixed.iter().map(String::as_str).collect();
    assert_eq!(
        codes,
        [
            "H0102",
            "H0109",
            "H0112",
            "H0115",
            "H0120",
            "H0609",
            "escaped_operators",
            "extended_dates",
            "unpadded_dates",
            "unread_launcher_numbers"
        ]
    );
}

/// Every file below a folder with its content.
fn texts(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    files_below(folder)
        .into_iter()
        .filter(|path| path.extension() != Some(OsStr::new("txt")))
        .map(|path| (path.clone(), fs::read(&path).expect("the file can be read")))
        .collect()
}

#[test]
fn read_only_file_is_refused_by_name() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let document = folder.path().join("app/workflow.xml");
    let text = "<workflow-app name=\"a & b\" xmlns=\"uri:oozie:workflow:1.0\">\n<start to=\"e\"/>\n<end name=\"e\"/>\n</workflow-app>\n";
    write(&document, text);
    fs::set_permissions(&document, fs::Permissions::from_mode(0o444)).expect("changes");
    let check = || {
        run(command::command(hpdlc(), &folder.path().join("home"))
            .args(["check", "app", "--fix"])
            .current_dir(folder.path()))
    };
    let finished = check();
    assert_eq!(finished.code, Some(2));
    assert!(
        finished
            .stderr
            .starts_with("error: cannot write `app/workflow.xml`"),
        "{}",
        finished.stderr
    );
    assert!(finished.stderr.contains("chmod u+w"), "{}", finished.stderr);
    assert_eq!(fs::read_to_string(&document).expect("reads"), text);

    fs::set_permissions(&document, fs::Permissions::from_mode(0o644)).expect("changes");
    let finished = check();
    assert_eq!(
        (finished.code, finished.stderr.trim()),
        (Some(0), "Fixed app/workflow.xml (1 fix)")
    );
    assert_eq!(
        fs::read_to_string(&document).expect("reads"),
        text.replace('&', "&amp;")
    );
}
