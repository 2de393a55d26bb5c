//! `hpdl`: the jobs of all executables of a state folder, and the life cycle of applications.

use std::{fs, path::Path};

use hpdlc_tests::hpdl;
use serde_json::Value;

use crate::{
    coordinators,
    harness::{Ended, World, call_program, step, text},
};

/// `hpdl` on the state folder of a world.
fn fleet(world: &World, arguments: &[&str]) -> Ended {
    let root = world
        .home()
        .parent()
        .expect("it lies in the world's folder");
    call_program(&hpdl(), root, arguments)
}

/// The application `case` of a world, as `apps --json` has it.
#[track_caller]
fn application(world: &World) -> Value {
    let listed = fleet(world, &["apps", "list", "--json"]).expect(0);
    let mut all = listed.json_lines();
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

fn gated() -> World {
    World::of_nodes(&[step("a", "gated", "b"), step("b", "0", "end")].concat())
}

#[track_caller]
fn refused(ended: Ended, parts: &[&str]) {
    let ended = ended.expect(2);
    for part in parts {
        assert!(ended.stderr.contains(part), "{part}: {}", ended.stderr);
    }
}

#[test]
fn jobs_are_created_started_and_killed_without_their_executable() {
    let world = gated();
    world.call(&["register"]).expect(0);
    // The copy in the state folder is enough.
    let program = world.path("moved");
    fs::rename(world.program(), &program).expect("the same folder");
    let out = world.out_property();
    let submitted = fleet(&world, &["submit", "case", &out]).expect(0);
    let id = submitted.stdout.trim_end().to_owned();
    fleet(&world, &["start", &id]).expect(0);
    world.await_running("a");
    let info = fleet(&world, &["info", &id, "--json"]).expect(0);
    assert!(info.stdout.contains("\"RUNNING\""), "{}", info.stdout);
    fleet(&world, &["suspend", "last"]).expect(0);
    world.open_gate("a");
    let resumed = fleet(&world, &["resume", "case", "--wait"]).expect(0);
    assert!(resumed.stderr.contains("SUCCEEDED"), "{}", resumed.stderr);
    assert_eq!(world.effects(), ["a", "b"]);

    world.afresh_out();
    let second = fleet(&world, &["submit", "case", &out]).expect(0);
    let second = second.stdout.trim_end();
    fleet(&world, &["start", second]).expect(0);
    world.await_running("a");
    fleet(&world, &["kill", second]).expect(0);
    let killed = fleet(&world, &["jobs", "--status", "KILLED", "--json"]).expect(0);
    assert_eq!(killed.json_lines().len(), 1);
}

#[test]
fn a_workflow_is_rerun_without_its_executable() {
    let world = World::of_nodes(&[step("a", "0", "b"), step("b", "0", "end")].concat());
    let obstacle = world.path("out/done-b");
    fs::create_dir(&obstacle).expect("a folder");
    world.run(&[]).expect(1);
    let program = world.path("moved");
    fs::rename(world.program(), &program).expect("the same folder");

    let planned = fleet(&world, &["rerun", "last", "--failed", "--dry-run"]).expect(0);
    for part in ["as run 1", "skip     a", "run      b"] {
        assert!(planned.stdout.contains(part), "{part}: {}", planned.stdout);
    }
    refused(
        fleet(
            &world,
            &[
                "rerun",
                "last",
                "--failed",
                "-D",
                "oozie.wf.rerun.skip.nodes=a",
            ],
        ),
        &["skip.nodes"],
    );
    assert_eq!(world.effects(), ["a", "b"], "neither ran anything");
    fs::remove_dir(&obstacle).expect("it is there");
    let ended = fleet(&world, &["rerun", "last", "--failed", "--wait"]).expect(0);
    assert!(ended.stderr.contains("SUCCEEDED"), "{}", ended.stderr);
    assert_eq!(world.effects(), ["a", "b", "b"]);
}

#[test]
fn it_prints_what_the_executable_prints() {
    let world = World::of_nodes(&step("a", "0", "end"));
    world.run(&[]).expect(0);
    for command in [
        &["jobs", "--json"][..],
        &["info", "last", "--json"],
        &["log", "last"],
        &["log", "last", "a"],
        &["graph", "last"],
        &["definition", "last"],
        &["timeline", "last"],
        &["settings", "last", "--json"],
        &["info", "7"],
        &["kill", "last"],
    ] {
        let own = world.call(command);
        let other = fleet(&world, command);
        assert_eq!(own.code, other.code, "{command:?}: {}", other.stderr);
        assert_eq!(own.stdout, other.stdout, "{command:?}");
    }
}

#[test]
fn a_deployed_application_accepts_jobs_while_it_is_active() {
    let world = gated();
    let out = world.out_property();
    let program = world.program();
    let program = program.to_str().expect("UTF-8");
    fleet(&world, &["apps", "deploy", program]).expect(0);
    assert_eq!(application(&world)["status"], "INACTIVE");
    refused(
        fleet(&world, &["submit", "case", &out]),
        &["is INACTIVE", "apps activate case"],
    );
    // Neither by the executable itself.
    refused(world.run(&[]), &["is INACTIVE", "hpdl apps activate case"]);
    assert!(world.jobs().is_empty());
    refused(
        fleet(&world, &["apps", "suspend", "case"]),
        &["requires ACTIVE", "apps activate case"],
    );
    refused(
        fleet(&world, &["apps", "deploy", program]),
        &["deployed already"],
    );

    fleet(&world, &["apps", "activate", "case"]).expect(0);
    let submitted = fleet(&world, &["submit", "case", &out]).expect(0);
    let id = submitted.stdout.trim_end().to_owned();
    fleet(&world, &["apps", "suspend", "case"]).expect(0);
    refused(fleet(&world, &["submit", "case", &out]), &["is SUSPENDED"]);
    refused(
        fleet(&world, &["apps", "deactivate", "case"]),
        &["1 job that has not ended", "hpdl jobs --app case"],
    );
    // What was submitted goes on.
    fleet(&world, &["start", &id]).expect(0);
    world.await_running("a");
    world.open_gate("a");
    world.await_status(&id, "SUCCEEDED");
    fleet(&world, &["apps", "deactivate", "case"]).expect(0);
    refused(
        fleet(&world, &["apps", "deactivate", "case"]),
        &["is INACTIVE"],
    );
    fleet(&world, &["apps", "undeploy", "case"]).expect(0);
    let left = application(&world);
    assert!(left["status"].is_null(), "{left}");
    assert_eq!(text(&world.info(&id)["status"]), "SUCCEEDED");
}

#[test]
fn an_undeployed_application_without_jobs_leaves_nothing() {
    let world = World::of_nodes(&step("a", "0", "end"));
    let program = world.program();
    fleet(
        &world,
        &["apps", "deploy", program.to_str().expect("UTF-8")],
    )
    .expect(0);
    fleet(&world, &["apps", "undeploy", "case"]).expect(0);
    let copies = fs::read_dir(world.home().join("bin")).expect("a folder");
    assert_eq!(copies.count(), 0);
    assert_eq!(
        fleet(&world, &["apps"]).expect(0).stdout,
        "no applications yet\n"
    );
}

#[test]
fn what_is_no_executable_of_hpdlc_is_not_run() {
    let world = World::of_nodes(&step("a", "0", "end"));
    let script = world.path("script");
    fs::write(&script, "#!/bin/sh\ntouch \"$0.ran\"\n").expect("a file");
    let deploy = |path: &Path| fleet(&world, &["apps", "deploy", path.to_str().expect("UTF-8")]);
    refused(
        deploy(&script),
        &["no executable that hpdlc has built", "hpdlc build"],
    );
    assert!(!world.path("script.ran").exists());
    refused(deploy(&world.path("app")), &["a folder"]);
    refused(deploy(&world.path("nothing")), &["No such file"]);
}

#[test]
fn unknown_applications_are_refused_by_every_command() {
    let world = World::of_nodes(&step("a", "0", "end"));
    for command in [
        &["submit", "other"][..],
        &["run", "other"],
        &["apps", "show", "other"],
        &["apps", "activate", "other"],
    ] {
        refused(fleet(&world, command), &["no application other"]);
    }
    // It has jobs, and no life cycle.
    world.run(&[]).expect(0);
    refused(
        fleet(&world, &["apps", "activate", "case"]),
        &["was not deployed", "apps deploy"],
    );
    let shown = fleet(&world, &["apps", "show", "case"]).expect(0).stdout;
    assert!(
        shown.contains("Jobs         1, 0 of them not ended"),
        "{shown}"
    );
}

#[test]
fn an_application_is_run_in_the_foreground_by_its_name() {
    let world = World::of_nodes(&step("a", "0", "end"));
    world.call(&["register"]).expect(0);
    let out = world.out_property();
    let ran = fleet(&world, &["run", "case", &out, "--key=-k", "--json"]).expect(0);
    assert!(ran.stdout.contains("SUCCEEDED"), "{}", ran.stdout);
    let again = fleet(&world, &["run", "case", &out, "--key=-k", "--quiet"]).expect(0);
    assert_eq!(again.stdout, "");
    assert_eq!(world.effects(), ["a"]);
}

#[test]
fn a_coordinator_is_updated_by_the_newest_definition_of_its_name() {
    let world = coordinators::world(&coordinators::coordinator(10, "00:20", ""));
    let out = world.out_property();
    let id = world.submit(&[]);
    let same = fleet(&world, &["update", &id, "--dry-run"]).expect(0);
    assert!(same.stderr.contains("nothing differs"), "{}", same.stderr);
    let other = fleet(&world, &["update", &id, "--dry-run", "-D", "day=monday"]).expect(0);
    assert!(other.stdout.contains("+day = monday"), "{}", other.stdout);
    refused(
        fleet(&world, &["update", &id, "--app", "other"]),
        &["no application other"],
    );
    let case = World::of_nodes(&step("a", "0", "end"));
    let workflow = case.submit(&[&out]);
    refused(
        fleet(&case, &["update", &workflow]),
        &["is not a coordinator: `update` does not apply"],
    );
}
