//! Retries in virtual time, by the rules of the engine.

use std::time::Duration;

use hpdlc_runtime::test::{ActionStatus, Answer, JobStatus};

use crate::daily;

const CODES: &str = "oozie.service.LiteWorkflowStoreService.user.retry.error.code.ext";

#[test]
fn only_eligible_codes_are_retried() {
    let failing = || daily().answer("count", Answer::error("NO_FILE", "gone"));
    let ran = failing().run();
    assert_eq!(ran.node("count").attempts, 1);

    let ran = failing().given(CODES, "NO_FILE").run();
    assert_eq!(ran.node("count").attempts, 3);
    assert_eq!(
        ran.elapsed,
        Duration::from_secs(120),
        "retry-interval is a minute"
    );
    assert_eq!(ran.status, JobStatus::Killed);

    let ran = failing().site(CODES, "ALL").run();
    assert_eq!(ran.node("count").attempts, 3);
}

#[test]
fn each_attempt_takes_the_next_answer() {
    let answers = [
        Answer::error("JA018", "too long").takes(Duration::from_secs(5)),
        Answer::ok().data("lines", 0),
    ];
    let ran = daily().answer("count", answers).run();
    assert_eq!(ran.status, JobStatus::Succeeded);
    assert_eq!(ran.node("count").attempts, 2);
    assert_eq!(ran.node("count").status, ActionStatus::Ok);
    assert_eq!(ran.elapsed, Duration::from_secs(65));
}

#[test]
fn transient_failures_are_retried_and_then_suspend_the_job() {
    let ran = daily()
        .given("oozie.wf.action.max.retries", 2)
        .given("oozie.wf.action.retry.interval", 30)
        .answer("count", Answer::transient("JA009", "no route to host"))
        .run();
    assert_eq!(ran.status, JobStatus::Suspended);
    assert_eq!(ran.node("count").attempts, 3);
    assert_eq!(ran.node("count").status, ActionStatus::StartManual);
    assert_eq!(ran.elapsed, Duration::from_secs(60));
    let ran = ran.answer("count", Answer::ok()).resume();
    assert_eq!(ran.status, JobStatus::Succeeded);
    assert_eq!(ran.node("count").attempts, 4);
}

#[test]
fn time_passes_where_an_expression_sees_it() {
    let ran = daily()
        .answer(
            "prepare",
            Answer::ok().takes(Duration::from_secs(3 * 60 * 60)),
        )
        .run();
    assert_eq!(&ran.values("list")["env-var"], "AT=2026-01-01T03:00Z");
}

#[test]
fn a_retry_that_a_suspension_interrupts_is_due_when_the_job_is_resumed() {
    let list = Answer::non_transient("JA001", "look").takes(Duration::from_secs(30));
    let ran = daily()
        .given(CODES, "ALL")
        .answer("judge", [Answer::error("1", "busy"), Answer::ok()])
        .answer("list", [list, Answer::ok()])
        .file("/data/in/all.ok", 0)
        .run();
    assert_eq!(ran.status, JobStatus::Suspended);
    assert_eq!(ran.node("judge").status, ActionStatus::UserRetry);
    assert_eq!(ran.elapsed, Duration::from_secs(30));
    let ran = ran.resume();
    assert_eq!(ran.status, JobStatus::Succeeded);
    assert_eq!(ran.node("judge").attempts, 2);
    assert_eq!(
        ran.elapsed,
        Duration::from_secs(120),
        "two minutes after its failure"
    );
}
