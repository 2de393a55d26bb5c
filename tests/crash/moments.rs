//! `kill -9` of the owner after many of the events of a job of twenty actions, then `recover` until it is finished.

use std::{
    env,
    io::{BufRead, BufReader},
    process::Child,
    thread,
    time::Duration,
};

use serde_json::Value;

use crate::harness::{
    STEP, World, action, bare, finish, kill_dash_nine, node, step, text, workflow,
};

/// Number of random moments unless `HPDLC_CRASH_MOMENTS` is set.
const N_MOMENTS: u64 = 12;

/// After this many killed recoveries, one is left alive.
const MAX_KILLED_RECOVERIES: u32 = 3;

/// The maximum delay between an event and the kill: a few commits and process starts.
pub const LATER: Duration = Duration::from_millis(6);

/// The time that a program takes up to its first event, or slightly more.
pub const START: Duration = Duration::from_millis(40);

/// A small deterministic generator of pseudo-random numbers (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`, uniformly distributed.
    pub fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit).expect("small").max(1);
        usize::try_from(self.next() % limit).expect("small")
    }

    /// A part of `time`, uniformly distributed.
    pub fn part_of(&mut self, time: Duration) -> Duration {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX).max(1);
        Duration::from_nanos(self.next() % nanos)
    }
}

/// Twenty actions: chains, a fork in a fork, a sub-workflow, and files that can only be moved once.
fn world() -> World {
    let fs = |name: &str, body: &str, next: &str| action(name, &format!("<fs>{body}</fs>"), next);
    let sub = r#"<sub-workflow><app-path>${wf:appPath()}/child</app-path><propagate-configuration/></sub-workflow>"#;
    let nodes = [
        fs(
            "a1",
            "<mkdir path='file://${out}/a1'/><touchz path='file://${out}/a1/ball'/>",
            "a2",
        ),
        step("a2", "0.02", "a3"),
        bare("step.sh", "a3", "0", "f1"),
        "<fork name='f1'><path start='b1'/><path start='c1'/><path start='f2'/></fork>\n"
            .to_owned(),
        step("b1", "0.03", "b2"),
        fs(
            "b2",
            "<move source='file://${out}/a1/ball' target='file://${out}/thrown'/>",
            "b3",
        ),
        bare("step.sh", "b3", "0", "j1"),
        action("c1", sub, "c2"),
        step("c2", "0.01", "j1"),
        "<fork name='f2'><path start='d1'/><path start='e1'/></fork>\n".to_owned(),
        step("d1", "0.05", "d2"),
        bare("step.sh", "d2", "0", "j2"),
        bare("step.sh", "e1", "0", "e2"),
        bare("step.sh", "e2", "0.02", "j2"),
        "<join name='j2' to='j1'/>\n<join name='j1' to='g1'/>\n".to_owned(),
        fs(
            "g1",
            "<move source='file://${out}/thrown' target='file://${out}/caught'/>",
            "g2",
        ),
        step("g2", "0.01", "g3"),
        bare("step.sh", "g3", "0", "g4"),
        bare("step.sh", "g4", "0.02", "end"),
    ]
    .concat();
    let child = [
        step("s1", "0.02", "s2"),
        bare("step.sh", "s2", "0", "s3"),
        fs("s3", "<mkdir path='file://${out}/s3'/><move source='file://${out}/s3' target='file://${out}/s4'/>", "s5"),
        step("s5", "0.01", "end"),
    ]
    .concat();
    World::of(&[
        ("workflow.xml", &workflow(&nodes)),
        ("step.sh", STEP),
        ("child/workflow.xml", &workflow(&child)),
        ("child/step.sh", STEP),
    ])
}

/// The actions that write their names.
const SHELL_ACTIONS: [&str; 14] = [
    "a2", "a3", "b1", "b3", "c2", "d1", "d2", "e1", "e2", "g2", "g3", "g4", "s1", "s2",
];

fn expected() -> Vec<String> {
    let mut names: Vec<String> = SHELL_ACTIONS.iter().map(|&name| name.to_owned()).collect();
    names.push("s5".to_owned());
    names
}

/// Everything was done exactly once, and `info` shows that for every node of both jobs.
#[track_caller]
fn check_done(world: &World, round: &str) {
    assert_eq!(world.effects(), expected(), "{round}");
    assert!(
        world.out().join("caught").exists(),
        "{round}: the file was moved twice"
    );
    assert!(
        world.out().join("s4").exists(),
        "{round}: the folder was moved"
    );
    let jobs = world.jobs();
    assert_eq!(jobs.len(), 2, "{round}: a job and its child: {jobs:?}");
    for job in jobs {
        let id = text(&job["id"]);
        let info = world.info(&id);
        assert_eq!(info["status"], "SUCCEEDED", "{round}: {info:#}");
        for node in info["actions"].as_array().expect("actions") {
            let is_good = node["status"] == "OK"
                && node["retries"] == 0
                && node["error_code"].is_null()
                && !node["ended"].is_null();
            assert!(is_good, "{round}: {node:#}\n{}", world.log(&id));
        }
        let names: Vec<&Value> = info["actions"]
            .as_array()
            .expect("actions")
            .iter()
            .map(|node| &node["name"])
            .collect();
        let n_nodes = if info["parent"].is_null() { 22 } else { 6 };
        assert_eq!(names.len(), n_nodes, "{round}: {names:?}");
    }
}

/// Kills a process after it has reported this many events, and slightly later: between two commits, or while it starts
/// a process.
pub fn kill_after(mut process: Child, n_events: usize, later: Duration) {
    await_events(&mut process, n_events, later);
    kill_dash_nine(process);
}

/// Waits until a process has reported this many events, and slightly longer.
pub fn await_events(process: &mut Child, n_events: usize, later: Duration) {
    let events = process.stdout.take().expect("it is piped");
    // A process that has exited reports nothing more.
    for event in BufReader::new(events).lines().take(n_events) {
        event.expect("events are text");
    }
    thread::sleep(later);
}

/// Kills the owner of the job that `world` runs, and possibly the next one, at `n_moments` random moments; each time `recover`
/// finishes the job, with the effects of `names`, its actions, once each.
pub fn check_kills_of_owners(
    world: &mut World,
    arguments: &[&str],
    names: &[String],
    n_moments: u64,
) {
    let arguments = [&["--json"], arguments].concat();
    let n_events = world.run(&arguments).expect(0).json_lines().len() - 1;
    let seed = number("HPDLC_CRASH_SEED").unwrap_or(20);
    let mut random = Random(seed);
    for n in 0..n_moments {
        world.afresh();
        let event = random.below(n_events);
        let later = random.part_of(if event == 0 { START } else { LATER });
        let mut round = format!("moment {n} of seed {seed}: {later:?} after event {event}");
        kill_after(world.start(&arguments), event, later);
        if world.job().is_none() {
            assert_eq!(world.effects(), [""; 0], "{round}: there is no job");
            continue;
        }
        if random.next().is_multiple_of(2) {
            let event = random.below(n_events / 2);
            let later = random.part_of(if event == 0 { START } else { LATER });
            round.push_str(&format!(", then {later:?} after event {event}"));
            kill_after(world.spawn(&["recover", "--json"]), event, later);
        }
        let recovered = finish(world.spawn(&["recover"]));
        assert_eq!(recovered.code, Some(0), "{round}: {}", recovered.stderr);
        assert_eq!(world.effects(), names, "{round}");
        let info = world.info(&world.job().expect("a job"));
        assert_eq!(info["status"], "SUCCEEDED", "{round}: {info:#}");
        for name in names {
            let node = node(&info, name);
            let is_good = node["status"] == "OK" && node["external_status"] == "SUCCEEDED";
            assert!(is_good, "{round}: {node:#}");
        }
    }
}

/// A number from an environment variable.
pub fn number(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}

#[test]
fn every_effect_happens_once_wherever_the_owner_is_killed() {
    let n_moments = number("HPDLC_CRASH_MOMENTS").unwrap_or(N_MOMENTS);
    let seed = number("HPDLC_CRASH_SEED").unwrap_or(20);
    let mut world = world();
    // The last line is the job itself.
    let n_events = world.run(&["--json"]).expect(0).json_lines().len() - 1;
    check_done(&world, "undisturbed");
    let mut random = Random(seed);
    let (mut n_before_the_job, mut n_after_its_end) = (0, 0);
    for n in 0..n_moments {
        world.afresh();
        // Event 0 stands for the time before the first event, in which the program starts.
        let event = random.below(n_events);
        let later = random.part_of(if event == 0 { START } else { LATER });
        let mut round = format!("moment {n} of seed {seed}: {later:?} after event {event}");
        kill_after(world.start(&["--json"]), event, later);
        if world.job().is_none() {
            assert_eq!(world.effects(), [""; 0], "{round}: there is no job");
            n_before_the_job += 1;
            continue;
        }
        for _ in 0..MAX_KILLED_RECOVERIES {
            if random.next().is_multiple_of(2) {
                break;
            }
            let event = random.below(n_events / 2);
            let later = random.part_of(if event == 0 { START } else { LATER });
            round.push_str(&format!(", then {later:?} after event {event}"));
            kill_after(world.spawn(&["recover", "--json"]), event, later);
        }
        let recovered = finish(world.spawn(&["recover"]));
        assert_eq!(recovered.code, Some(0), "{round}: {}", recovered.stderr);
        n_after_its_end += u64::from(recovered.stderr.contains("no job needs recovery"));
        check_done(&world, &round);
    }
    println!(
        "{n_moments} moments, {n_before_the_job} before the job was made, {n_after_its_end} after its end"
    );
    let n_within = n_moments - n_before_the_job - n_after_its_end;
    assert!(n_within >= n_moments / 3, "only {n_within} hit the job");
}
