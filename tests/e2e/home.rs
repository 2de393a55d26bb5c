//! The state folder: permissions, what is refused, and many programs that open it first.

use std::{fs, os::unix::fs::PermissionsExt, process::Command};

use crate::{
    harness::{World, finish, step, text},
    run,
};

fn world() -> World {
    World::of_nodes(&step("a", "0", "end"))
}

fn mode(path: &std::path::Path) -> u32 {
    fs::metadata(path)
        .expect("it is there")
        .permissions()
        .mode()
        & 0o777
}

#[test]
fn the_state_folder_is_private() {
    let world = world();
    run(&world, &[], 0);
    assert_eq!(mode(world.home()), 0o700);
    for folder in ["work", "locks", "apps", "bin"] {
        assert_eq!(mode(&world.home().join(folder)), 0o700, "{folder}");
    }
}

#[test]
fn a_state_folder_that_others_can_write_is_refused() {
    for others in [0o770, 0o702] {
        let world = world();
        fs::create_dir(world.home()).expect("a folder");
        fs::set_permissions(world.home(), fs::Permissions::from_mode(others)).expect("ours");
        let refused = world.run(&[]).expect(2);
        let home = world.home().display().to_string();
        assert!(
            refused
                .stderr
                .contains(&format!("others can write the state folder {home}")),
            "{}",
            refused.stderr
        );
        assert!(
            refused.stderr.contains(&format!("chmod 700 {home}")),
            "{}",
            refused.stderr
        );
        assert_eq!(
            fs::read_dir(world.home()).expect("a folder").count(),
            0,
            "it is left as it was"
        );
    }
}

#[test]
fn a_state_folder_that_cannot_be_is_told() {
    let mut world = world();
    let file = world.path("a-file");
    fs::write(&file, "").expect("a file");
    for home in [file.clone(), file.join("below"), "/proc/nowhere".into()] {
        world.move_home(Vec::new(), home.clone());
        let refused = world.run(&[]).expect(5);
        assert!(
            refused.stderr.contains(&home.display().to_string()),
            "{}",
            refused.stderr
        );
        assert!(refused.stderr.contains("HPDL_HOME"), "{}", refused.stderr);
    }
}

#[test]
fn a_store_that_is_none_is_told_and_left_alone() {
    let world = world();
    run(&world, &[], 0);
    let store = world.home().join("jobs.db");
    for ending in ["-wal", "-shm"] {
        // They do not exist if the last process that closed the store has removed them.
        let _ = fs::remove_file(world.home().join(format!("jobs.db{ending}")));
    }
    let text = "this is no database, but long enough to be taken for one. ".repeat(40);
    fs::write(&store, &text).expect("a file");
    let refused = world.run(&[]).expect(5);
    assert!(
        refused.stderr.contains("jobs.db") && refused.stderr.contains("damaged"),
        "{}",
        refused.stderr
    );
    assert_eq!(fs::read_to_string(&store).expect("a file"), text);
}

#[test]
fn a_store_of_another_major_format_is_refused_and_left_alone() {
    let world = world();
    run(&world, &[], 0);
    let store = world.home().join("jobs.db");
    let change = "import sqlite3, sys\nstore = sqlite3.connect(sys.argv[1])\nstore.execute('UPDATE meta SET format_major = 7, format_minor = 3')\nstore.commit()\nstore.execute('PRAGMA wal_checkpoint(TRUNCATE)')\nstore.close()\n";
    let changed = Command::new("python3")
        .args(["-c", change])
        .arg(&store)
        .status();
    assert!(changed.expect("python3 is there").success());
    let before = fs::read(&store).expect("a file");
    for command in [&["run", "-Dout=/x"][..], &["jobs"], &["recover"]] {
        let refused = world.call(command).expect(2);
        assert!(
            refused
                .stderr
                .contains("has format 7.3; this executable reads format 1"),
            "{}",
            refused.stderr
        );
        assert!(refused.stderr.contains("help: "), "{}", refused.stderr);
    }
    assert!(
        fs::read(&store).expect("a file") == before,
        "the store was changed"
    );
}

#[test]
fn a_store_with_a_newer_minor_format_and_more_columns_works() {
    let world = world();
    run(&world, &[], 0);
    let store = world.home().join("jobs.db");
    let change = "import sqlite3, sys\nstore = sqlite3.connect(sys.argv[1])\nstore.execute('UPDATE meta SET format_minor = 99')\nstore.execute('ALTER TABLE jobs ADD COLUMN tomorrow TEXT')\nstore.execute('CREATE TABLE later (x)')\nstore.execute(\"UPDATE jobs SET tomorrow = 'kept'\")\nstore.commit()\nstore.close()\n";
    let changed = Command::new("python3")
        .args(["-c", change])
        .arg(&store)
        .status();
    assert!(changed.expect("python3 is there").success());
    fs::remove_dir(world.out().join("done-a")).expect("it was made");
    world.run(&[]).expect(0);
    assert_eq!(world.jobs().len(), 2);
}

#[test]
fn eight_programs_that_are_the_first_at_once_all_succeed() {
    let mut world = World::of_nodes(&crate::sh(
        "a",
        "true",
        "<argument>${out}</argument>",
        "end",
    ));
    for _ in 0..3 {
        world.afresh();
        let runs: Vec<_> = (0..8).map(|_| world.start(&[])).collect();
        for run in runs {
            finish(run).expect(0);
        }
        let mut ids: Vec<String> = world.jobs().iter().map(|job| text(&job["id"])).collect();
        assert_eq!(ids.len(), 8);
        ids.sort();
        ids.dedup_by_key(|id| id[..7].to_owned());
        assert_eq!(ids.len(), 8, "numbers are given once: {ids:?}");
    }
}

#[test]
fn jobs_of_other_programs_are_shown_and_driven_by_their_own_executable() {
    let world = world();
    let mut other = World::of_nodes(&step("z", "gated", "end"));
    other.move_home(Vec::new(), world.home().to_owned());
    let owner = other.start(&[]);
    other.await_running("z");
    let id = other.job().expect("a job");
    crate::harness::kill_dash_nine(owner);
    assert_eq!(text(&world.info(&id)["status"]), "RUNNING");
    // The executable that was run is deleted; the job has a copy.
    fs::remove_file(other.program()).expect("it is there");
    let recovery = world.spawn(&["recover", &id]);
    other.open_gate("z");
    finish(recovery).expect(0);
    assert_eq!(other.effects(), ["z"]);
    assert_eq!(text(&world.info(&id)["status"]), "SUCCEEDED");
}
