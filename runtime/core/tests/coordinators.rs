//! Simulates thousands of random coordinators, each reproducible from its seed.
//!
//! `HPDL_SEEDS=N` runs N seeds; `HPDL_SEED=S` runs a single one and shows all events. A failing seed is rerun in this way automatically.

use std::{
    collections::BTreeSet,
    panic::{AssertUnwindSafe, catch_unwind},
};

#[path = "coordinators/application.rs"]
mod application;
#[path = "coordinators/commands.rs"]
mod commands;
#[path = "coordinators/invariants.rs"]
mod invariants;
#[path = "simulate/random.rs"]
mod random;
#[path = "coordinators/world.rs"]
mod world;

use self::{
    random::{Random, given},
    world::CoordinatorWorld,
};

const DEFAULT_SEEDS: u64 = 3_000;

/// The result of one seed.
#[derive(Debug, PartialEq, Eq)]
struct Simulated {
    /// The invariant that was violated.
    result: Result<(), String>,
    /// The situations that occurred.
    seen: BTreeSet<String>,
    /// The coordinator and all events, if requested.
    story: String,
}

fn simulate(seed: u64, is_logged: bool) -> Simulated {
    let mut random = Random::new(seed);
    let coordinator = application::random(&mut random);
    let shown = format!("{:?} {:?}\n", coordinator.schedule, coordinator.controls);
    let mut world = CoordinatorWorld::new(coordinator, random, is_logged);
    let result = catch_unwind(AssertUnwindSafe(|| world.run()))
        .unwrap_or_else(|_| Err("the machine panicked".to_owned()));
    let seen = world.seen().clone();
    let story = if is_logged {
        format!("{shown}{}\n", world.into_log().join("\n"))
    } else {
        String::new()
    };
    Simulated {
        result,
        seen,
        story,
    }
}

#[test]
fn every_coordinator_keeps_its_promises() {
    if let Some(seed) = given("HPDL_SEED") {
        let simulated = simulate(seed, true);
        println!("{}", simulated.story);
        assert_eq!(simulated.result, Ok(()), "seed {seed}");
        return;
    }
    for seed in 0..given("HPDL_SEEDS").unwrap_or(DEFAULT_SEEDS) {
        if simulate(seed, false).result.is_err() {
            let Simulated { result, story, .. } = simulate(seed, true);
            panic!("{story}{result:?}\nagain with HPDL_SEED={seed}");
        }
    }
}

#[test]
fn a_seed_always_tells_the_same_story() {
    for seed in 0..20 {
        assert_eq!(simulate(seed, true), simulate(seed, true));
    }
}

#[test]
fn the_seeds_come_across_every_situation() {
    let mut missing = world::situations();
    for seed in 0..1_000 {
        for situation in simulate(seed, false).seen {
            missing.remove(&situation);
        }
    }
    assert_eq!(missing, BTreeSet::new());
}
