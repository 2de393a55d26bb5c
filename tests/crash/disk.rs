//! A full disk, and a state folder that becomes read-only, while a job runs.
//!
//! The state folder is on a small file system in memory, in a mount namespace of the test. If the machine does not allow
//! such a namespace, the tests say so and do nothing.

use std::{
    fs,
    process::{Child, Command, Output, Stdio},
};

use crate::harness::{PATIENCE, World, finish, is_running, node, pid_of, step, text, wait_within};

/// Room for the executable's copy, the store and its log.
const SIZE: &str = "48m";

/// A process that keeps a namespace alive in which a small file system is mounted.
struct SmallDisk {
    holder: Child,
    within: Vec<String>,
    mount: String,
}

impl SmallDisk {
    /// Gives `world` a state folder on a small disk; `None` if the machine does not allow namespaces.
    fn below(world: &mut World) -> Option<SmallDisk> {
        let mount = world.path("disk");
        fs::create_dir(&mount).expect("a folder");
        let mount = mount
            .to_str()
            .expect("temporary folders have plain names")
            .to_owned();
        for options in [&["-r", "-m"][..], &["-m"]] {
            let script = format!(
                "mount -t tmpfs -o size={SIZE} tmpfs {mount} && touch {mount}/is-mounted && exec sleep 600"
            );
            let mut holder = Command::new("unshare")
                .args(options)
                .args(["sh", "-c", &script])
                .stdin(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .ok()?;
            let pid = pid_of(&holder).to_string();
            let inside = format!("/proc/{pid}/root{mount}/is-mounted");
            let is_there = wait_within(PATIENCE, || {
                if fs::exists(&inside).unwrap_or(false) {
                    return Some(true);
                }
                holder.try_wait().expect("our child").map(|_| false)
            });
            if is_there != Some(true) {
                // It has exited, or will never be ready.
                let _ = holder.kill();
                let _ = holder.wait();
                continue;
            }
            let mut within: Vec<String> = ["nsenter", "-t", &pid, "-m"]
                .iter()
                .map(|&word| word.to_owned())
                .collect();
            if options.contains(&"-r") {
                within.extend(["-U", "--preserve-credentials"].map(str::to_owned));
            }
            world.move_home(within.clone(), format!("{mount}/home").into());
            return Some(SmallDisk {
                holder,
                within,
                mount,
            });
        }
        println!("skipped: this machine lets us make no mount namespace");
        None
    }

    fn shell(&self, script: &str) -> Output {
        let (first, more) = self.within.split_first().expect("nsenter");
        Command::new(first)
            .args(more)
            .args(["sh", "-c", script])
            .output()
            .expect("nsenter starts")
    }

    /// Leaves `rest` KiB free.
    fn fill(&self, rest: u64) {
        let mount = &self.mount;
        self.shell(&format!("head -c {rest}k /dev/zero > {mount}/rest; cat /dev/zero > {mount}/rubbish 2>/dev/null; rm {mount}/rest"));
    }

    fn make_room(&self) {
        assert!(
            self.shell(&format!("rm {}/rubbish", self.mount))
                .status
                .success()
        );
    }

    /// Makes the kernel refuse new files below the state folder.
    fn turn_read_only(&self) {
        let home = format!("{}/home", self.mount);
        let done = self.shell(&format!(
            "mount --bind {home} {home} && mount -o remount,ro,bind {home}"
        ));
        assert!(
            done.status.success(),
            "{}",
            String::from_utf8_lossy(&done.stderr)
        );
    }

    fn turn_writable(&self) {
        assert!(
            self.shell(&format!("umount {}/home", self.mount))
                .status
                .success()
        );
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // The namespace disappears with its last process.
        let _ = self.holder.kill();
        let _ = self.holder.wait();
    }
}

fn chain() -> World {
    let names = ["a", "b", "c", "d"];
    let nexts = ["b", "c", "d", "end"];
    let nodes = names
        .iter()
        .zip(nexts)
        .map(|(name, next)| step(name, if *name == "a" { "gated" } else { "0" }, next));
    World::of_nodes(&nodes.collect::<String>())
}

/// The job continues as if nothing had happened.
#[track_caller]
fn check_recovers(world: &World, id: &str, round: &str) {
    let recovered = finish(world.spawn(&["recover", id]));
    assert_eq!(
        recovered.code,
        Some(0),
        "{round}: {}\n{}",
        recovered.stderr,
        world.log(id)
    );
    assert_eq!(world.effects(), ["a", "b", "c", "d"], "{round}");
    let info = world.info(id);
    assert_eq!(info["status"], "SUCCEEDED", "{round}: {info:#}");
    for name in ["a", "b", "c", "d"] {
        let node = node(&info, name);
        assert!(
            node["status"] == "OK" && node["retries"] == 0,
            "{round}: {node:#}"
        );
    }
}

#[test]
fn a_full_disk_loses_nothing_wherever_it_strikes() {
    let mut world = chain();
    let Some(disk) = SmallDisk::below(&mut world) else {
        return;
    };
    let mut n_struck = 0;
    // From no room at all, which fails at the end of `a`, to room for a while.
    for rest in [0, 4, 8, 12, 20, 32, 48, 72, 100, 140, 200] {
        world.afresh_within(|script| assert!(disk.shell(script).status.success()));
        let owner = world.start(&[]);
        let process = world.await_running("a");
        let id = world.job().expect("a job");
        disk.fill(rest);
        world.open_gate("a");
        let ended = finish(owner);
        let round = format!("{rest} KiB left: {}", ended.stderr);
        if ended.code == Some(0) {
            disk.make_room();
            check_recovers(&world, &id, &round);
            continue;
        }
        n_struck += 1;
        assert_eq!(ended.code, Some(5), "{round}");
        let has_words = ["full", "No space left"]
            .iter()
            .any(|words| ended.stderr.contains(words));
        assert!(has_words, "{round}");
        assert!(ended.stderr.contains(&format!("recover {id}")), "{round}");
        assert!(!is_running(process), "{round}");
        disk.make_room();
        check_recovers(&world, &id, &round);
    }
    assert!(n_struck > 3, "the disk was full {n_struck} times only");
}

#[test]
fn a_recovery_on_a_disk_that_is_still_full_says_so() {
    let mut world = chain();
    let Some(disk) = SmallDisk::below(&mut world) else {
        return;
    };
    let owner = world.start(&[]);
    world.await_running("a");
    let id = world.job().expect("a job");
    disk.fill(0);
    world.open_gate("a");
    finish(owner).expect(5);
    let again = finish(world.spawn(&["recover", &id])).expect(5);
    assert!(
        again.stderr.contains("full") || again.stderr.contains("No space left"),
        "{}",
        again.stderr
    );
    disk.make_room();
    check_recovers(&world, &id, "after a recovery without room");
}

#[test]
fn a_state_folder_that_turns_read_only_loses_nothing() {
    let mut world = chain();
    let Some(disk) = SmallDisk::below(&mut world) else {
        return;
    };
    let owner = world.start(&[]);
    world.await_running("a");
    let id = world.job().expect("a job");
    disk.turn_read_only();
    world.open_gate("a");
    let ended = finish(owner).expect(5);
    assert!(ended.stderr.contains("ead-only"), "{}", ended.stderr);
    assert!(
        ended.stderr.contains(&format!("recover {id}")),
        "{}",
        ended.stderr
    );
    let again = finish(world.spawn(&["recover", &id])).expect(5);
    assert!(
        again.stderr.contains("ead-only") || again.stderr.contains("readonly"),
        "{}",
        again.stderr
    );
    for command in [
        ["kill", &id],
        ["suspend", &id],
        ["submit", "-Dout=/nowhere"],
    ] {
        let refused = finish(world.spawn(&command)).expect(5);
        assert!(
            refused.stderr.contains("ead-only") || refused.stderr.contains("readonly"),
            "{command:?}: {}",
            refused.stderr
        );
    }
    disk.turn_writable();
    check_recovers(&world, &id, "writable again");
}

#[test]
fn a_job_that_finds_no_room_to_begin_leaves_none() {
    let mut world = chain();
    let Some(disk) = SmallDisk::below(&mut world) else {
        return;
    };
    disk.fill(0);
    let ended = world.run(&[]).expect(5);
    assert!(
        ended.stderr.contains("No space left") || ended.stderr.contains("full"),
        "{}",
        ended.stderr
    );
    disk.make_room();
    assert_eq!(world.job(), None);
    assert_eq!(world.effects(), [""; 0]);
    world.open_gate("a");
    world.run(&[]).expect(0);
}

/// This needs no small disk.
#[test]
fn a_store_that_is_deleted_is_missed_before_anything_is_said_to_be_done() {
    let files = ["jobs.db", "jobs.db-wal", "jobs.db-shm"];
    for deleted in [&files[..], &files[..1]] {
        let world = chain();
        let owner = world.start(&[]);
        world.await_running("a");
        for name in deleted {
            fs::remove_file(world.home().join(name)).expect("a file");
        }
        world.open_gate("a");
        let ended = finish(owner).expect(5);
        let is_clear = ended.stderr.contains("deleted or replaced")
            && ended.stderr.contains("restore a backup")
            && !ended.stderr.contains("SUCCEEDED");
        assert!(is_clear, "{}", ended.stderr);
        assert_eq!(
            world.effects(),
            ["a"],
            "nothing was begun that cannot be recorded"
        );
    }
}

/// The owner no longer sees what others write, nor do they see its writes.
#[test]
fn an_index_that_is_deleted_is_missed_before_the_log_is_written_by_two() {
    let world = chain();
    let owner = world.start(&[]);
    world.await_running("a");
    let id = world.job().expect("a job");
    fs::remove_file(world.home().join("jobs.db-shm")).expect("a file");
    let second = world.submit(&[]);
    world.open_gate("a");
    let ended = finish(owner).expect(5);
    let is_clear = ended.stderr.contains("its -shm file was deleted")
        && ended.stderr.contains(&format!("recover {id}"));
    assert!(is_clear, "{}", ended.stderr);
    assert_eq!(
        world.effects(),
        ["a"],
        "nothing was begun that cannot be recorded"
    );
    assert_eq!(text(&world.info(&second)["status"]), "PREP");
    world.call(&["recover", &id]).expect(0);
    assert_eq!(world.effects(), ["a", "b", "c", "d"]);
}
