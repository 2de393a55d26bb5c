//! Functions of a program that its workflow calls: `rust` actions.

use std::{fs, path::Path, process::Command};

use serde_json::Value;

use crate::{
    copy::PackageCopy,
    program::{Background, Workplace, until},
};

/// A program whose workflow does what its property `mode` says.
fn package(test: &str) -> PackageCopy {
    let copy = PackageCopy::of("embedded", "order-inbox", test);
    copy.write("src/main.rs", include_str!("functions/program.rs"));
    copy.write(
        "workflow/workflow.xml",
        include_str!("functions/workflow.xml"),
    );
    copy
}

/// An action of the only job.
#[track_caller]
fn action(workplace: &Workplace, program: &Path, name: &str) -> Value {
    let job = workplace.only_job(program);
    let actions = job["actions"].as_array().expect("a list");
    let action = actions.iter().find(|action| action["name"] == name);
    action.unwrap_or_else(|| panic!("{job:#}")).clone()
}

/// A job whose function waits, by a command that starts one, and the process of the function.
fn waiting(
    workplace: &Workplace,
    program: &Path,
    command: &[&str],
    mode: &str,
) -> (Background, String) {
    let folder = workplace.path("").display().to_string();
    let mode = format!("{mode}{folder}");
    let job = workplace.start(program, &[command, &[&mode]].concat());
    until("the function runs", || workplace.path("process").exists());
    let process = fs::read_to_string(workplace.path("process")).expect("reads");
    (job, process)
}

#[test]
fn function_gives_data_fails_and_panics() {
    let copy = package("functions");
    let program = copy.program();
    for (mode, exit, code, message, retries) in [
        ("count", 0, Value::Null, "", 0),
        ("error", 1, "NO_FILE".into(), "it is gone", 1),
        ("panic", 1, "HPDL_PANIC".into(), "no panic (", 1),
        (
            "large",
            1,
            "JA018".into(),
            "the data of action `work` is 20",
            1,
        ),
    ] {
        let workplace = Workplace::new();
        let mode = format!("mode={mode}");
        let ended = workplace.run(&program, &["run", "-D", &mode]);
        assert_eq!(ended.code, Some(exit), "{mode}: {ended:#?}");
        let work = action(&workplace, &program, "work");
        let said = work["error_message"].as_str().unwrap_or_default();
        assert!(said.starts_with(message), "{mode}: {work:#}");
        assert_eq!(
            (&work["error_code"], &work["retries"]),
            (&code, &retries.into()),
            "{mode}"
        );
        let log = workplace.run(&program, &["log", "1", "work"]).stdout;
        assert!(log.contains("of work\n"), "{mode}: {log}");
    }
    let workplace = Workplace::new();
    let again = [
        "run",
        "-D",
        "mode=again",
        "-D",
        "oozie.wf.action.retry.interval=0",
    ];
    let ended = workplace.run(&program, &again);
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    assert_eq!(
        action(&workplace, &program, "build")["data"]["build"],
        "first"
    );

    let workplace = Workplace::new();
    let refused = workplace.run(&program, &["run-without", "count"]);
    assert_eq!(refused.code, Some(2), "{refused:#?}");
    for part in ["`build`", "`work`", "Parts::with_actions"] {
        assert!(refused.stderr.contains(part), "{refused:#?}");
    }
    assert_eq!(workplace.run(&program, &["jobs", "--json"]).stdout, "");
}

#[test]
fn killed_function_is_lost_unless_its_configuration_says_otherwise() {
    let copy = package("lost-functions");
    let program = copy.program();
    let again = "oozie.wf.action.retry.interval=0";
    for (lost, exit, status) in [("suspend", 4, "START_MANUAL"), ("retry", 0, "OK")] {
        let workplace = Workplace::new();
        let lost = format!("lost={lost}");
        let run = ["run", "-D", &lost, "-D", again, "-D"];
        let (job, process) = waiting(&workplace, &program, &run, "mode=");
        let killed = Command::new("kill").args(["-9", &process]).status();
        assert!(killed.expect("there is a `kill`").success());
        // For the next attempt, if there is one.
        fs::write(workplace.path("gate"), "").expect("writes");
        assert_eq!(job.finish().code, Some(exit), "{lost}");
        let work = action(&workplace, &program, "work");
        assert_eq!(work["status"], status, "{lost}: {work:#}");
    }
    let workplace = Workplace::new();
    let mode = format!("mode={}", workplace.path("").display());
    let ended = workplace.run(&program, &["run", "-D", "seconds=1", "-D", &mode]);
    assert_eq!(ended.code, Some(1), "{ended:#?}");
    let work = action(&workplace, &program, "work");
    assert_eq!(
        (&work["error_code"], &work["retries"]),
        (&"HPDL_TIMEOUT".into(), &1.into())
    );
}

#[test]
fn job_ends_with_the_functions_that_it_began_with() {
    let copy = package("edited-functions");
    // The next build replaces it.
    let began = copy.path("began");
    fs::copy(copy.program(), &began).expect("copies");
    copy.replace("src/main.rs", "= \"first\"", "= \"second\"");
    let program = copy.program();
    let ways: [(&[&str], &str, &str); 2] = [
        (&["run", "-D"], "mode=", "recover"),
        (&["run-here"], "", "recover-here"),
    ];
    for (run, mode, recover) in ways {
        let workplace = Workplace::new();
        let (owner, process) = waiting(&workplace, &began, run, mode);
        owner.kill();
        let recovering = workplace.start(&program, &[recover]);
        let id = workplace.only_job(&program)["id"]
            .as_str()
            .expect("it has an id")
            .to_owned();
        until("the job has an owner again", || workplace.is_owned(&id));
        fs::write(workplace.path("gate"), "").expect("writes");
        let ended = recovering.finish();
        assert_eq!(ended.code, Some(0), "{recover}: {ended:#?}");
        let work = action(&workplace, &program, "work");
        assert_eq!(
            work["external_id"], process,
            "{recover}: it was attached to"
        );
        let build = action(&workplace, &program, "build");
        assert_eq!(build["data"]["build"], "first", "{recover}");

        let rerun = [
            "rerun",
            &id,
            "-D",
            "oozie.wf.rerun.failnodes=false",
            "--wait",
        ];
        let rerun = workplace.run(&program, &rerun);
        assert_eq!(rerun.code, Some(0), "{recover}: {rerun:#?}");
        assert!(
            rerun.stderr.contains("the job moves from definition"),
            "{rerun:#?}"
        );
        let build = action(&workplace, &program, "build");
        assert_eq!(build["data"]["build"], "second", "{recover}");
    }
}
