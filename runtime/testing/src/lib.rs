//! Runs jobs of a compiled workflow in tests, with scripted outcomes: what Oozie's users had LocalOozie for.
//!
//! A [`Job`] runs on the engine's step machine and evaluates the compiled expressions, with the engine's rules for properties, defaults,
//! retries, suspension, reruns and children. Only the work of the actions is replaced: each attempt gets an [`Answer`]. There is no process,
//! no store and no clock: a job with an hour of retries takes a millisecond, and tests can run side by side.
//!
//! ```
//! # #[allow(deprecated)]
//! mod daily {
//!     hpdlc_macros::include_workflow!("tests/workflows/daily");
//! }
//! use hpdlc_runtime::test::{Answer, Job, JobStatus};
//!
//! # fn main() {
//! let job = Job::of(&daily::PROGRAM).given("input", "/data/in").given("output", "/data/out");
//!
//! let ran = job.clone().answer("count", Answer::error("NO_FILE", "gone")).run();
//! assert_eq!(ran.status, JobStatus::Killed);
//! assert_eq!(ran.path(), ["prepare", "count", "excuse", "uncounted"]);
//! assert_eq!(ran.values("excuse").all("argument"), ["/data/out", "no count: gone"]);
//! assert_eq!(ran.message.as_deref(), Some("/data/in cannot be counted: NO_FILE"));
//!
//! // The next run finds the file, and four lines in it.
//! let again = ran.rerun().failnodes().answer("count", Answer::ok().data("lines", 4)).run();
//! assert!(again.node("prepare").is_skipped);
//! assert_eq!(&again.values("judge")["argument[1]"], "4");
//!
//! // Whatever happens, the job ends, and no expression fails.
//! let ways = job.answer("count", Answer::ok().data("lines", 4)).every_way();
//! assert_eq!(ways.len(), 14);
//! # }
//! ```
//!
//! **Answers.** An action without one succeeds, without data; after [`Job::strict`] that is a panic. [`Answer`] has the kinds of failure
//! that Oozie has; a list answers one attempt after the other, those of reruns included, and its last stays; [`Job::answer_with`] takes a
//! function of the attempt's values. What is retried decides the engine: an `error` by `retry-max` only if its code is in the list
//! of codes (exit codes are not, unless a property says `ALL`).
//!
//! An action that is a function of the program takes what the function returns, `Ok(Counted { lines: 4 })`, or is done by it
//! ([`Job::real`]); a written retry counts for all its errors.
//!
//! **Values.** [`RanJob::values`] has what the action would get, named as `dryrun` names it.
//!
//! **Time** is virtual: it begins at [`Job::begins`], and passes only by retries and by [`Answer::takes`]; [`Ran::elapsed`] has it.
//!
//! **Files.** The functions of prefix `fs`, `hcat:exists` and `hadoop:conf` know what [`Job::file`], [`Job::folder`] and [`Job::cluster`] say.
//! A `job-xml` is really read: of the application's own files, which are written to a temporary folder for that, or by its absolute path.
//!
//! **Children** that are compiled in run as jobs of their own, unless their action has an answer; `report/count` names a node of one. An
//! `app-path` that is not compiled in is an error of its action, as in a job where nothing is registered.
//!
//! **Coordinators**: [`Schedule`] has the actions of one over a period: when they start, for which instances they wait, with which
//! properties; [`ScheduledAction::job`] is a job of the workflow with these. [`BundleSchedule`] has those of all coordinators of a bundle,
//! which begin at its kick-off.
//!
//! Notifications are not sent, service levels not watched. Mistakes of a test, such as an answer for a node that does not exist, are panics
//! with the nearest name; [`Job::try_run`] is for tests of jobs that are refused.

mod answer;
mod bundle_schedule;
mod explorer;
mod files;
mod job;
mod names;
mod ran;
mod refusal;
mod rules;
mod schedule;
mod scheduled;
mod scheduled_bundle;
mod script;
mod values;
mod ways;
mod world;

pub use chrono::{DateTime, Utc};
pub use hpdlc_core::{
    coordinator::{CoordinatorActionStatus, CoordinatorStatus},
    status::{ActionStatus, JobStatus},
};

pub use self::{
    answer::{Answer, Answers},
    bundle_schedule::BundleSchedule,
    explorer::Choice,
    job::Job,
    ran::{Ran, RanJob, RanNode, Rerun},
    refusal::Refusal,
    schedule::Schedule,
    scheduled::{Instance, Scheduled, ScheduledAction},
    scheduled_bundle::ScheduledBundle,
    values::Values,
    ways::Way,
};
