//! All ways of a job.

use hpdlc_runtime::test::{Answer, Job, JobStatus};

use crate::{check_panic, daily, parent, parts};

#[test]
fn every_outcome_and_every_case_is_visited() {
    let ways = daily().every_way();
    let shown: Vec<String> = ways
        .iter()
        .map(|way| format!("{} {way}", way.status))
        .collect();
    let head = "prepare OK, count OK, is-empty";
    assert_eq!(
        shown,
        [
            format!(
                "SUCCEEDED {head} case 1, judge OK, list OK, verdict case 1, alarm OK, finish OK"
            ),
            format!(
                "KILLED {head} case 1, judge OK, list OK, verdict case 1, alarm OK, finish ERROR"
            ),
            format!("KILLED {head} case 1, judge OK, list OK, verdict case 1, alarm ERROR"),
            format!("SUCCEEDED {head} case 1, judge OK, list OK, verdict case 2, finish OK"),
            format!("KILLED {head} case 1, judge OK, list OK, verdict case 2, finish ERROR"),
            format!("KILLED {head} case 1, judge OK, list OK, verdict default"),
            format!("KILLED {head} case 1, judge OK, list ERROR"),
            format!("KILLED {head} case 1, judge ERROR, list OK"),
            format!("KILLED {head} case 1, judge ERROR, list ERROR"),
            format!("SUCCEEDED {head} default, finish OK"),
            format!("KILLED {head} default, finish ERROR"),
            "KILLED prepare OK, count ERROR, excuse OK".to_owned(),
            "KILLED prepare OK, count ERROR, excuse ERROR".to_owned(),
            "KILLED prepare ERROR".to_owned(),
        ]
    );
    let excused = ways
        .iter()
        .find(|way| way.path.ends_with(&["excuse", "uncounted"]));
    let excused = excused.expect("it is one of them");
    assert_eq!(
        excused.message.as_deref(),
        Some("/data/in cannot be counted: ERROR")
    );
}

#[test]
fn an_action_that_is_tried_again_ends_the_same_way() {
    let codes = "oozie.service.LiteWorkflowStoreService.user.retry.error.code.ext";
    assert_eq!(daily().given(codes, "ALL").every_way().len(), 14);
}

#[test]
fn children_have_ways_too() {
    let ways = parent().every_way();
    let shown: Vec<String> = ways.iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        [
            "report/sum OK, report/write OK, publish OK",
            "report/sum OK, report/write OK, publish ERROR",
            "report/sum OK, report/write ERROR",
            "report/sum ERROR",
        ]
    );
    assert_eq!(parent().answer("report", Answer::ok()).every_way().len(), 3);
}

#[test]
fn suspensions_are_resumed() {
    let ways = daily().given("oozie.suspend.on.nodes", "*").every_way();
    assert_eq!(ways.len(), 14);
    assert!(ways.iter().all(|way| way.status.is_terminal()));
}

#[test]
fn a_way_on_which_an_expression_fails_is_named() {
    check_panic(
        "1 of 3 ways have no good end:\n  split OK, how case 1: `work` cannot be evaluated: workflow.xml:20:23: `100 % 0` divides by zero",
        || {
            Job::of(&parts::PROGRAM).every_way();
        },
    );
}

#[test]
fn data_of_an_answer_are_used_for_its_outcome() {
    let answers = [Answer::error("1", "no"), Answer::ok().data("parts", 7)];
    let ways = Job::of(&parts::PROGRAM)
        .answer("split", answers)
        .every_way();
    assert_eq!(ways.len(), 4);
    let succeeded = ways.iter().filter(|way| way.status == JobStatus::Succeeded);
    assert_eq!(succeeded.count(), 2);
}

#[test]
fn the_number_of_ways_is_bounded() {
    check_panic("there are more than 13 ways", || {
        daily().every_way_up_to(13);
    });
}
