//! Jobs of workflows that the compiler has compiled.

mod bundles;
mod children;
mod functions;
mod mistakes;
mod outcomes;
mod reruns;
mod retries;
mod schedules;
mod ways;

/// `tests/workflows`, each compiled in place.
#[allow(
    deprecated,
    reason = "lints of these workflows: retries of exit codes, a child elsewhere"
)]
mod programs {
    pub mod daily {
        hpdlc_macros::include_workflow!("tests/workflows/daily");
    }
    pub mod judged {
        hpdlc_macros::include_workflow!("tests/workflows/judged");
    }
    pub mod nightly {
        hpdlc_macros::include_workflow!("tests/workflows/nightly");
    }
    pub mod parent {
        hpdlc_macros::include_workflow!("tests/workflows/parent");
    }
    pub mod parts {
        hpdlc_macros::include_workflow!("tests/workflows/parts");
    }
    pub mod sites {
        hpdlc_macros::include_workflow!("tests/workflows/sites");
    }
}

use std::panic::{self, AssertUnwindSafe};

use hpdlc_runtime::test::{Answer, DateTime, Job, Utc};

use self::programs::{daily, nightly, parent, parts, sites};

/// A job of the daily workflow in which four lines are counted.
fn daily() -> Job {
    let counted = Answer::ok().data("lines", 4).data("longest", "dddd");
    Job::of(&daily::PROGRAM)
        .given("input", "/data/in")
        .given("output", "/data/out")
        .answer("count", counted)
        .answer("judge", Answer::ok().data("verdict", "Alarm"))
}

/// A job of the workflow with children, one of which is elsewhere.
fn parent() -> Job {
    Job::of(&parent::PROGRAM)
        .given("day", "2026-11-20")
        .given("publisher", "hdfs://nn/apps/publish")
}

/// The day and the time.
fn shown(time: Option<DateTime<Utc>>) -> String {
    time.map_or_else(String::new, |time| time.format("%d %H:%M").to_string())
}

/// Checks that `work` panics with a message that begins with `expected`.
#[track_caller]
fn check_panic<T>(expected: &str, work: impl FnOnce() -> T) {
    let Err(thrown) = panic::catch_unwind(AssertUnwindSafe(work)) else {
        panic!("it does not panic: {expected}");
    };
    let formatted = thrown.downcast_ref::<String>().map(String::as_str);
    let message = formatted.or(thrown.downcast_ref::<&str>().copied());
    let message = message.unwrap_or_default();
    assert!(message.starts_with(expected), "{message}");
}
