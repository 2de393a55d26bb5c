//! Signals that a program inherits as ignored.

use crate::harness::{World, finish, pid_of, signal, step};

/// As with `nohup`.
#[test]
fn a_hang_up_that_is_ignored_ends_nothing() {
    let mut world = World::of_nodes(&step("a", "gated", "end"));
    world.ignore("HUP");
    let owner = world.start(&[]);
    world.await_running("a");
    signal("HUP", pid_of(&owner));
    world.open_gate("a");
    finish(owner).expect(0);
    assert_eq!(world.effects(), ["a"]);
}

/// A script starts background processes with it ignored; a user who sends it nevertheless expects it to work.
#[test]
fn control_c_is_heard_even_where_it_is_ignored() {
    let mut world = World::of_nodes(&step("a", "gated", "end"));
    world.ignore("INT");
    let owner = world.start(&[]);
    world.await_running("a");
    signal("INT", pid_of(&owner));
    finish(owner).expect(1);
}

/// The kernel then discards the exit status of a process's children.
#[test]
fn the_end_of_a_process_is_heard_where_that_of_children_is_ignored() {
    // One that has exited before it is waited for, and one that has not.
    let nodes = [step("a", "0", "b"), step("b", "0.3", "end")].concat();
    let mut world = World::of_nodes(&nodes);
    world.ignore("CHLD");
    world.run(&[]).expect(0);
    assert_eq!(world.effects(), ["a", "b"]);
}
