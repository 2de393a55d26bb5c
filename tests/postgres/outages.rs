//! Servers that die, restart and cut connections while jobs run: what was told to be done is done once.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use super::{chain, has_no_file, server};
use crate::harness::{finish, wait_for};

const N_STEPS: usize = 60;

/// Runs a chain while `disturb` is called again and again.
fn each_step_once(disturb: impl Fn(&super::PostgresServer, u64) + Sync) {
    let Some(server) = server() else { return };
    let world = chain(&server, N_STEPS);
    let is_over = AtomicBool::new(false);
    let run = world.start(&[]);
    // A command that is cut off within its transaction changes nothing, and says so.
    wait_for("the job to run", || {
        (!world.effects().is_empty()).then_some(())
    });
    thread::scope(|scope| {
        let disturber = scope.spawn(|| {
            let mut n = 0;
            while !is_over.load(Ordering::Relaxed) {
                n += 1;
                disturb(&server, n);
            }
        });
        let ended = finish(run);
        is_over.store(true, Ordering::Relaxed);
        disturber.join().expect("it does not panic");
        ended.expect(0);
    });
    let expected: Vec<String> = (0..N_STEPS).map(|n| format!("s{n:03}")).collect();
    assert_eq!(world.effects(), expected);
    let id = world.job().expect("a job");
    world.await_status(&id, "SUCCEEDED");
    assert!(has_no_file(&world));
    world.call(&["doctor"]).expect(0);
}

#[test]
fn a_server_that_is_killed_and_restarted_under_load_loses_and_repeats_nothing() {
    each_step_once(|server, n| {
        // Owners look for a server that is away once a second.
        thread::sleep(Duration::from_millis(900 + 137 * (n % 5)));
        server.kill();
        thread::sleep(Duration::from_millis(100));
        server.go_on();
    });
}

#[test]
fn connections_that_are_cut_in_the_middle_of_commits_lose_and_repeat_nothing() {
    each_step_once(|server, n| {
        thread::sleep(Duration::from_millis(5 + 11 * (n % 7)));
        server.cut_connections();
    });
}

#[test]
fn an_owner_whose_server_is_gone_waits_and_can_be_ended() {
    let Some(server) = server() else { return };
    let world = super::of_nodes(
        &server,
        &crate::harness::bare("step.sh", "a", "gated", "end"),
    );
    let run = world.start(&[]);
    world.await_running("a");
    server.kill();
    world.open_gate("a");
    // The owner cannot record the end.
    thread::sleep(Duration::from_millis(500));
    crate::harness::signal("TERM", crate::harness::pid_of(&run));
    let ended = finish(run).expect(5);
    assert!(ended.stderr.contains("recover"), "{}", ended.stderr);
    let refused = world.call(&["jobs"]).expect(5);
    assert!(
        refused.stderr.contains("cannot be reached"),
        "{}",
        refused.stderr
    );
    server.go_on();
    let id = world.job().expect("a job");
    world.call(&["recover", &id]).expect(0);
    wait_for("the job to end", || {
        (world.effects() == ["a"]).then_some(())
    });
    world.await_status(&id, "SUCCEEDED");
}
