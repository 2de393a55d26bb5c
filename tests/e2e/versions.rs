//! Several executables of one user: each job is driven by its own, whichever is called; and state folders of earlier versions.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{
    harness::{STEP, World, action, kill_dash_nine, node, step, text, wait_for, workflow},
    sh,
};

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

#[test]
fn any_executable_recovers_and_kills_any_job() {
    let world = World::of_nodes(&step("a", "gated", "end"));
    let other = stranger(&world);
    let first = world.start(&["-Dhpdl.kill.grace=1"]);
    world.await_running("a");
    let id = world.job().expect("a job");
    kill_dash_nine(first);
    let recovery = other.spawn(&["recover", &id]);
    wait_for("the recovery to attach", || {
        world.log(&id).contains("ATTACHED").then_some(())
    });
    kill_dash_nine(recovery);
    other.call(&["kill", &id]).expect(0);
    assert_eq!(other.info(&id)["status"], "KILLED");
    assert_eq!(node(&other.info(&id), "a")["status"], "KILLED");
}

#[test]
fn several_jobs_are_recovered_side_by_side() {
    let world = World::of_nodes(&sh(
        "a",
        "echo $0 >> $1/effects; while [ ! -e $1/go ]; do [ -d $1 ] || exit 7; sleep 0.02; done; test $0 != bad",
        "<argument>${name}</argument><argument>${out}</argument>",
        "end",
    ));
    let names = ["bad", "one", "two"];
    for name in names {
        let owner = world.start(&[&format!("-Dname={name}")]);
        wait_for("it to run", || {
            world.effects().contains(&name.to_owned()).then_some(())
        });
        kill_dash_nine(owner);
    }
    let recovery = world.spawn(&["recover"]);
    wait_for("all of them to be attached to", || {
        world
            .jobs()
            .iter()
            .all(|job| world.log(&text(&job["id"])).contains("ATTACHED"))
            .then_some(())
    });
    fs::write(world.out().join("go"), "").expect("a file");
    // The exit code of the worst one.
    crate::harness::finish(recovery).expect(1);
    assert_eq!(world.effects(), names);
}

#[test]
fn an_executable_is_registered_by_itself_and_by_uris() {
    let world = World::of_nodes(&step("a", "0", "end"));
    let told = world
        .call(&["register", "--as", "hdfs://nn/apps/clean/"])
        .expect(0);
    assert!(
        told.stderr
            .contains("registered case as hdfs://nn/apps/clean:"),
        "{}",
        told.stderr
    );
    let parent = action(
        "s",
        "<sub-workflow><app-path>hdfs://nn/apps/clean</app-path><propagate-configuration/></sub-workflow>",
        "end",
    );
    let mut parent = World::of(&[("workflow.xml", &workflow(&parent))]);
    parent.move_home(Vec::new(), world.home().to_owned());
    parent.run(&[]).expect(0);
    assert_eq!(parent.effects(), ["a"]);
}

#[test]
fn the_copy_of_an_executable_goes_when_nothing_needs_it() {
    let world = World::of_nodes(&step("a", "0", "end"));
    let other = stranger(&world);
    let copies = || {
        let folder = fs::read_dir(world.home().join("bin")).expect("a folder");
        folder.count()
    };
    world.call(&["register", "--as", "app:one"]).expect(0);
    other.call(&["register", "--as", "app:two"]).expect(0);
    assert_eq!(copies(), 2);
    other.call(&["register", "--as", "app:one"]).expect(0);
    assert_eq!(copies(), 1, "the first has no job and no name any more");
    world.run(&[]).expect(0);
    world.call(&["register", "--as", "app:one"]).expect(0);
    other.call(&["register", "--as", "app:one"]).expect(0);
    assert_eq!(copies(), 2, "the first has a job");
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
