//! Workflows in Rust that run other workflows of the program.

use std::{fs, path::Path};

use serde_json::Value;

use crate::{copy::PackageCopy, program::Workplace};

const MAIN: &str = "src/main.rs";

fn package(test: &str) -> PackageCopy {
    let copy = PackageCopy::of("rust-workflow", "log-watch", test);
    copy.write(MAIN, include_str!("sub_workflows/program.rs"));
    copy.write("tidy/workflow.xml", include_str!("sub_workflows/tidy.xml"));
    copy.write(
        "tidy/note/workflow.xml",
        include_str!("sub_workflows/note.xml"),
    );
    copy
}

/// Every job with its state, by what it is called in `jobs`: `clean`, or with its parent `clean@report`.
fn jobs(workplace: &Workplace, program: &Path) -> Vec<(String, String)> {
    let listed = workplace.run(program, &["jobs", "--json"]).stdout;
    let jobs: Vec<Value> = listed
        .lines()
        .map(|line| serde_json::from_str(line).expect("it is JSON"))
        .collect();
    let text = |job: &Value, key: &str| job[key].as_str().unwrap_or_default().to_owned();
    let name = |job: &Value| {
        let parent = jobs.iter().find(|other| other["id"] == job["parent"]);
        let parent = parent.map(|parent| format!("@{}", text(parent, "app")));
        format!("{}{}", text(job, "app"), parent.unwrap_or_default())
    };
    let mut found: Vec<(String, String)> = jobs
        .iter()
        .map(|job| (name(job), text(job, "status")))
        .collect();
    found.sort();
    found
}

#[test]
fn children_run_as_jobs_with_what_they_are_given() {
    let copy = package("sub-workflows");
    let program = copy.program();
    let workplace = Workplace::new();
    let out = workplace.path("out");
    fs::create_dir(&out).expect("creates");
    let output = format!("output={}", out.display());
    let run = |day: &str| {
        workplace.run(
            &program,
            &["run", "-D", &output, "-D", day, "-D", "mark= x "],
        )
    };
    let ended = run("day=monday");
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    for (file, expected) in [
        ("first", "monday"),
        ("report", "monday of 6 3"),
        ("clean", "clean monday of 6"),
        ("last", "clean x"),
        ("tidy", "6 days true\n"),
    ] {
        let text = fs::read_to_string(out.join(file)).expect("it was written");
        assert_eq!(text, expected, "{file}");
    }
    let expected = [
        "clean@daily",
        "clean@report",
        "daily",
        "note@tidy",
        "report@daily",
        "tidy@daily",
    ];
    let succeeded = expected.map(|name| (name.to_owned(), "SUCCEEDED".to_owned()));
    assert_eq!(jobs(&workplace, &program), succeeded);
    for (job, start) in [
        ("2", "<workflow-app name=\"report\""),
        ("3", "<workflow-app name=\"clean\""),
    ] {
        let shown = workplace.run(&program, &["definition", job]).stdout;
        assert!(shown.starts_with(start), "{shown}");
    }

    // An error of the child is one of the action that runs it.
    let workplace = Workplace::new();
    fs::create_dir(workplace.path("out")).expect("creates");
    let output = format!("output={}", workplace.path("out").display());
    let ended = workplace.run(&program, &["run", "-D", &output, "-D", "day=bad"]);
    assert_eq!(ended.code, Some(1), "{ended:#?}");
    assert_eq!(
        jobs(&workplace, &program),
        [("daily".to_owned(), "KILLED".to_owned())]
    );

    // A change of a child is a change of the program.
    let hash = || {
        let about = workplace.run(&copy.program(), &["--version"]).stdout;
        let line = about.lines().last().unwrap_or_default().to_owned();
        line.split('-').next().unwrap_or_default().to_owned()
    };
    let before = hash();
    copy.replace(MAIN, "#[default(\"none\")]", "#[default(\"nothing\")]");
    assert_ne!(hash(), before);
}
