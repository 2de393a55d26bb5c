//! `run --key` while another process runs the job of the key.

use std::{fs, process::Child};

use crate::harness::{World, finish, kill_dash_nine, pid_of, signal, step, wait_for};

fn gated() -> World {
    World::of_nodes(&[step("a", "gated", "b"), step("b", "0", "end")].concat())
}

#[test]
fn a_second_process_of_a_key_waits_for_the_first() {
    let world = gated();
    let first = world.start(&["--key", "k"]);
    world.await_running("a");
    let id = world.job().expect("a job");
    let second = world.start(&["--key", "k"]);
    let third = world.start(&["--key", "k"]);
    await_waiting(&second);
    signal("TERM", await_waiting(&third));
    let third = finish(third).expect(5);
    assert!(
        third.stderr.contains("continues under process"),
        "{}",
        third.stderr
    );
    // The waiting process takes over when the first one dies.
    kill_dash_nine(first);
    world.open_gate("a");
    let second = finish(second).expect(0);
    assert!(
        second.stderr.contains("waiting for its end"),
        "{}",
        second.stderr
    );
    assert_eq!(world.job(), Some(id));
    assert_eq!(world.effects(), ["a", "b"]);
}

/// Waits until a process waits for the one that has its key: then it handles SIGTERM. Returns its id.
fn await_waiting(process: &Child) -> i32 {
    wait_for("a process to wait", || {
        let pid = pid_of(process);
        let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let caught = status
            .lines()
            .find_map(|line| line.strip_prefix("SigCgt:"))?;
        let caught = u64::from_str_radix(caught.trim(), 16).ok()?;
        (caught >> 14 & 1 == 1).then_some(pid)
    })
}
