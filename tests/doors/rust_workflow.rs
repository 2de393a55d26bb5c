//! Workflows in Rust: `examples/rust-workflow`.

use std::fs;

use hpdlc_tests::{command, folder::write, hpdlc, run};

use crate::{copy::PackageCopy, program::Workplace};

const MAIN: &str = "src/main.rs";

#[test]
fn program_does_what_its_function_says() {
    let copy = PackageCopy::of("rust-workflow", "log-watch", "rust");
    let program = copy.program();
    let workplace = Workplace::new();
    let log = format!("input={}", copy.path("data/access.log").display());
    let output = workplace.path("report");
    let output_property = format!("output={}", output.display());
    let run = ["run", "-D", &log, "-D", &output_property];

    let ended = workplace.run(&program, &run);
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    let report = || fs::read_to_string(output.join("report.txt")).expect("it was written");
    assert_eq!(report(), "ALARM: 1 of 6 failed\n6 requests\n");
    let top = fs::read_to_string(output.join("top.txt")).expect("it was written");
    assert_eq!(top.lines().count(), 3, "{top}");

    let calm = workplace.run(&program, &[&run[..], &["-D", "limit=20"]].concat());
    assert_eq!(calm.code, Some(0), "{calm:#?}");
    assert_eq!(report(), "6 requests\n");

    // The document that was compiled, and the places of the Rust source.
    let definition = workplace.run(&program, &["definition"]).stdout;
    assert!(
        definition.starts_with("<workflow-app name=\"daily\""),
        "{definition}"
    );
    let dryrun = workplace
        .run(&program, &[&["dryrun"], &run[1..]].concat())
        .stdout;
    let line = 1 + copy
        .read(MAIN)
        .lines()
        .position(|line| line.contains("match count(&input)"))
        .expect("the example has it");
    let place = format!("count (rust, {MAIN}:{line})");
    assert!(dryrun.contains(&place), "{place}\n{dryrun}");

    // As a `shell` action of Oozie runs it: data alone on standard output.
    let file = copy.path("data/access.log").display().to_string();
    let counted = workplace.run(&program, &["action", "count", &file]);
    assert_eq!(counted.code, Some(0), "{counted:#?}");
    assert_eq!(counted.stdout, "failed=1\nrequests=6\n");
    let failed = workplace.run(&program, &["action", "count", "/no/such/log"]);
    assert_eq!(failed.code, Some(1), "{failed:#?}");
    assert!(failed.stderr.starts_with("error: "), "{failed:#?}");
    let unknown = workplace.run(&program, &["action", "cuont"]);
    assert_eq!(unknown.code, Some(2), "{unknown:#?}");
    assert_eq!(
        unknown.stderr,
        "error: this program has no action `cuont`\nhelp: its actions: count, note, judge\n"
    );

    copy.replace(MAIN, "\"{} requests\"", "\"{} lines\"");
    let edited = workplace.run(&copy.program(), &run);
    assert_eq!(edited.code, Some(0), "{edited:#?}");
    assert_eq!(report(), "ALARM: 1 of 6 failed\n6 lines\n");
}

#[test]
fn hpdlc_alone_builds_a_workflow_without_functions() {
    let workplace = Workplace::new();
    let package = workplace.path("package");
    write(
        &package.join("Cargo.toml"),
        "[package]\nname = \"listing\"\n",
    );
    write(&package.join("scripts/list.sh"), "ls \"$1\"\n");
    write(
        &package.join("src/main.rs"),
        "#[workflow(files = \"scripts\")]
async fn list(folder: String) -> Result {
    shell(\"sh\").arg(\"list.sh\").arg(&folder).file(\"list.sh\").await?;
    Ok(())
}
#[workflow]
async fn count(folder: String) -> Result {
    counted(&folder).await
}
",
    );
    let build = |document: &str| {
        let mut command = command::command(hpdlc(), &workplace.path("home"));
        run(command
            .args(["build", document, "-o", "program"])
            .current_dir(&package))
    };
    let refused = build("src/main.rs#count");
    assert_eq!(refused.code, Some(1), "{refused:#?}");
    assert!(refused.stderr.contains("error[H0813]"), "{refused:#?}");
    assert!(!package.join("program").exists());

    let read = |arguments: &[&str]| {
        let mut command = command::command(hpdlc(), &workplace.path("home"));
        let finished = run(command.args(arguments).current_dir(&package));
        assert_eq!(finished.code, Some(0), "{finished:#?}");
        finished.stdout
    };
    let graph = read(&["graph", "src/main.rs#count"]);
    assert!(graph.contains("counted"), "{graph}");
    read(&["report", ".", "-o", "report.html"]);
    let report = fs::read_to_string(package.join("report.html")).expect("it was written");
    for document in ["src/main.rs#list", "src/main.rs#count"] {
        assert!(report.contains(document), "{document}\n{report}");
    }

    let built = build("src/main.rs#list");
    assert_eq!(built.code, Some(0), "{built:#?}");
    let program = package.join("program");
    let ended = workplace.run(&program, &["run", "-D", "folder=/"]);
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    let definition = workplace.run(&program, &["definition"]).stdout;
    assert!(
        definition.starts_with("<workflow-app name=\"list\""),
        "{definition}"
    );
    let dryrun = workplace.run(&program, &["dryrun", "-D", "folder=/"]);
    assert!(
        dryrun.stdout.contains("shell (shell, src/main.rs:3)"),
        "{dryrun:#?}"
    );
}
