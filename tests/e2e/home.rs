//! The state folder of several programs: many that open it first, and jobs of others.

use std::fs;

use crate::harness::{World, finish, step, text};

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
    let world = World::of_nodes(&step("a", "0", "end"));
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
