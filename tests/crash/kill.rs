//! Ending a job: none of its processes run afterwards, however it is ended.

use std::{
    fs,
    time::{Duration, Instant},
};

use crate::harness::{
    World, action, finish, is_running, kill_dash_nine, node, pid_of, signal, step, wait_for,
};

/// Long enough for a loaded machine, and much shorter than the grace period of ten seconds or the owner's polling of the store.
const AT_ONCE: Duration = Duration::from_secs(8);

/// Starts children: one that exits on SIGTERM, one below another shell, one that ignores SIGTERM; with `$1` = `deaf` the
/// process itself ignores it too.
const FAMILY: &str = r#"#!/bin/sh
out=$2
sleep 1000 & echo $! >> "$out/.family"
sh -c 'sleep 1000 & echo $! >> "$0/.family"; wait' "$out" & echo $! >> "$out/.family"
sh -c 'trap "" TERM; sleep 1000 & echo $! >> "$0/.family"; wait' "$out" & echo $! >> "$out/.family"
[ "$1" = deaf ] && trap '' TERM
echo $$ >> "$out/.family"
while [ "$(wc -l < "$out/.family")" -lt 6 ]; do sleep 0.02; done
mv "$out/.family" "$out/family"
while :; do sleep 0.1; done
"#;

pub fn family(manner: &str) -> World {
    let body = format!(
        r#"<shell xmlns="uri:oozie:shell-action:1.0"><exec>family.sh</exec><argument>{manner}</argument><argument>${{out}}</argument><file>family.sh</file></shell>"#
    );
    let workflow = crate::harness::workflow(&action("a", &body, "end"));
    World::of(&[("workflow.xml", &workflow), ("family.sh", FAMILY)])
}

pub fn await_family(world: &World) -> Vec<i32> {
    let text = wait_for("the family to live", || {
        fs::read_to_string(world.out().join("family")).ok()
    });
    text.lines()
        .map(|line| line.trim().parse().expect("a number"))
        .collect()
}

#[track_caller]
pub fn check_gone(family: &[i32]) {
    let left: Vec<&i32> = family.iter().filter(|&&pid| is_running(pid)).collect();
    assert!(left.is_empty(), "still run: {left:?} of {family:?}");
}

#[test]
fn control_c_ends_a_process_with_its_children_and_theirs() {
    let world = family("polite");
    let owner = world.start(&["-Dhpdl.kill.grace=1"]);
    let family = await_family(&world);
    signal("INT", pid_of(&owner));
    let ended = finish(owner).expect(1);
    check_gone(&family);
    let id = world.job().expect("a job");
    assert!(
        ended.stderr.contains(&format!("job {id} KILLED")),
        "{}",
        ended.stderr
    );
    let info = world.info(&id);
    assert_eq!(info["status"], "KILLED");
    assert_eq!(node(&info, "a")["status"], "KILLED");
}

#[test]
fn a_second_control_c_waits_for_nobody() {
    // With `polite`, the first signal has ended the process itself, and its children are waited for.
    for manner in ["deaf", "polite"] {
        let world = family(manner);
        let owner = world.start(&["-Dhpdl.kill.grace=600"]);
        let family = await_family(&world);
        let id = world.job().expect("a job");
        signal("INT", pid_of(&owner));
        wait_for("the first to be heard", || {
            (world.info(&id)["status"] == "KILLED").then_some(())
        });
        assert!(is_running(pid_of(&owner)), "{manner}: it waits");
        signal("INT", pid_of(&owner));
        finish(owner).expect(1);
        check_gone(&family);
    }
}

#[test]
fn a_process_that_is_deaf_is_ended_after_the_grace() {
    let world = family("deaf");
    let owner = world.start(&["-Dhpdl.kill.grace=1"]);
    let family = await_family(&world);
    signal("INT", pid_of(&owner));
    finish(owner).expect(1);
    check_gone(&family);
}

#[test]
fn a_kill_from_another_terminal_works_at_once() {
    let world = World::of_nodes(&step("a", "gated", "end"));
    let owner = world.start(&[]);
    let process = world.await_running("a");
    let id = world.job().expect("a job");
    let begun = Instant::now();
    world.call(&["kill", &id]).expect(0);
    assert!(begun.elapsed() < AT_ONCE, "{:?}", begun.elapsed());
    assert_eq!(world.info(&id)["status"], "KILLED");
    let ended = finish(owner).expect(1);
    assert!(ended.stderr.contains("KILLED"), "{}", ended.stderr);
    assert!(!is_running(process));
    let again = world.call(&["kill", &id]).expect(2);
    assert!(
        again.stderr.contains("is KILLED already"),
        "{}",
        again.stderr
    );
}

#[test]
fn a_kill_without_an_owner_ends_what_runs() {
    let world = family("polite");
    let owner = world.start(&["-Dhpdl.kill.grace=1"]);
    let family = await_family(&world);
    let id = world.job().expect("a job");
    kill_dash_nine(owner);
    world.call(&["kill", &id]).expect(0);
    check_gone(&family);
    assert_eq!(world.info(&id)["status"], "KILLED");
    // Nothing is left to do: it reports how the job ended, and what to type next.
    let said = world.call(&["recover", &id]).expect(1).stderr;
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 3, "{said}");
    assert!(lines[0].starts_with(&format!("job {id} KILLED")), "{said}");
}

#[test]
fn a_kill_interrupted_is_finished_by_the_recovery() {
    let world = family("deaf");
    let owner = world.start(&["-Dhpdl.kill.grace=2"]);
    let family = await_family(&world);
    let id = world.job().expect("a job");
    signal("INT", pid_of(&owner));
    wait_for("the kill to be recorded", || {
        (world.info(&id)["status"] == "KILLED").then_some(())
    });
    kill_dash_nine(owner);
    assert!(
        family.iter().any(|&pid| is_running(pid)),
        "the grace is not over"
    );
    world.call(&["recover"]).expect(1);
    check_gone(&family);
}

#[test]
fn a_killed_job_kills_its_sub_workflow() {
    let sub = r#"<sub-workflow><app-path>${wf:appPath()}/child</app-path><propagate-configuration/></sub-workflow>"#;
    let world = World::of(&[
        (
            "workflow.xml",
            &crate::harness::workflow(&action("s", sub, "end")),
        ),
        (
            "child/workflow.xml",
            &crate::harness::workflow(&step("a", "gated", "end")),
        ),
        ("child/step.sh", crate::harness::STEP),
    ]);
    let owner = world.start(&[]);
    let process = world.await_running("a");
    let id = world.job().expect("a job");
    world.call(&["kill", &id]).expect(0);
    finish(owner).expect(1);
    assert!(!is_running(process));
    for job in world.jobs() {
        assert_eq!(job["status"], "KILLED", "{job:#}");
    }
}

#[test]
fn an_unknown_job_is_refused() {
    let world = World::of_nodes(&step("a", "0", "end"));
    for command in ["kill", "recover", "resume", "info", "log"] {
        let ended = world
            .call(&[command, "0000042-260101000000000-hpdl-W"])
            .expect(2);
        assert!(
            ended.stderr.contains("there is no job 0000042"),
            "{command}: {}",
            ended.stderr
        );
        assert!(
            ended.stderr.contains("help: "),
            "{command}: {}",
            ended.stderr
        );
    }
}
