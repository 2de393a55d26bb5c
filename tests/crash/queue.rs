//! Actions whose intent is on disk and that wait at the launcher, because the maximum number of processes is running.

use std::{fs, thread, time::Duration};

use serde_json::Value;

use crate::{
    harness::{STEP, World, bare, finish, kill_dash_nine, node, pid_of, signal, text, wait_for},
    moments::{LATER, Random, await_events, check_kills_of_owners, number},
    orphans::await_end_of_all,
};

const TWO_AT_ONCE: &str = "-Dhpdl.local.processes.max=2";

/// Number of random moments unless `HPDLC_CRASH_MOMENTS` is set.
const N_MOMENTS: u64 = 8;

/// Long enough for a launcher to start what it must not start.
const SOON: Duration = Duration::from_millis(300);

/// A fork of steps without files of their own: names with their behavior.
fn fork(steps: &[(&str, &str)]) -> World {
    let mut nodes = String::from("<fork name=\"all\">");
    for (name, _) in steps {
        nodes.push_str(&format!("<path start=\"{name}\"/>"));
    }
    nodes.push_str("</fork>\n");
    for (name, how) in steps {
        nodes.push_str(&bare("step.sh", name, how, "met"));
    }
    nodes.push_str("<join name=\"met\" to=\"end\"/>\n");
    let workflow = crate::harness::workflow(&nodes);
    World::of(&[("workflow.xml", &workflow), ("step.sh", STEP)])
}

/// Short ones, so that later ones are recorded ahead; two that wait at their gates; and those that must wait for them.
const STEPS: [(&str, &str); 14] = [
    ("a1", "0"),
    ("a2", "0"),
    ("a3", "0"),
    ("a4", "0"),
    ("a5", "0"),
    ("a6", "0"),
    ("gate1", "gated"),
    ("gate2", "gated"),
    ("z1", "0"),
    ("z2", "0"),
    ("z3", "0"),
    ("z4", "0"),
    ("z5", "0"),
    ("z6", "0"),
];

fn names(steps: &[(&str, &str)]) -> Vec<String> {
    let mut names: Vec<String> = steps.iter().map(|(name, _)| (*name).to_owned()).collect();
    names.sort();
    names
}

/// The statuses of the last six.
fn waiting(info: &Value) -> Vec<String> {
    STEPS[8..]
        .iter()
        .map(|(name, _)| text(&node(info, name)["status"]))
        .collect()
}

/// Runs until both gates are reached.
fn run_to_the_gates() -> (World, std::process::Child, String) {
    let world = fork(&STEPS);
    let owner = world.start(&[TWO_AT_ONCE]);
    world.await_running("gate1");
    world.await_running("gate2");
    let id = world.job().expect("a job");
    wait_for("both to be told of", || {
        let info = world.info(&id);
        let is_told = |name| node(&info, name)["status"] == "RUNNING";
        (is_told("gate1") && is_told("gate2")).then_some(())
    });
    (world, owner, id)
}

#[test]
fn what_waits_is_not_shown_as_running_and_the_next_owner_starts_it_in_its_turn() {
    let (world, owner, id) = run_to_the_gates();
    assert_eq!(waiting(&world.info(&id)), ["PREP"; 6]);
    let log = world.log(&id);
    assert!(
        !log.lines()
            .any(|line| line.contains(" z") && line.contains("RUNNING")),
        "{log}"
    );
    kill_dash_nine(owner);
    let recovery = world.spawn(&["recover", &id]);
    wait_for("the processes to be found", || {
        let log = world.log(&id);
        (log.matches("ATTACHED").count() == 2).then_some(())
    });
    thread::sleep(SOON);
    let begun = world.effects();
    assert_eq!(begun, names(&STEPS[..8]), "two at once");
    assert_eq!(waiting(&world.info(&id)), ["PREP"; 6]);
    world.open_gate("gate1");
    world.open_gate("gate2");
    finish(recovery).expect(0);
    assert_eq!(world.effects(), names(&STEPS));
    let log = world.log(&id);
    for (name, _) in STEPS {
        let of_it = |word: &str| {
            log.lines()
                .filter(|line| line.split_whitespace().any(|part| part == name))
                .position(|line| line.contains(word))
        };
        assert!(
            of_it("RUNNING").is_some() && of_it("RUNNING") < of_it("OK"),
            "{name}: {log}"
        );
    }
}

#[test]
fn what_waits_when_the_job_is_killed_never_runs() {
    let (world, owner, id) = run_to_the_gates();
    signal("INT", pid_of(&owner));
    finish(owner).expect(1);
    thread::sleep(SOON);
    assert_eq!(world.effects(), names(&STEPS[..8]));
    let info = world.info(&id);
    assert_eq!(waiting(&info), ["KILLED"; 6]);
    for (name, _) in &STEPS[8..] {
        assert_ne!(node(&info, name)["external_status"], "QUEUED", "{name}");
    }
}

#[test]
fn what_waits_at_a_launcher_that_dies_is_not_lost_and_runs_once() {
    let (world, owner, id) = run_to_the_gates();
    signal("KILL", world.launcher_of(&id, "gate1"));
    finish(owner).expect(4);
    let info = world.info(&id);
    for (name, _) in &STEPS[8..] {
        assert_ne!(node(&info, name)["error_code"], "HPDL_LOST", "{info:#}");
    }
    for gate in ["gate1", "gate2"] {
        assert_eq!(node(&info, gate)["status"], "START_MANUAL", "{info:#}");
        world.open_gate(gate);
        wait_for("the process that nobody watches", || {
            fs::remove_dir(world.out().join(format!("done-{gate}"))).ok()
        });
    }
    // The user has checked, and resumes it.
    world.call(&["resume", &id, "--wait"]).expect(0);
    let mut expected = names(&STEPS);
    expected.extend(["gate1".to_owned(), "gate2".to_owned()]);
    expected.sort();
    assert_eq!(world.effects(), expected);
}

#[test]
fn every_effect_happens_once_wherever_the_owner_of_a_queue_is_killed() {
    let names: Vec<String> = (0..24).map(|n| format!("s{n:02}")).collect();
    let steps: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "0")).collect();
    let mut world = fork(&steps);
    check_kills_of_owners(
        &mut world,
        &[TWO_AT_ONCE],
        &names,
        number("HPDLC_CRASH_MOMENTS").unwrap_or(N_MOMENTS),
    );
}

/// A fork that is long enough for its attempts to reuse the folders of others.
fn long_fork() -> (World, Vec<String>) {
    let names: Vec<String> = (0..150).map(|n| format!("s{n:03}")).collect();
    let steps: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "0")).collect();
    (fork(&steps), names)
}

#[test]
fn every_effect_happens_once_wherever_the_owner_is_killed_while_folders_are_used_again() {
    let (mut world, names) = long_fork();
    check_kills_of_owners(
        &mut world,
        &["-Dhpdl.local.processes.max=3"],
        &names,
        number("HPDLC_CRASH_MOMENTS").unwrap_or(N_MOMENTS),
    );
}

#[test]
fn a_step_runs_twice_only_where_its_launcher_died_under_it_while_folders_are_used_again() {
    let (mut world, names) = long_fork();
    let seed = number("HPDLC_CRASH_SEED").unwrap_or(3);
    let mut random = Random(seed);
    for n in 0..number("HPDLC_CRASH_MOMENTS").unwrap_or(N_MOMENTS) {
        world.afresh();
        let mut owner = world.start(&[TWO_AT_ONCE, "--json"]);
        let event = 170 + random.below(250);
        let later = random.part_of(LATER);
        await_events(&mut owner, event, later);
        let round = format!("moment {n} of seed {seed}: {later:?} after event {event}");
        let id = world.job().expect("a job");
        kill_launchers(&world);
        let mut ended = finish(owner);
        let mut lost = Vec::new();
        // The user has checked, and resumes it.
        while world.info(&id)["status"] == "SUSPENDED" {
            let info = world.info(&id);
            let waiting: Vec<&String> = names
                .iter()
                .filter(|name| node(&info, name)["error_code"] == "HPDL_LOST")
                .collect();
            assert!(!waiting.is_empty(), "{round}: nothing is lost: {info:#}");
            await_end_of_all(&world);
            for name in waiting {
                let _ = fs::remove_dir(world.out().join(format!("done-{name}")));
                lost.push(name.clone());
            }
            ended = world.call(&["resume", &id, "--wait"]);
        }
        let info = world.info(&id);
        assert_eq!(
            info["status"],
            "SUCCEEDED",
            "{round}: lost {lost:?}: {:?} {}\n{}",
            ended.code,
            ended.stderr,
            not_done(&info)
        );
        assert!(
            lost.len() <= 2,
            "{round}: two ran at once, lost are {lost:?}"
        );
        let effects = world.effects();
        for name in &names {
            let n = effects.iter().filter(|effect| *effect == name).count();
            let most = 1 + usize::from(lost.contains(name));
            assert!((1..=most).contains(&n), "{round}: {name} ran {n} times");
        }
    }
}

/// Messages of the job and of the nodes that did not succeed.
fn not_done(info: &Value) -> String {
    let mut rest = info.clone();
    if let Some(nodes) = rest["actions"].as_array_mut() {
        nodes.retain(|node| node["status"] != "OK");
    }
    format!("{rest:#}")
}

/// Kills every launcher that works for the jobs of `world`.
fn kill_launchers(world: &World) {
    let program = world.program();
    for entry in fs::read_dir("/proc").expect("Linux has it").flatten() {
        let is_launcher = fs::read(entry.path().join("cmdline"))
            .is_ok_and(|words| words.split(|&byte| byte == 0).nth(1) == Some(b"hpdl-launcher"));
        let is_ours = fs::read_link(entry.path().join("exe")).is_ok_and(|exe| {
            let copies = world.home().join("bin");
            exe == program || exe.starts_with(copies)
        });
        if is_launcher
            && is_ours
            && let Ok(pid) = entry.file_name().to_string_lossy().parse()
        {
            signal("KILL", pid);
        }
    }
}
