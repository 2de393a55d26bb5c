//! `recover --watch`: the jobs continue, whichever process dies.

use std::time::Instant;

use crate::harness::{
    World, finish, is_running, kill_dash_nine, node, pid_of, signal, step, text, wait_for,
};

fn gated() -> World {
    World::of_nodes(&[step("a", "gated", "b"), step("b", "0", "end")].concat())
}

/// How often an owner has attached to the running process again.
fn n_attached(world: &World, id: &str) -> usize {
    world.log(id).matches("ATTACHED").count()
}

#[test]
fn a_watch_takes_over_from_every_owner_that_dies() {
    let world = gated();
    let watch = world.spawn(&["recover", "--watch"]);
    let owner = world.start(&[]);
    let process = world.await_running("a");
    let id = world.job().expect("a job");
    assert_eq!(n_attached(&world, &id), 0, "it leaves a living owner alone");
    let begun = Instant::now();
    kill_dash_nine(owner);
    wait_for("the watch to notice", || {
        (n_attached(&world, &id) == 1).then_some(())
    });
    println!("taken over after {:?}", begun.elapsed());
    // The owners that it has started die too.
    let second = world.call(&["recover", &id]).expect(2).stderr;
    let pid = second
        .split("process ")
        .nth(1)
        .and_then(|rest| rest.lines().next()?.trim().parse::<i32>().ok());
    signal("KILL", pid.expect("it is named"));
    wait_for("the watch to notice again", || {
        (n_attached(&world, &id) == 2).then_some(())
    });
    assert!(is_running(process));
    world.open_gate("a");
    world.await_status(&id, "SUCCEEDED");
    assert_eq!(world.effects(), ["a", "b"]);
    signal("TERM", pid_of(&watch));
    let ended = finish(watch).expect(0);
    assert!(
        ended.stderr.contains("SIGTERM: stopped managing"),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_watch_that_is_ended_hands_its_jobs_over() {
    let world = gated();
    let owner = world.start(&[]);
    let process = world.await_running("a");
    let id = world.job().expect("a job");
    kill_dash_nine(owner);
    let watch = world.spawn(&["recover", "--watch"]);
    wait_for("the watch to take it", || {
        (n_attached(&world, &id) == 1).then_some(())
    });
    signal("TERM", pid_of(&watch));
    let ended = finish(watch).expect(0);
    assert!(
        ended.stderr.contains("stopped managing 1 job"),
        "{}",
        ended.stderr
    );
    assert!(is_running(process));
    let told = world.call(&["info", &id]).expect(0);
    assert!(
        told.stdout.contains("no process drives this job"),
        "{}",
        told.stdout
    );
    world.open_gate("a");
    world.call(&["recover", &id]).expect(0);
    assert_eq!(world.effects(), ["a", "b"]);
}

#[test]
fn a_watch_goes_on_with_the_store_that_replaces_a_deleted_one() {
    goes_on_without(&["jobs.db", "jobs.db-wal", "jobs.db-shm"]);
}

/// The state after a new store was created between the first and the last of three deletions.
#[test]
fn a_watch_goes_on_where_only_the_index_of_the_log_is_deleted() {
    goes_on_without(&["jobs.db-shm"]);
}

fn goes_on_without(files: &[&str]) {
    let world = gated();
    // The store exists, so the watch opens it once.
    world.submit(&[]);
    let watch = world.spawn(&["recover", "--watch"]);
    let maps = format!("/proc/{}/maps", pid_of(&watch));
    wait_for("the watch to read the store", || {
        let maps = std::fs::read_to_string(&maps).expect("the watch runs");
        maps.contains("jobs.db-shm").then_some(())
    });
    for name in files {
        // SQLite may have removed two of them itself.
        let _ = std::fs::remove_file(world.home().join(name));
    }
    let owner = world.start(&[]);
    world.await_running("a");
    let id = text(&world.jobs()[0]["id"]);
    kill_dash_nine(owner);
    wait_for("the watch to notice", || {
        (n_attached(&world, &id) == 1).then_some(())
    });
    world.open_gate("a");
    world.await_status(&id, "SUCCEEDED");
    signal("TERM", pid_of(&watch));
    finish(watch).expect(0);
}

#[test]
fn a_watch_leaves_alone_what_waits_for_a_person() {
    let world = gated();
    let watch = world.spawn(&["recover", "--watch"]);
    let prep = world.submit(&[]);
    let suspended = world.submit(&["-Doozie.suspend.on.nodes=a"]);
    world.call(&["start", &suspended]).expect(0);
    world.await_status(&suspended, "SUSPENDED");
    // Another job that it drives shows that it has polled.
    let third = world.submit(&[]);
    world.call(&["start", &third]).expect(0);
    world.await_running("a");
    let owner = world.call(&["recover", &third]).expect(2).stderr;
    let pid = owner
        .split("process ")
        .nth(1)
        .and_then(|rest| rest.lines().next());
    signal(
        "KILL",
        pid.and_then(|pid| pid.trim().parse().ok())
            .expect("it is named"),
    );
    wait_for("the watch to notice", || {
        (n_attached(&world, &third) == 1).then_some(())
    });
    assert_eq!(text(&world.info(&prep)["status"]), "PREP");
    assert_eq!(text(&world.info(&suspended)["status"]), "SUSPENDED");
    assert_eq!(node(&world.info(&suspended), "a")["status"], "PREP");
    world.open_gate("a");
    world.await_status(&third, "SUCCEEDED");
    signal("TERM", pid_of(&watch));
    finish(watch).expect(0);
}
