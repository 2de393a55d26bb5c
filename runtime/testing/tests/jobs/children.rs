//! Sub-workflows: children that are compiled in run, others are answered.

use hpdlc_runtime::test::{Answer, JobStatus};

use crate::parent;

#[test]
fn a_compiled_child_runs_as_a_job_of_its_own() {
    let ran = parent()
        .answer("publish", Answer::ok())
        .answer("report/sum", Answer::ok().data("total", 7))
        .run();
    assert_eq!(ran.status, JobStatus::Succeeded);
    assert_eq!(ran.path(), ["report", "publish", "end"]);
    let report = ran.child("report");
    assert_eq!(report.status, JobStatus::Succeeded);
    assert_eq!(report.path(), ["sum", "write", "end"]);
    assert_eq!(report.node("sum").data["total"], "7");
    assert_eq!(report.properties["day"], "2026-11-20");
    assert_eq!(ran.node("report").external_id.as_ref(), Some(&report.id));
    assert_eq!(
        &ran.values("report/write")["argument"],
        "run 0 of report of 2026-11-20"
    );
    assert_eq!(
        &ran.values("report/sum")["configuration/property[queue]/value"],
        "of 2026-11-20",
        "of the file that job-xml names"
    );
}

#[test]
fn a_child_that_fails_takes_the_error_transition_of_its_parent() {
    let ran = parent()
        .answer("report/write", Answer::error("1", "disk full"))
        .run();
    assert_eq!(ran.status, JobStatus::Killed);
    // As in Oozie, a sub-workflow that did not succeed has no error message for its parent.
    assert_eq!(ran.message.as_deref(), Some(""));
    let report = ran.child("report");
    assert_eq!(
        report.message.as_deref(),
        Some("the report failed: disk full")
    );
}

#[test]
fn an_answered_child_does_not_run() {
    let ran = parent()
        .answer("report", Answer::ok())
        .answer("publish", Answer::ok())
        .run();
    assert_eq!(ran.status, JobStatus::Succeeded);
    assert!(!ran.has_reached("report/sum"));
    assert_eq!(&ran.values("publish")["app-path"], "hdfs://nn/apps/publish");
}

#[test]
fn a_child_that_is_nowhere_is_an_error_as_in_a_job() {
    let ran = parent().run();
    assert_eq!(ran.node("publish").code.as_deref(), Some("E0710"));
    assert_eq!(ran.status, JobStatus::Killed);
}

#[test]
fn a_rerun_of_the_failed_nodes_continues_the_child() {
    let failing = [Answer::error("1", "disk full"), Answer::ok()];
    let ran = parent()
        .answer("publish", Answer::ok())
        .answer("report/write", failing)
        .run();
    let id = ran.child("report").id.clone();
    let again = ran.rerun().failnodes().run();
    assert_eq!(again.status, JobStatus::Succeeded);
    assert_eq!(again.child("report").id, id);
    assert!(again.node("report/sum").is_skipped);
    assert_eq!(
        &again.values("report/write")["argument"],
        "run 1 of report of 2026-11-20"
    );
}

#[test]
fn a_child_that_stops_suspends_its_parent() {
    let ran = parent()
        .answer("publish", Answer::ok())
        .suspend_before("report/write")
        .run();
    assert_eq!(ran.status, JobStatus::Suspended);
    assert_eq!(ran.child("report").status, JobStatus::Suspended);
    assert_eq!(ran.resume().status, JobStatus::Succeeded);
}

#[test]
fn a_child_that_needs_a_person_keeps_its_parent_waiting() {
    let answers = [Answer::non_transient("JA001", "look"), Answer::ok()];
    let ran = parent()
        .answer("publish", Answer::ok())
        .answer("report/sum", answers)
        .run();
    assert_eq!(ran.status, JobStatus::Running, "as in Oozie");
    assert_eq!(ran.child("report").status, JobStatus::Suspended);
    assert_eq!(ran.resume().status, JobStatus::Succeeded);
}
