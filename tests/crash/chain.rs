//! Actions of a chain: the launcher starts them itself, and the owner records afterwards what was started.

use std::{
    collections::BTreeMap,
    fs,
    process::{Child, Command},
    thread,
    time::Duration,
};

use serde_json::Value;

use crate::{
    harness::{
        STEP, World, bare, find_node, finish, is_running, kill_dash_nine, node, pid_of, signal,
        text, wait_for, wait_within, workflow,
    },
    moments::{LATER, Random, await_events, check_kills_of_owners, number},
    orphans::await_end_of_all,
};

/// Number of random moments unless `HPDLC_CRASH_MOMENTS` is set.
const N_MOMENTS: u64 = 6;

const N_STEPS: usize = 40;

/// Long enough for a launcher to start what it must not start.
const SOON: Duration = Duration::from_millis(150);

fn names() -> Vec<String> {
    (0..N_STEPS).map(|n| format!("s{n:02}")).collect()
}

/// Steps that write their name and have no files.
fn chain() -> World {
    let names = names();
    let nexts = names.iter().skip(1).map(String::as_str).chain(["end"]);
    let mut nodes = String::new();
    for (name, next) in names.iter().zip(nexts) {
        nodes.push_str(&bare("step.sh", name, "0", next));
    }
    World::of(&[("workflow.xml", &workflow(&nodes)), ("step.sh", STEP)])
}

/// A step that stops the owner of its job, whose process id is in a file.
const STOP: &str = r#"#!/bin/sh
echo "$1" >> "$2/effects"
kill -STOP "$(cat "$2/owner")"
"#;

/// A chain in which the launcher has started `gate` and its owner was killed before it was notified of the end of `stop`; with the
/// id of the job and the process of `gate`.
fn begun_unheard() -> (World, String, i32) {
    let mut nodes = String::new();
    for (name, script, how, next) in [
        ("wait", "step.sh", "gated", "quick"),
        ("quick", "step.sh", "0", "stop"),
        ("stop", "stop.sh", "", "after"),
        ("after", "step.sh", "0", "gate"),
        ("gate", "step.sh", "gated", "last"),
        ("last", "step.sh", "0", "end"),
    ] {
        nodes.push_str(&bare(script, name, how, next));
    }
    let workflow = workflow(&nodes);
    let mut world = World::of(&[
        ("workflow.xml", &workflow),
        ("step.sh", STEP),
        ("stop.sh", STOP),
    ]);
    // On a busy machine `quick` may take so long that the launcher is not told what follows `stop`.
    for _ in 0..10 {
        let owner = world.start(&[]);
        world.await_running("wait");
        let pid = pid_of(&owner).to_string();
        fs::write(world.out().join("owner"), pid).expect("the folder is there");
        world.open_gate("wait");
        let gate = wait_within(Duration::from_secs(5), || world.running("gate"));
        kill_dash_nine(owner);
        let Some(gate) = gate else {
            world.afresh();
            continue;
        };
        let id = world.job().expect("a job");
        let info = world.info(&id);
        // If `wait` was quick too, the owner may not even have been notified of the end of `quick`.
        for name in ["after", "gate"] {
            assert!(find_node(&info, name).is_none(), "{name}: {info:#}");
        }
        return (world, id, gate);
    }
    panic!("`quick` was never quick");
}

#[test]
fn what_the_launcher_began_unheard_is_found_again_by_the_next_owner() {
    let (world, id, _) = begun_unheard();
    let recovery = world.spawn(&["recover", &id]);
    wait_for("the process to be found", || {
        (find_node(&world.info(&id), "gate")?["status"] == "RUNNING").then_some(())
    });
    assert!(world.log(&id).contains("ATTACHED"), "{}", world.log(&id));
    world.open_gate("gate");
    finish(recovery).expect(0);
    let all = ["after", "gate", "last", "quick", "stop", "wait"];
    assert_eq!(world.effects(), all);
}

#[test]
fn what_the_launcher_began_unheard_is_ended_by_a_kill() {
    let (world, id, gate) = begun_unheard();
    world.call(&["kill", &id]).expect(0);
    world.await_status(&id, "KILLED");
    wait_for("the process to be gone", || {
        (!is_running(gate)).then_some(())
    });
    let info = world.info(&id);
    for (name, status) in [("stop", "OK"), ("after", "OK"), ("gate", "KILLED")] {
        assert_eq!(node(&info, name)["status"], status, "{info:#}");
    }
    assert_eq!(world.effects(), ["after", "gate", "quick", "stop", "wait"]);
}

#[test]
fn what_the_launcher_began_unheard_runs_on_in_a_job_that_is_suspended() {
    let (world, id, gate) = begun_unheard();
    world.call(&["suspend", &id]).expect(0);
    world.await_status(&id, "SUSPENDED");
    assert!(is_running(gate));
    world.open_gate("gate");
    world.call(&["resume", &id, "--wait"]).expect(0);
    let all = ["after", "gate", "last", "quick", "stop", "wait"];
    assert_eq!(world.effects(), all);
}

/// Calls `round` for random moments of the job, each with a fresh store: after the owner has reported some number of events,
/// and slightly later.
fn at_moments(mut round: impl FnMut(&World, Child, &mut Random, &str)) {
    let mut world = chain();
    let told = world.run(&["--json"]).expect(0).json_lines();
    let n_moments = number("HPDLC_CRASH_MOMENTS").unwrap_or(N_MOMENTS);
    let seed = number("HPDLC_CRASH_SEED").unwrap_or(7);
    let mut random = Random(seed);
    for n in 0..n_moments {
        world.afresh();
        let mut owner = world.start(&["--json"]);
        let event = 1 + random.below(told.len() - 2);
        let later = random.part_of(LATER);
        await_events(&mut owner, event, later);
        let name = format!("moment {n} of seed {seed}: {later:?} after event {event}");
        round(&world, owner, &mut random, &name);
    }
}

fn count(effects: &[String]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for effect in effects {
        *counts.entry(effect.as_str()).or_default() += 1;
    }
    counts
}

/// Every step that is OK was run once, and no step was run that `info` does not show; a killed one may
/// have run or not.
#[track_caller]
fn check_known(world: &World, info: &Value, round: &str) {
    let effects = world.effects();
    let counts = count(&effects);
    for name in names() {
        let status = find_node(info, &name).map_or_else(String::new, |node| text(&node["status"]));
        let n = counts.get(name.as_str()).copied().unwrap_or_default();
        let is_sound = match status.as_str() {
            "OK" => n == 1,
            "KILLED" => n <= 1,
            _ => n == 0,
        };
        assert!(
            is_sound,
            "{round}: {name} is `{status}` and was run {n} times"
        );
    }
}

#[test]
fn every_effect_happens_once_wherever_the_owner_of_a_chain_is_killed() {
    let n_moments = number("HPDLC_CRASH_MOMENTS").unwrap_or(N_MOMENTS);
    check_kills_of_owners(&mut chain(), &[], &names(), 2 * n_moments);
}

#[test]
fn after_ctrl_c_nothing_of_a_chain_has_run_that_is_not_told() {
    at_moments(|world, owner, _, round| {
        // It may have exited already.
        let pid = pid_of(&owner);
        let _ = Command::new("sh")
            .args(["-c", &format!("kill -INT {pid}")])
            .status();
        let ended = finish(owner);
        assert!(
            matches!(ended.code, Some(0 | 1)),
            "{round}: {}",
            ended.stderr
        );
        let info = world.info(&world.job().expect("a job"));
        thread::sleep(SOON);
        check_known(world, &info, round);
    });
}

#[test]
fn a_suspended_chain_begins_nothing_and_goes_on_when_it_is_resumed() {
    at_moments(|world, owner, _, round| {
        let id = world.job().expect("a job");
        let suspended = world.call(&["suspend", &id]);
        let ended = finish(owner);
        if suspended.code == Some(0) {
            assert_eq!(ended.code, Some(4), "{round}: {}", ended.stderr);
            thread::sleep(SOON);
            let before = world.effects();
            thread::sleep(SOON);
            assert_eq!(world.effects(), before, "{round}");
            world.call(&["resume", &id, "--wait"]).expect(0);
        }
        assert_eq!(world.effects(), names(), "{round}");
        let info = world.info(&id);
        assert_eq!(info["status"], "SUCCEEDED", "{round}: {info:#}");
    });
}

#[test]
fn a_step_of_a_chain_runs_twice_only_where_its_launcher_died_under_it() {
    at_moments(|world, owner, _, round| {
        let id = world.job().expect("a job");
        signal("KILL", world.launcher_of(&id, "s00"));
        let ended = finish(owner);
        let mut lost = Vec::new();
        // The user has checked, and resumes it.
        while world.info(&id)["status"] == "SUSPENDED" {
            let info = world.info(&id);
            let waiting = names().into_iter().find(|name| {
                find_node(&info, name).is_some_and(|node| node["error_code"] == "HPDL_LOST")
            });
            let name = waiting.unwrap_or_else(|| panic!("{round}: nothing is lost: {info:#}"));
            await_end_of_all(world);
            let _ = fs::remove_dir(world.out().join(format!("done-{name}")));
            lost.push(name);
            world.call(&["resume", &id, "--wait"]);
        }
        let info = world.info(&id);
        assert_eq!(
            info["status"], "SUCCEEDED",
            "{round}: {} {info:#}",
            ended.stderr
        );
        for (name, n) in count(&world.effects()) {
            let may_be = 1 + lost.iter().filter(|lost| *lost == name).count();
            assert!(
                n <= may_be,
                "{round}: {name} was run {n} times; lost {lost:?}"
            );
        }
        assert_eq!(count(&world.effects()).len(), N_STEPS, "{round}");
        // Only one runs at a time.
        assert!(lost.len() <= 1, "{round}: {lost:?}");
    });
}
