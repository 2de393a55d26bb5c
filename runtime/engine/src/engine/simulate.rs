//! The shipped engine on the shipped store, with a seed in place of a machine: random workflows, ends of processes, crashes
//! between any two things that an owner does, power cuts, disks that do not take what is written, clocks that are set,
//! commands at any moment.
//!
//! `tests/simulate/run` runs more seeds, and one seed with all that happened. Everything is determined by the seed, so that
//! one that fails does so again.

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
mod service_levels;
mod simulated_environment;
mod transport;
mod workflow;
mod world;

use self::{
    random::given,
    world::{Situation, World},
};

const DEFAULT_SEEDS: u64 = 1_000;

/// What came of one seed.
#[derive(Debug, PartialEq, Eq)]
struct Simulated {
    /// What did not hold.
    result: Result<(), String>,
    seen: BTreeSet<Situation>,
    story: String,
}

fn simulate(seed: u64, is_logged: bool) -> Simulated {
    let mut world = World::new(seed, is_logged);
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

/// Simulates `n` seeds from `first` on, on all processors, and gives what they came across.
fn simulate_all(first: u64, n: u64) -> BTreeSet<Situation> {
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
                                "seed {seed}: {problem}\nall that happened: tests/simulate/run --seed {seed}"
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

#[test]
fn every_job_keeps_its_promises_whatever_happens_to_its_owners() {
    if let Some(seed) = given("HPDL_SEED") {
        let simulated = simulate(seed, true);
        println!("{}", simulated.story);
        assert_eq!(simulated.result, Ok(()), "seed {seed}");
        return;
    }
    let first = given("HPDL_FIRST_SEED").unwrap_or_default();
    let n = given("HPDL_SEEDS");
    let seen = simulate_all(first, n.unwrap_or(DEFAULT_SEEDS));
    if n.is_none() {
        let mut missing = BTreeSet::from(Situation::ALL);
        missing.retain(|situation| !seen.contains(situation));
        assert_eq!(missing, BTreeSet::new(), "no seed came across these");
    }
}

/// With one process at a time, an action that waited in a suspended job took the slot and did not begin; what waited in
/// the other jobs of the tree did not either, and the owner waited for nothing.
#[test]
fn a_suspended_job_keeps_no_slot_from_the_others() {
    for seed in [2_006_655, 2_015_430] {
        assert_eq!(simulate(seed, false).result, Ok(()), "seed {seed}");
    }
}

/// Where a launcher died with the end of an action and before that of its first follower was settled, the row of the first went
/// on to say that others may begin after it.
#[test]
fn an_action_that_has_ended_leads_nobody() {
    for seed in [31_018_885, 31_023_509, 31_085_269] {
        assert_eq!(simulate(seed, false).result, Ok(()), "seed {seed}");
    }
}

#[test]
fn a_seed_always_tells_the_same_story() {
    for seed in 0..20 {
        assert_eq!(simulate(seed, true), simulate(seed, true));
    }
}
