//! The state of a job when processes die, are stopped, or find the disk full.
//!
//! The guarantees are those of DESIGN section 6: what was recorded is never lost, what an action did is never done twice
//! unless the user requests it.

#[path = "../e2e/harness.rs"]
#[allow(dead_code, reason = "the tests of e2e use the rest of it")]
mod harness;

mod chain;
mod clock;
mod coordinators;
mod disk;
mod drain;
mod ignored;
mod kill;
mod limits;
mod lost;
mod moments;
mod orphans;
mod owners;
mod queue;
mod reruns;
mod server;
mod terminals;
mod watch;
