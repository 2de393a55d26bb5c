//! Real coordinators: each is checked, and those that are built simulate their first day as `hpdlc schedule` lists it.
//!
//! Their workflows are left out: most have Hadoop actions, which other tests cover. `HPDL_CORPUS=all` builds all
//! coordinators, which takes minutes; by default a few are built. The dataset files that they include are not in the corpus: generated
//! files of the same names replace them. Needs the corpus, which is outside the repository.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use hpdlc_tests::{
    corpus,
    folder::{files_below, write},
};
use serde_json::Value;

use crate::harness::{Ended, call_program, hpdlc};

/// One in this many is built.
const STRIDE: usize = 12;

/// The root of the applications in the corpus, and its property.
const ROOT: (&str, &str) = (
    "hdfs://analytics-hadoop/wmf/refinery/current",
    "analytics-refinery",
);

/// Replacements for properties that Oozie refuses (E1003): the start has no time zone.
const MISTAKES: [(&str, &str); 1] = [(
    "oozie/wikidata/coeditors_metrics/",
    "start_time=2018-07-01T00:00Z",
)];

/// A coordinator of the corpus, without its workflow.
struct Real {
    name: String,
    document: PathBuf,
    properties: Option<PathBuf>,
}

/// Copies the documents of coordinators and datasets of the corpus, with their properties.
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

/// The properties file beside a document, or the file in the parent folder whose name ends in the document's folder.
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
    /// The properties beside it, corrected, and those of the first coordinator in the bundle beside it.
    fn given(&self) -> Vec<String> {
        let file = self.properties.iter();
        let mut given: Vec<String> = file
            .flat_map(|file| ["-c".to_owned(), file.display().to_string()])
            .collect();
        let mistakes = MISTAKES.iter();
        let corrected = mistakes.filter(|(folder, _)| self.name.contains(folder));
        given.extend(corrected.flat_map(|(_, right)| ["-D".to_owned(), (*right).to_owned()]));
        let bundle = self.document.with_file_name("bundle.xml");
        let bundle = fs::read_to_string(bundle).unwrap_or_default();
        let coordinators = between(&bundle, "<coordinator ", "</coordinator>");
        let first = coordinators.first().copied().unwrap_or_default();
        let names = between(first, "<name>", "</name>");
        let values = between(first, "<value>", "</value>");
        let properties = names.iter().zip(values);
        given.extend(
            properties.flat_map(|(name, value)| ["-D".to_owned(), format!("{name}={value}")]),
        );
        given
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

    /// A text of the document with the properties beside it.
    fn evaluated(&self, root: &Path, text: &str) -> String {
        if !text.contains("${") {
            return text.to_owned();
        }
        let given = self.given();
        let mut arguments = vec!["eval"];
        arguments.extend(given.iter().map(String::as_str));
        arguments.push(text);
        let value = call_program(&hpdlc(), root, &arguments).expect(0).stdout;
        value.trim().to_owned()
    }

    /// Writes dataset files to replace those that it includes.
    fn write_datasets(&self, root: &Path) {
        let text = fs::read_to_string(&self.document).expect("it was written");
        let own = between(&text, "<dataset name=\"", "\"");
        let mut named: Vec<String> = between(&text, " dataset=\"", "\"")
            .into_iter()
            .filter(|name| !own.contains(name))
            .map(|name| self.evaluated(root, name))
            .collect();
        named.sort_unstable();
        named.dedup();
        let includes = between(&text, "<include>", "</include>");
        for (place, include) in includes.iter().enumerate() {
            let uri = self.evaluated(root, include);
            let below = uri.strip_prefix(ROOT.0);
            let below = below.unwrap_or_else(|| panic!("{}: {uri}", self.name));
            // Each name once, plus an unused one so that no file is empty.
            let here = named.iter().skip(place).step_by(includes.len());
            let unused = format!("unused_{place}");
            let here = here.chain([&unused]);
            let datasets: String = here
                .map(|name| {
                    format!(
                        "<dataset name=\"{name}\" frequency=\"${{coord:hours(1)}}\" initial-instance=\"2001-01-01T00:00Z\" \
                         timezone=\"UTC\"><uri-template>/{name}/${{YEAR}}/${{MONTH}}/${{DAY}}/${{HOUR}}</uri-template></dataset>\n"
                    )
                })
                .collect();
            let path = format!("{}{below}", root.join(ROOT.1).display());
            write(
                Path::new(&path),
                format!("<datasets>\n{datasets}</datasets>\n"),
            );
        }
    }

    /// Builds it and compares the first day of `simulate` with that of `schedule`.
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

/// What is between each `start` and the next `end`.
fn between<'t>(text: &'t str, start: &str, end: &str) -> Vec<&'t str> {
    let parts = text.split(start).skip(1);
    parts
        .filter_map(|part| part.split_once(end))
        .map(|(inner, _)| inner.trim())
        .collect()
}

fn times(lines: &[Value]) -> Vec<String> {
    let times = lines
        .iter()
        .filter_map(|line| line["nominal_time"].as_str());
    times.map(str::to_owned).collect()
}

#[test]
fn real_coordinators_build_and_simulate_their_first_day() {
    let Some(corpus) = corpus::folder() else {
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
        if coordinator.properties.is_some() {
            coordinator.write_datasets(root);
        }
        coordinator.hpdlc("check", root, &[]).expect(0);
        if all || place % STRIDE == 0 {
            coordinator.simulate(root);
        }
    }
}
