//! Several executables of one user: each job is driven by its own, whichever is called; and state folders of earlier versions.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::harness::{STEP, World, node, step, text, workflow};

/// Another workflow's executable with the same state folder.
fn stranger(world: &World) -> World {
    let text = workflow(&step("z", "0", "end")).replace("name=\"case\"", "name=\"stranger\"");
    let mut other = World::of(&[("workflow.xml", &text), ("step.sh", STEP)]);
    other.move_home(Vec::new(), world.home().to_owned());
    other
}

#[test]
fn any_executable_controls_any_job() {
    let world = World::of_nodes(&[step("a", "gated", "b"), step("b", "0", "end")].concat());
    let other = stranger(&world);
    let id = world.submit(&[]);
    // The file from which it was started is not needed.
    fs::remove_file(world.program()).expect("a file");
    other.call(&["start", &id]).expect(0);
    world.await_running("a");
    other.call(&["suspend", &id]).expect(0);
    assert_eq!(other.info(&id)["status"], "SUSPENDED");
    other.call(&["resume", &id]).expect(0);
    other.call(&["suspend", &id]).expect(0);
    world.open_gate("a");
    other.call(&["resume", &id, "--wait"]).expect(0);
    assert_eq!(world.effects(), ["a", "b"]);
    let foreign = other.call(&["rerun", &id]).expect(2);
    assert!(foreign.stderr.contains("/bin/"), "{}", foreign.stderr);
}

/// A program that lacks a file system is rebuilt with it: the new one then drives its jobs.
#[test]
fn an_executable_with_the_large_runtime_takes_the_place_of_one_with_the_small() {
    let small = World::of_nodes(&step("a", "0", "end"));
    let mut large = World::of_folder_with(&small.path("app"), &["--full"]);
    large.move_home(Vec::new(), small.home().to_owned());
    let size = |path: &Path| fs::metadata(path).expect("a file").len();
    let sizes = [&small, &large].map(|world| size(&world.program()));
    assert_ne!(sizes[0], sizes[1]);
    let id = small.submit(&[]);
    let kept = || {
        let mut copies = fs::read_dir(small.home().join("bin")).expect("a folder");
        size(&copies.next().expect("a copy").expect("a copy").path())
    };
    assert_eq!(kept(), sizes[0]);
    large.call(&["start", &id]).expect(0);
    small.await_status(&id, "SUCCEEDED");
    assert_eq!(kept(), sizes[1]);
    small.submit(&[]);
    assert_eq!(kept(), sizes[1], "and stays");
}

fn kept_store(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("e2e/stores")
        .join(name)
}

/// A world with a store that an earlier version has written.
fn with_kept_store(name: &str) -> World {
    let world = World::of_nodes(&step("a", "0", "end"));
    world.call(&["jobs"]).expect(0);
    for name in ["jobs.db", "jobs.db-wal", "jobs.db-shm"] {
        let file = world.home().join(name);
        if file.exists() {
            fs::remove_file(file).expect("a file");
        }
    }
    fs::copy(kept_store(name), world.home().join("jobs.db")).expect("a file");
    world
}

#[test]
fn a_store_of_format_1_0_is_read_and_written_on() {
    let world = with_kept_store("1.0.db");
    let jobs = world.jobs();
    let statuses: Vec<String> = jobs.iter().map(|job| text(&job["status"])).collect();
    assert_eq!(statuses, ["SUCCEEDED", "SUCCEEDED", "KILLED", "SUCCEEDED"]);
    let killed = world.info(&text(&jobs[2]["id"]));
    assert_eq!(node(&killed, "a")["data"]["rows"], "12");
    assert_eq!(node(&killed, "b")["error_code"], "1");
    assert_eq!(node(&killed, "b")["skipped"], false);
    world.run(&[]).expect(0);
    assert_eq!(world.jobs().len(), 5);
    assert!(text(&world.jobs()[0]["id"]).starts_with("0000005-"));
}

#[test]
fn a_store_of_format_1_2_is_read_and_written_on() {
    let world = with_kept_store("1.2.db");
    let jobs = world.jobs();
    let statuses: Vec<String> = jobs.iter().map(|job| text(&job["status"])).collect();
    assert_eq!(statuses, ["PREP", "SUCCEEDED", "KILLED", "SUCCEEDED"]);
    let rerun = world.info(&text(&jobs[1]["id"]));
    assert_eq!(
        (&rerun["run"], &rerun["runs"][0]["status"]),
        (&1.into(), &"KILLED".into())
    );
    assert_eq!(node(&rerun, "a")["skipped"], true);
    assert_eq!(rerun["sla"], serde_json::json!([]));
    // Their executables no longer exist; no job needs one.
    world.call(&["recover"]).expect(0);
    world.run(&[]).expect(0);
    assert_eq!(world.jobs().len(), 5);
}
