//! The wall clock is set while jobs run: nothing waits for an extra hour, and nothing is lost.

use std::{
    fs,
    process::{Child, Command, Stdio},
};

use crate::harness::{World, finish, kill_dash_nine, node, signal, step, text, wait_for};

const HOUR: i32 = 3600;

/// A world whose clock has an offset, which is read from a file.
struct WrongClock {
    world: World,
}

impl WrongClock {
    fn of(nodes: &str) -> WrongClock {
        let world = WrongClock {
            world: World::of_nodes(nodes),
        };
        world.set(0);
        world
    }

    fn set(&self, seconds: i32) {
        fs::write(self.world.path("offset"), seconds.to_string()).expect("a file");
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.world.command(arguments);
        command.env("HPDL_TEST_CLOCK_OFFSET", self.world.path("offset"));
        command
    }

    fn spawn(&self, arguments: &[&str]) -> Child {
        self.command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program can be started")
    }
}

#[test]
fn a_clock_that_is_set_while_a_job_runs_changes_nothing() {
    let nodes = [
        step("a", "gated", "b"),
        step("b", "gated", "c"),
        step("c", "0", "end"),
    ];
    for seconds in [-HOUR, HOUR] {
        let clock = WrongClock::of(&nodes.concat());
        let world = &clock.world;
        let owner = clock.spawn(&["run", &world.out_property()]);
        world.await_running("a");
        let id = world.job().expect("a job");
        clock.set(seconds);
        world.open_gate("a");
        world.await_running("b");
        kill_dash_nine(owner);
        let recovery = clock.spawn(&["recover", &id]);
        clock.set(-seconds);
        world.open_gate("b");
        let ended = finish(recovery).expect(0);
        assert!(ended.stderr.contains("SUCCEEDED"), "{}", ended.stderr);
        assert_eq!(world.effects(), ["a", "b", "c"]);
        let info = world.info(&id);
        assert!(
            text(&node(&info, "b")["started"]) != text(&info["started"]),
            "{info:#}"
        );
    }
}

#[test]
fn a_retry_waits_no_longer_than_was_meant_when_the_clock_is_set_back() {
    let clock = WrongClock::of(&step("a", "gated", "end"));
    let world = &clock.world;
    let out = world.out_property();
    let owner = clock.spawn(&[
        "run",
        &out,
        "-Dhpdl.action.lost=retry",
        "-Doozie.wf.action.retry.interval=2",
    ]);
    let process = world.await_running("a");
    let id = world.job().expect("a job");
    signal("KILL", world.launcher_of(&id, "a"));
    signal("KILL", process);
    wait_for("the retry to be set", || {
        (node(&world.info(&id), "a")["status"] == "START_RETRY").then_some(())
    });
    kill_dash_nine(owner);
    clock.set(-HOUR);
    world.open_gate("a");
    let recovered = finish(clock.spawn(&["recover", &id])).expect(0);
    assert!(
        recovered.stderr.contains("SUCCEEDED"),
        "{}",
        recovered.stderr
    );
    assert_eq!(node(&world.info(&id), "a")["retries"], 1);
}

/// Makes the C library report a wall clock one day before 1970, as on a machine without a battery.
const BEFORE_1970: &str = "
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec *time) {
    int failed = (int) syscall(SYS_clock_gettime, clock, time);
    if (clock == CLOCK_REALTIME) time->tv_sec = time->tv_sec % 86400 - 172800;
    return failed;
}
";

#[test]
fn a_clock_before_1970_is_a_time_as_any_other() {
    let mut world = World::of_nodes(&step("a", "0", "end"));
    let source = world.path("clock.c");
    fs::write(&source, BEFORE_1970).expect("a file");
    let library = world.path("clock.so");
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .args([&library, &source])
        .status()
        .expect("a C compiler");
    assert!(compiled.success());
    world.set("LD_PRELOAD", &library.display().to_string());
    let ended = world.run(&[]).expect(0);
    assert!(ended.stderr.contains("SUCCEEDED"), "{}", ended.stderr);
    let id = world.job().expect("a job");
    let created = text(&world.info(&id)["created"]);
    assert!(created.starts_with("1969-12-30T"), "{created}");
    for command in [
        &["jobs"][..],
        &["info", &id],
        &["log", &id],
        &["log", &id, "a"],
        &["recover"],
        &["doctor"],
        &["purge", "--older-than", "1d", "--dry-run"],
        &["purge", "--older-than", "0s"],
    ] {
        world.call(command).expect(0);
    }
    assert_eq!(world.jobs().len(), 0);
}
