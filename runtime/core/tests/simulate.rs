//! Simulates thousands of random jobs on the step machine, each reproducible from its seed.
//!
//! `HPDL_SEEDS=N` runs N seeds, from `HPDL_FIRST_SEED` on; `HPDL_SEED=S` runs a single one and shows all events, as
//! `tests/simulate/run` does. A failing seed is rerun in this way automatically.

use std::{
    collections::BTreeSet,
    panic::{AssertUnwindSafe, catch_unwind},
};

#[path = "simulate/ending.rs"]
mod ending;
#[path = "simulate/graph.rs"]
mod graph;
#[path = "simulate/invariants.rs"]
mod invariants;
#[path = "simulate/launcher.rs"]
mod launcher;
#[path = "simulate/plan.rs"]
mod plan;
#[path = "simulate/random.rs"]
mod random;
#[path = "simulate/situations.rs"]
mod situations;
#[path = "simulate/world.rs"]
mod world;

use self::{
    graph::SimulatedGraph,
    plan::FatePlan,
    random::{Random, given},
    situations::Situation,
    world::StepWorld,
};

const DEFAULT_SEEDS: u64 = 4_000;

/// The result of one seed.
#[derive(Debug, PartialEq, Eq)]
struct Simulated {
    /// The invariant that was violated.
    result: Result<(), String>,
    seen: BTreeSet<Situation>,
    /// The graph and all events, if requested.
    story: String,
}

fn simulate(seed: u64, is_logged: bool) -> Simulated {
    let mut random = Random::new(seed);
    let graph = SimulatedGraph::of(seed, &mut random);
    let plan = FatePlan::random(&mut random, &graph);
    let mut world = StepWorld::new(&graph, &plan, random, is_logged);
    let result = catch_unwind(AssertUnwindSafe(|| world.run()))
        .unwrap_or_else(|_| Err("the machine panicked".to_owned()));
    let seen = world.seen().clone();
    let mut story = String::new();
    if is_logged {
        story = format!("{graph}{plan}{}\n", world.into_log().join("\n"));
    }
    Simulated {
        result,
        seen,
        story,
    }
}

#[test]
fn every_job_keeps_its_promises() {
    if let Some(seed) = given("HPDL_SEED") {
        let simulated = simulate(seed, true);
        println!("{}", simulated.story);
        assert_eq!(simulated.result, Ok(()), "seed {seed}");
        return;
    }
    let first = given("HPDL_FIRST_SEED").unwrap_or_default();
    for seed in first..first + given("HPDL_SEEDS").unwrap_or(DEFAULT_SEEDS) {
        if simulate(seed, false).result.is_err() {
            let Simulated { result, story, .. } = simulate(seed, true);
            panic!("{story}{result:?}\nagain with: tests/simulate/run --machine --seed {seed}");
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
    let mut missing = Situation::all();
    for seed in 0..1_500 {
        for situation in simulate(seed, false).seen {
            missing.remove(&situation);
        }
    }
    assert_eq!(missing, BTreeSet::new());
}
