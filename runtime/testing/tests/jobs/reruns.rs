//! Reruns: what is skipped, with which properties.

use hpdlc_runtime::test::{ActionStatus, Answer, JobStatus};

use crate::{check_panic, daily};

#[test]
fn the_failed_nodes_run_again() {
    let ran = daily()
        .answer("alarm", Answer::error("EM007", "no mail"))
        .run();
    assert_eq!(ran.status, JobStatus::Killed);
    let again = ran.rerun().failnodes().answer("alarm", Answer::ok()).run();
    assert_eq!(again.status, JobStatus::Succeeded);
    assert!(again.node("count").is_skipped);
    assert!(again.node("verdict").is_skipped);
    assert!(!again.node("alarm").is_skipped);
    assert_eq!(
        &again.values("alarm")["subject"],
        "4 lines",
        "by the data of the run before"
    );
    assert_eq!(&again.values("finish")["argument"], "done in run 1");
}

#[test]
fn named_nodes_are_skipped_and_end_as_they_did() {
    let ran = daily()
        .answer("count", Answer::error("NO_FILE", "gone"))
        .run();
    let again = ran
        .rerun()
        .skip(["prepare", "count"])
        .given("input", "/data/new")
        .run();
    assert_eq!(again.status, JobStatus::Killed);
    assert_eq!(again.node("count").status, ActionStatus::Error);
    assert_eq!(
        again.message.as_deref(),
        Some("/data/new cannot be counted: NO_FILE")
    );
    assert_eq!(again.path(), ["prepare", "count", "excuse", "uncounted"]);
}

#[test]
fn a_list_of_answers_goes_on_in_the_next_run() {
    let answers = [Answer::error("NO_FILE", "gone"), Answer::ok()];
    let ran = daily().answer("count", answers).run();
    assert_eq!(ran.status, JobStatus::Killed);
    let again = ran.rerun().run();
    assert_eq!(again.status, JobStatus::Succeeded);
    assert!(!again.node("prepare").is_skipped);
}

#[test]
fn a_rerun_that_asks_for_too_much_is_refused() {
    let refusal = |nodes: &[&str]| {
        let rerun = daily().run().rerun().skip(nodes.iter().copied());
        rerun.try_run().expect_err("it is refused").message
    };
    assert!(refusal(&["excuse"]).contains("E0807"));
    let both = daily().run().rerun().failnodes().skip(["count"]).try_run();
    assert!(both.expect_err("it is refused").message.contains("E0404"));
}

#[test]
fn a_job_that_has_not_ended_cannot_be_rerun() {
    check_panic(
        "the job is SUSPENDED; only a job that has ended can be rerun (E0805)",
        || {
            let _ = daily().suspend_before("alarm").run().rerun();
        },
    );
}
