//! Real coordinators: each is checked, and those that are built simulate their first day as `hpdlc schedule` lists it.
//!
//! Their workflows are left out: most are of Hadoop types, and others' tests are about those. `HPDL_CORPUS=all` builds all
//! of them, which takes minutes; else a few are. Needs the corpus, which lies outside the repository.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use hpdlc_tests::{
    folder::{files_below, write},
    shared,
};
use serde_json::Value;

use crate::harness::{Ended, call_program, hpdlc};

/// One of so many is built.
const STRIDE: usize = 12;

/// The root of the applications in the corpus, by the name that their properties have for it.
const ROOT: (&str, &str) = (
    "hdfs://analytics-hadoop/wmf/refinery/current",
    "analytics-refinery",
);

/// A coordinator of the corpus, without its workflow.
struct Real {
    name: String,
    document: PathBuf,
    properties: Option<PathBuf>,
}

/// The documents of coordinators and datasets of the corpus, with their properties.
fn copied(corpus: &Path, to: &Path) -> Vec<Real> {
    let mut documents = Vec::new();
    for file in files_below(corpus) {
        let below = file.strip_prefix(corpus).expect("it lies there");
        let ending = file.extension().and_then(|ending| ending.to_str());
        if !matches!(ending, Some("xml" | "properties")) {
            continue;
        }
        let text = fs::read(&file).expect("the file can be read");
        let text = String::from_utf8_lossy(&text).into_owned();
        if text.contains("<workflow-app") {
            continue;
        }
        let target = to.join(below);
        write(&target, &text);
        if text.contains("<coordinator-app") {
            documents.push((below.display().to_string(), target));
        }
    }
    let with_properties = documents.into_iter().map(|(name, document)| Real {
        name,
        properties: properties_of(&document),
        document,
    });
    with_properties.collect()
}

/// The file beside a document, or for the documents of one folder those above it that name its frequency.
fn properties_of(document: &Path) -> Option<PathBuf> {
    let folder = document.parent()?;
    let listed = |folder: &Path| -> Vec<PathBuf> {
        let files = fs::read_dir(folder).into_iter().flatten().flatten();
        let files = files.map(|file| file.path());
        let mut files: Vec<PathBuf> = files
            .filter(|file| {
                file.extension()
                    .is_some_and(|ending| ending == "properties")
            })
            .collect();
        files.sort();
        files
    };
    let how_often = folder.file_name()?.to_str()?;
    let above = listed(folder.parent()?);
    let mut above = above.into_iter().filter(|file| {
        let name = file.file_stem().and_then(|name| name.to_str());
        name.is_some_and(|name| name.ends_with(how_often))
    });
    listed(folder).into_iter().next().or_else(|| above.next())
}

impl Real {
    fn given(&self) -> Vec<String> {
        let file = self.properties.iter();
        file.flat_map(|file| ["-c".to_owned(), file.display().to_string()])
            .collect()
    }

    fn hpdlc(&self, command: &str, root: &Path, more: &[&str]) -> Ended {
        let document = self.document.display().to_string();
        let map = format!("{}={}", ROOT.0, root.join(ROOT.1).display());
        let given = self.given();
        let mut arguments = vec![command, &document, "--map", &map];
        arguments.extend(given.iter().map(String::as_str));
        arguments.extend(more);
        call_program(&hpdlc(), root, &arguments)
    }

    /// Builds it and holds the first day of `simulate` against that of `schedule`.
    fn simulate(&self, root: &Path) {
        let program = root.join("program");
        let output = program.display().to_string();
        self.hpdlc("build", root, &["-o", &output]).expect(0);
        if self.properties.is_none() {
            return;
        }
        let listed = self.hpdlc("schedule", root, &["-n", "1", "--format", "json"]);
        let first = times(&listed.expect(0).json_lines());
        let [first] = &first[..] else {
            panic!("{}: no action at all", self.name);
        };
        let day = chrono::NaiveDateTime::parse_from_str(first, "%Y-%m-%dT%H:%MZ");
        let next = day.expect("a time") + chrono::Duration::days(1);
        let next = next.format("%Y-%m-%dT%H:%MZ").to_string();
        let period = ["--from", first, "--to", &next];
        let mut arguments = period.to_vec();
        arguments.extend(["--format", "json"]);
        let listed = self.hpdlc("schedule", root, &arguments).expect(0);
        let given = self.given();
        let mut arguments = vec!["simulate", "--json"];
        arguments.extend(given.iter().map(String::as_str));
        arguments.extend(period);
        let simulated = call_program(&program, root, &arguments).expect(0);
        let lines = simulated.json_lines();
        let made: Vec<Value> = lines
            .into_iter()
            .filter(|line| line["event"] == "action" && line["status"] == "WAITING")
            .collect();
        assert_eq!(times(&made), times(&listed.json_lines()), "{}", self.name);
    }
}

fn times(lines: &[Value]) -> Vec<String> {
    let times = lines
        .iter()
        .filter_map(|line| line["nominal_time"].as_str());
    times.map(str::to_owned).collect()
}

#[test]
fn real_coordinators_build_and_simulate_their_first_day() {
    let Some(corpus) = shared("corpus") else {
        eprintln!("skipped: there is no corpus; see HPDL_SHARED");
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    let coordinators = copied(&corpus, root);
    let n_with_properties = coordinators
        .iter()
        .filter(|it| it.properties.is_some())
        .count();
    assert!(
        coordinators.len() >= 72 && n_with_properties >= 67,
        "{} coordinators, {n_with_properties} with properties",
        coordinators.len()
    );
    let all = env::var("HPDL_CORPUS").is_ok_and(|value| value == "all");
    for (place, coordinator) in coordinators.iter().enumerate() {
        coordinator.hpdlc("check", root, &[]).expect(0);
        if all || place % STRIDE == 0 {
            coordinator.simulate(root);
        }
    }
}
