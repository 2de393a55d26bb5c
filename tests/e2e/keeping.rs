//! The copies of executables in a state folder.

use std::fs;

use crate::harness::{World, finish, step, wait_for};

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
