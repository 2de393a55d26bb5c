//! Processes of actions whose launcher was killed.

use std::fs;

use crate::harness::{World, wait_for};

/// Waits until no process works for `world`: neither its programs nor processes that have its folder as an argument.
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
        // While a process is in `execve`, it has the attempt's folder but no command line yet; after its exit it has neither.
        let is_ours = is_ours
            || fs::read_link(entry.path().join("cwd"))
                .is_ok_and(|folder| folder.starts_with(world.home()));
        let words = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        !is_ours && !String::from_utf8_lossy(&words).contains(out)
    })
}
