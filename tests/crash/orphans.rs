//! Processes of actions whose launcher has been killed.

use std::fs;

use crate::harness::{World, wait_for};

/// Waits until no process works for `world` any more: neither a program of it nor one that was given its folder as an argument.
#[track_caller]
pub fn await_end_of_all(world: &World) {
    wait_for("the end of all processes", || is_quiet(world).then_some(()));
}

fn is_quiet(world: &World) -> bool {
    let out = world.out();
    let out = out.to_str().expect("temporary folders have plain names");
    let program = world.program();
    let entries = fs::read_dir("/proc").expect("Linux has it");
    entries.flatten().all(|entry| {
        let is_ours = fs::read_link(entry.path().join("exe"))
            .is_ok_and(|exe| exe == program || exe.starts_with(world.home()));
        // A process that is being started is still its launcher's copy; what ends has no words any more.
        let words = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        !is_ours && !String::from_utf8_lossy(&words).contains(out)
    })
}
