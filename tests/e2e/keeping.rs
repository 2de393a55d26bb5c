//! Maintenance of a state folder: `doctor`, `backup`, `purge`.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use crate::harness::{World, action, finish, step, text, wait_for, workflow};

fn mode(path: &Path) -> u32 {
    fs::metadata(path)
        .expect("it is there")
        .permissions()
        .mode()
        & 0o777
}

/// A parent and its child.
fn family() -> World {
    let sub = r#"<sub-workflow><app-path>${wf:appPath()}/child</app-path><propagate-configuration/></sub-workflow>"#;
    let nodes = [step("first", "0", "sub"), action("sub", sub, "end")].concat();
    let child = workflow(&step("below", "gated", "end"));
    World::of(&[
        ("workflow.xml", &workflow(&nodes)),
        ("step.sh", crate::harness::STEP),
        ("child/workflow.xml", &child),
        ("child/step.sh", crate::harness::STEP),
    ])
}

#[test]
fn a_backup_is_whole_while_a_job_runs_and_can_be_restored() {
    let world = family();
    let job = world.start(&[]);
    world.await_running("below");
    let file = world.path("backup.db");
    let shown = file.display().to_string();
    let said = world.call(&["backup", &shown]).expect(0).stderr;
    assert!(said.contains("2 jobs"), "{said}");
    assert_eq!(mode(&file), 0o600);
    // A nightly backup replaces the previous one.
    world.call(&["backup", &shown]).expect(0);
    world.open_gate("below");
    finish(job).expect(0);

    let mut other = family();
    let home = world.path("restored");
    fs::create_dir(&home).expect("a folder");
    fs::set_permissions(&home, fs::Permissions::from_mode(0o700)).expect("it is ours");
    fs::copy(&file, home.join("jobs.db")).expect("a file");
    other.move_home(Vec::new(), home);
    let jobs = other.jobs();
    assert!(
        jobs.iter().all(|job| job["status"] == "RUNNING"),
        "{jobs:?}"
    );
}

#[test]
fn a_backup_replaces_backups_only() {
    let world = World::of_nodes(&step("a", "0", "end"));
    world.run(&[]).expect(0);
    let file = world.path("letter.txt");
    fs::write(&file, "dear").expect("a file");
    world
        .call(&["backup", &file.display().to_string()])
        .expect(2);
    assert_eq!(fs::read_to_string(&file).expect("it stays"), "dear");
    let store = world.home().join("jobs.db").display().to_string();
    world.call(&["backup", &store]).expect(2);
    let nowhere = world.path("none/backup.db").display().to_string();
    world.call(&["backup", &nowhere]).expect(5);
}

#[test]
fn purge_takes_whole_trees_that_have_ended_and_nothing_else() {
    let world = family();
    world.open_gate("below");
    world.run(&[]).expect(0);
    let old = world.job().expect("a job");
    world.afresh_out();
    let running = world.start(&[]);
    world.await_running("below");
    let ids = |world: &World| -> Vec<String> {
        world.jobs().iter().map(|job| text(&job["id"])).collect()
    };
    assert_eq!(ids(&world).len(), 4);

    world.call(&["purge", "--older-than", "1h"]).expect(0);
    assert_eq!(ids(&world).len(), 4, "they are too young");
    let said = world
        .call(&["purge", "--older-than", "0s", "--dry-run"])
        .expect(0);
    assert!(
        said.stderr
            .contains("would free 1 job, 1 job of sub-workflows"),
        "{}",
        said.stderr
    );
    assert_eq!(said.stdout, format!("{old}\n"));
    assert_eq!(ids(&world).len(), 4, "nothing was done");
    let planned = said.stderr.replace("would free", "freed");

    let said = world
        .call(&["purge", "--older-than", "0s"])
        .expect(0)
        .stderr;
    assert_eq!(said, planned);
    assert!(
        said.contains("freed 1 job, 1 job of sub-workflows"),
        "{said}"
    );
    let left = ids(&world);
    assert_eq!(left.len(), 2, "{left:?}");
    assert!(!world.home().join("work").join(&old).exists());
    for id in &left {
        let info = world.info(id);
        assert_eq!(info["status"], "RUNNING", "{info}");
    }
    let n_executables = fs::read_dir(world.home().join("bin"))
        .expect("copies")
        .count();
    assert_eq!(n_executables, 1, "the running job's stays");
    world.open_gate("below");
    finish(running).expect(0);

    world.call(&["purge", "--older-than", "0s"]).expect(0);
    assert_eq!(ids(&world).len(), 0);
    for folder in ["bin", "apps", "work", "locks"] {
        let n_left = fs::read_dir(world.home().join(folder))
            .expect("a folder")
            .count();
        assert_eq!(n_left, 0, "{folder}");
    }
    // The next job starts like the first one.
    world.afresh_out();
    world.open_gate("below");
    world.run(&[]).expect(0);
    world.call(&["doctor"]).expect(0);
}

#[test]
fn the_doctor_finds_nothing_while_a_job_runs_and_after_it_was_killed() {
    let world = family();
    let job = world.start(&[]);
    world.await_running("below");
    let said = world.call(&["doctor"]).expect(0).stdout;
    assert!(
        said.contains("2 jobs") && said.contains(": sound"),
        "{said}"
    );
    let id = world.job().expect("a job");
    world.call(&["kill", &id]).expect(0);
    finish(job).expect(1);
    world.call(&["doctor"]).expect(0);
}

#[test]
fn the_doctor_says_what_is_wrong_and_what_to_do() {
    let world = World::of_nodes(&step("a", "0", "end"));
    world.run(&[]).expect(0);
    let bin = world.home().join("bin");
    let copy = fs::read_dir(&bin)
        .expect("copies")
        .next()
        .expect("one")
        .expect("a name")
        .path();
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o777)).expect("it is ours");
    let ended = world.call(&["doctor"]).expect(1);
    assert!(ended.stdout.contains("its mode is 777"), "{}", ended.stdout);
    assert!(ended.stdout.contains("chmod 700"), "{}", ended.stdout);
    let report: serde_json::Value =
        serde_json::from_str(&world.call(&["doctor", "--json"]).expect(1).stdout)
            .expect("doctor prints JSON");
    assert_eq!(report["sound"], false);
    assert_eq!(report["findings"][0]["level"], "problem");
}

#[test]
fn migrating_a_present_store_does_nothing() {
    let world = World::of_nodes(&step("a", "0", "end"));
    world.run(&[]).expect(0);
    let said = world.call(&["doctor", "--migrate"]).expect(0).stderr;
    assert!(said.contains("nothing to migrate"), "{said}");
}

/// The program is copied, and its files are unpacked, before the write lock is taken: here another process holds it all the time.
#[test]
fn an_executable_is_copied_while_others_write() {
    for words in [&["submit"][..], &["register", "--as", "hdfs://nn/apps/a"]] {
        let world = World::of_nodes(&step("a", "0", "end"));
        assert!(world.jobs().is_empty());
        let store = rusqlite::Connection::open(world.home().join("jobs.db")).expect("a store");
        store
            .execute_batch("BEGIN IMMEDIATE")
            .expect("nobody writes");
        let out = world.out_property();
        let mut words = words.to_vec();
        if words == ["submit"] {
            words.push(&out);
        }
        let command = world.spawn(&words);
        let bin = world.home().join("bin");
        wait_for("the copy", || {
            let mut names = fs::read_dir(&bin).ok()?.flatten();
            let is_there = names.any(|entry| {
                let name = entry.file_name();
                !name.to_string_lossy().starts_with('.')
            });
            is_there.then_some(())
        });
        store.execute_batch("COMMIT").expect("it is ours");
        finish(command).expect(0);
    }
}
