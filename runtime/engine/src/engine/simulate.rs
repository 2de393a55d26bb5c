//! Deterministic simulation and fault injection: the shipped engine on the shipped store, with a random generator in place of a machine.
//! Random workflows, ends of processes, crashes between any two effects of an owner, power cuts, failing disks, clocks that are set,
//! commands at any moment.
//!
//! `tests/simulate/run` runs more seeds, or one seed with its trace. Everything is determined by the seed, so a failure is reproducible.

use std::{
    collections::BTreeSet,
    panic::resume_unwind,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

#[path = "../../../core/tests/simulate/graph.rs"]
mod graph;
#[path = "../../../core/tests/simulate/random.rs"]
mod random;

mod bench;
mod checks;
mod disk;
mod launchers;
mod notifications;
mod server_faults;
mod service_levels;
mod simulated_environment;
mod transport;
mod workflow;
mod world;

use self::{
    random::given,
    world::{EngineWorld, Situation},
};

const DEFAULT_SEEDS: u64 = 1_000;

/// The result of one seed.
#[derive(Debug, PartialEq, Eq)]
struct Simulated {
    /// The invariant that was broken, if any.
    result: Result<(), String>,
    seen: BTreeSet<Situation>,
    story: String,
}

fn simulate(seed: u64, is_logged: bool) -> Simulated {
    run(EngineWorld::new(seed, is_logged), is_logged)
}

/// As [`simulate`], with the store on a server.
fn simulate_on_server(seed: u64, is_logged: bool) -> Simulated {
    run(EngineWorld::on_server(seed, is_logged), is_logged)
}

fn run(mut world: EngineWorld, is_logged: bool) -> Simulated {
    let result = world.run();
    let simulated = Simulated {
        result,
        seen: world.seen(),
        story: if is_logged {
            world.story()
        } else {
            String::new()
        },
    };
    if simulated.result.is_ok() {
        world.put_away();
    }
    simulated
}

/// Simulates `n` seeds from `first` on, on all processors, and returns the situations that occurred. `hint` reproduces a failure.
fn simulate_all(
    first: u64,
    n: u64,
    simulate: fn(u64, bool) -> Simulated,
    hint: &str,
) -> BTreeSet<Situation> {
    let n_threads = thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let failed = AtomicBool::new(false);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads)
            .map(|thread| {
                let failed = &failed;
                scope.spawn(move || {
                    let mut seen = BTreeSet::new();
                    let mine = (first..first + n).filter(|seed| seed % n_threads == thread);
                    for seed in mine.take_while(|_| !failed.load(Ordering::Relaxed)) {
                        let simulated = simulate(seed, false);
                        seen.extend(simulated.seen);
                        if let Err(problem) = simulated.result {
                            failed.store(true, Ordering::Relaxed);
                            panic!(
                                "seed {seed}: {problem}\nall that happened: tests/simulate/run {hint}--seed {seed}"
                            );
                        }
                    }
                    seen
                })
            })
            .collect();
        let seen = threads.into_iter().map(|thread| match thread.join() {
            Ok(seen) => seen,
            Err(panic) => resume_unwind(panic),
        });
        seen.flatten().collect()
    })
}

/// The seeds that the environment asks for, or else enough to come across all of `expected`.
fn simulate_asked(simulate: fn(u64, bool) -> Simulated, hint: &str, expected: &[Situation]) {
    if let Some(seed) = given("HPDL_SEED") {
        let simulated = simulate(seed, true);
        println!("{}", simulated.story);
        assert_eq!(simulated.result, Ok(()), "seed {seed}");
        return;
    }
    let first = given("HPDL_FIRST_SEED").unwrap_or_default();
    let n = given("HPDL_SEEDS");
    let seen = simulate_all(first, n.unwrap_or(DEFAULT_SEEDS), simulate, hint);
    if n.is_none() {
        let mut missing: BTreeSet<Situation> = expected.iter().copied().collect();
        missing.retain(|situation| !seen.contains(situation));
        assert_eq!(missing, BTreeSet::new(), "no seed came across these");
    }
}

#[test]
fn every_job_keeps_its_promises_whatever_happens_to_its_owners() {
    simulate_asked(simulate, "", &Situation::ALL);
}

#[test]
fn every_job_on_a_server_keeps_its_promises_whatever_happens_to_it_and_its_hosts() {
    simulate_asked(simulate_on_server, "--server ", &Situation::OF_SERVER);
}

/// With one process at a time, an action that waited in a suspended job took the slot without starting; the waiting actions of the tree's
/// other jobs did not start either, and the owner waited for nothing.
#[test]
fn a_suspended_job_keeps_no_slot_from_the_others() {
    for seed in [2_006_655, 2_015_430] {
        assert_eq!(simulate(seed, false).result, Ok(()), "seed {seed}");
    }
}

/// If a launcher died after the end of an action and before that of its first follower was settled, the row of the action still said that
/// followers may have been started.
#[test]
fn an_action_that_has_ended_leads_nobody() {
    for seed in [31_018_885, 31_023_509, 31_085_269] {
        assert_eq!(simulate(seed, false).result, Ok(()), "seed {seed}");
    }
}

/// An owner that has taken a job up had nothing to write. Its session was lost while it read, another host took the job over in that time,
/// and both started what was to be started.
#[test]
fn an_owner_with_a_new_session_starts_nothing_before_it_is_certain_of_its_job() {
    for seed in [3_030_309, 3_021_206] {
        let result = simulate_on_server(seed, false).result;
        assert_eq!(result, Ok(()), "seed {seed}");
    }
}

#[test]
fn a_seed_always_tells_the_same_story() {
    for seed in 0..20 {
        assert_eq!(simulate(seed, true), simulate(seed, true));
        let [one, other] = [(); 2].map(|()| simulate_on_server(seed, true));
        assert_eq!(one, other);
    }
}
