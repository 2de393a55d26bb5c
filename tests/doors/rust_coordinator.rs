//! Coordinators in Rust: `examples/rust-coordinator`.

use std::fs;

use crate::{copy::PackageCopy, program::Workplace};

const MAIN: &str = "src/main.rs";

#[test]
fn program_runs_the_workflow_for_each_day() {
    let copy = PackageCopy::of("rust-coordinator", "nightly-report", "coordinator");
    let program = copy.program();
    let workplace = Workplace::new();
    let root = workplace.path("data");
    for hour in 0..24 {
        let folder = root.join(format!("logs/2026-01-01/{hour:02}"));
        fs::create_dir_all(&folder).expect("creates");
        fs::write(folder.join("access.log"), "one\ntwo\n").expect("writes");
        fs::write(folder.join("_SUCCESS"), "").expect("writes");
    }
    let root = format!("root={}", root.display());
    let properties = [
        "-D",
        &root,
        "-D",
        "start=2026-01-02T00:00Z",
        "-D",
        "end=2026-01-03T00:00Z",
    ];
    let ended = workplace.run(&program, &[&["run"], &properties[..]].concat());
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    let report = workplace.path("data/reports/2026-01-01/report.txt");
    let report = fs::read_to_string(report).expect("it was written");
    assert_eq!(report, "Requests of 2026-01-01: 48 in 24 hours\n");

    // The documents that were compiled: of the program, and of the workflow's job.
    let definition = |arguments: &[&str]| {
        let shown = workplace.run(&program, &[&["definition"], arguments].concat());
        shown.stdout.lines().next().unwrap_or_default().to_owned()
    };
    let own = definition(&[]);
    assert!(
        own.starts_with("<coordinator-app name=\"nightly\""),
        "{own}"
    );
    let started = definition(&["2"]);
    assert!(
        started.starts_with("<workflow-app name=\"daily\""),
        "{started}"
    );

    // The places of the Rust source.
    let dryrun = workplace.run(&program, &[&["dryrun"], &properties[..]].concat());
    let dryrun = dryrun.stdout;
    let line = |text: &str| {
        let lines = copy.read(MAIN);
        1 + lines
            .lines()
            .position(|line| line.contains(text))
            .expect("the example has it")
    };
    for (what, text) in [
        ("nightly (coordinator, ", "pub fn nightly"),
        ("count (rust, ", "count(&logs)"),
    ] {
        let place = format!("{what}{MAIN}:{})", line(text));
        assert!(dryrun.contains(&place), "{place}\n{dryrun}");
    }

    // A change of the workflow is a change of the coordinator.
    let hash = || {
        let about = workplace.run(&copy.program(), &["--version"]).stdout;
        about.lines().last().unwrap_or_default().to_owned()
    };
    let before = hash();
    copy.replace(MAIN, "#[default(\"Requests\")]", "#[default(\"Lines\")]");
    assert_ne!(hash(), before);
}

#[test]
fn bundle_runs_the_coordinator_for_each_site() {
    let copy = PackageCopy::of("rust-coordinator", "nightly-report", "bundle");
    copy.replace(MAIN, "nightly::init()", "sites::init()");
    copy.replace(MAIN, "nightly::command_line(", "sites::command_line(");
    let program = copy.program();
    let workplace = Workplace::new();
    let root = workplace.path("data");
    for site in ["first", "second"] {
        for hour in 0..24 {
            let folder = root.join(format!("{site}/logs/2026-01-01/{hour:02}"));
            fs::create_dir_all(&folder).expect("creates");
            fs::write(folder.join("access.log"), "one\n").expect("writes");
            fs::write(folder.join("_SUCCESS"), "").expect("writes");
        }
    }
    let root = format!("root={}", root.display());
    let run = [
        "run",
        "-D",
        &root,
        "-D",
        "start=2026-01-02T00:00Z",
        "-D",
        "end=2026-01-03T00:00Z",
    ];
    let ended = workplace.run(&program, &run);
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    for site in ["first", "second"] {
        let report = workplace.path(&format!("data/{site}/reports/2026-01-01/report.txt"));
        let report = fs::read_to_string(report).expect("it was written");
        assert_eq!(report, "Requests of 2026-01-01: 24 in 24 hours\n");
    }
    // The bundle is the first job, and its coordinators are the next ones.
    for (job, start) in [
        ("1", "<bundle-app name=\"sites\""),
        ("2", "<coordinator-app name=\"nightly\""),
        ("4", "<workflow-app name=\"daily\""),
    ] {
        let shown = workplace.run(&program, &["definition", job]).stdout;
        assert!(shown.starts_with(start), "{shown}");
    }
}
