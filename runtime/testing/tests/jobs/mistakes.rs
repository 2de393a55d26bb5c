//! Mistakes of the test itself.

use hpdlc_runtime::test::{Answer, Job};

use crate::{check_panic, daily, daily::PROGRAM, parent};

#[test]
fn an_answer_for_no_node() {
    check_panic(
        "an answer is for `cuont`, and workflow daily has no node `cuont`; is `count` meant? Its nodes are prepare, count, excuse,",
        || {
            let _ = daily().answer("cuont", Answer::ok()).run();
        },
    );
}

#[test]
fn an_answer_for_a_decision() {
    check_panic(
        "an answer is for `verdict`, and only actions have one",
        || {
            let _ = daily().answer("verdict", Answer::ok()).run();
        },
    );
}

#[test]
fn an_answer_for_no_node_of_a_child() {
    check_panic(
        "an answer is for `report/summ`, and workflow report of ${day} has no node `summ`; is `sum` meant?",
        || {
            let _ = parent().answer("report/summ", Answer::ok()).run();
        },
    );
}

#[test]
fn an_answer_for_a_child_of_another_action() {
    check_panic(
        "an answer is for `count/sum`, and `count` is no sub-workflow",
        || {
            let _ = daily().answer("count/sum", Answer::ok()).run();
        },
    );
}

#[test]
fn a_suspension_before_no_node() {
    check_panic(
        "a suspension is for `alarms`, and workflow daily has no node `alarms`; is `alarm` meant?",
        || {
            let _ = daily().suspend_before("alarms").run();
        },
    );
}

#[test]
fn a_strict_job_needs_an_answer_for_all_that_runs() {
    check_panic(
        "action `prepare` has no answer, and the job is strict",
        || {
            let _ = daily().strict().run();
        },
    );
}

#[test]
fn a_strict_job_needs_all_its_answers() {
    check_panic(
        "the job is strict, it ended KILLED, and nothing has asked for the answer of count, judge; its path was prepare, fail",
        || {
            let failing = daily().strict().answer("prepare", Answer::error("1", "no"));
            let _ = failing.run();
        },
    );
}

#[test]
fn a_node_that_was_not_reached() {
    check_panic(
        "the job is SUCCEEDED and has not come to `excuse`; its path is prepare, count,",
        || {
            let _ = daily().run().node("excuse");
        },
    );
}

#[test]
fn a_resume_of_what_does_not_wait() {
    check_panic(
        "the job is SUCCEEDED, and nothing of it is suspended",
        || {
            let _ = daily().run().resume();
        },
    );
}

#[test]
fn a_job_without_its_properties() {
    check_panic("the job is refused: property input is not given", || {
        let _ = Job::of(&PROGRAM).run();
    });
}

#[test]
fn a_workflow_that_the_program_does_not_have() {
    check_panic("the program has no workflow `dayly`; it has daily", || {
        let _ = Job::of_workflow(&PROGRAM, "dayly");
    });
}

#[test]
fn a_value_that_the_node_does_not_have() {
    check_panic(
        "there is no value `argument[3]`; there are: exec, argument[1], argument[2]",
        || {
            let _ = &daily().run().values("judge")["argument[3]"];
        },
    );
}
