//! Actions that are functions of the program: what they return, and the functions themselves.

use std::time::Duration;

use hpdlc_runtime::{
    action::{Action, Arguments, Context, DataMap, Result, error},
    test::{Job, JobStatus},
};

use crate::programs::judged::PROGRAM;

static JUDGE: Action = Action::new(judge);

fn judge(context: &Context, arguments: &[String]) -> Result<DataMap> {
    assert_eq!((context.node(), context.attempt()), ("judge", 1));
    assert!(context.folder().is_dir());
    let mut arguments = Arguments::of(arguments, 2)?;
    let (lines, limit): (u64, u64) = (arguments.take("lines")?, arguments.take("limit")?);
    let is_over = (lines > limit).to_string();
    Ok(DataMap::from([("is_over".to_owned(), is_over)]))
}

fn counted(lines: &str) -> Result<DataMap> {
    Ok(DataMap::from([("lines".to_owned(), lines.to_owned())]))
}

fn job() -> Job {
    let job = Job::of(&PROGRAM)
        .given("input", "/data/in")
        .given("limit", 3);
    job.real("judge", &JUDGE)
}

#[test]
fn a_function_judges_what_another_is_said_to_have_counted() {
    let ran = job().answer("count", counted("4")).run();
    assert_eq!(ran.status, JobStatus::Killed);
    assert_eq!(ran.message.as_deref(), Some("4 lines are too many"));
    assert_eq!(ran.node("judge").data["is_over"], "true");
    let ran = job().answer("count", counted("3")).run();
    assert_eq!(ran.status, JobStatus::Succeeded);
}

#[test]
fn an_argument_of_the_wrong_type_is_an_error_of_the_action() {
    let ran = job().answer("count", counted("four")).run();
    assert_eq!(ran.message.as_deref(), Some("judge: HPDL_ARGUMENT"));
}

#[test]
fn a_written_retry_counts_for_every_error() {
    let failed = Err::<DataMap, _>(error("NO_FILE", "gone"));
    let ran = job().answer("count", failed).run();
    assert_eq!(ran.node("count").attempts, 3);
    assert_eq!(ran.elapsed, Duration::from_secs(120));
    assert_eq!(ran.message.as_deref(), Some("count: NO_FILE"));
}

#[test]
fn the_ways_of_a_function_are_its_outcomes() {
    let ways = job().answer("count", counted("3")).every_way();
    assert_eq!(ways.len(), 4);
}
