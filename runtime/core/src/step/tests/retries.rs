//! The kinds of failure and what is tried again.

use std::time::Duration;

use expect_test::expect;

use super::{
    Effect, Event, Failure, FailureClass, Graph, RetryPolicy, RetryRule, Run, check,
    strands::SHARED_HANDLER,
};

const ONE_ACTION: &str = "start > a\n action a > end k\n kill k\n end";

#[test]
fn user_retries_are_spent_and_then_the_error_counts() {
    check(
        ONE_ACTION,
        "start, prepared a, retried-error a, ok a, due a, prepared a, ok a@1,
         retried-error a, due a, due a, prepared a, retried-error a, due a, prepared a, retried-error a",
        expect![[r#"
            start: prepare a@1
            prepared a: launch a@1
            retried-error a: wait a 60s
            ok a: -
            due a: prepare a@2
            prepared a: launch a@2
            ok a@1: -
            retried-error a: wait a 120s
            due a: prepare a@3
            due a: -
            prepared a: launch a@3
            retried-error a: wait a 240s
            due a: prepare a@4
            prepared a: launch a@4
            retried-error a: message k, finished KILLED
            KILLED start:OK a:ERROR k:OK
        "#]],
    );
}

#[test]
fn user_retries_come_before_a_failed_action_fails_the_job() {
    check(
        ONE_ACTION,
        "start, retried-failed a, due a, retried-failed a, due a, retried-failed a, due a, retried-failed a",
        expect![[r#"
            start: prepare a@1
            retried-failed a: wait a 60s
            due a: prepare a@2
            retried-failed a: wait a 120s
            due a: prepare a@3
            retried-failed a: wait a 240s
            due a: prepare a@4
            retried-failed a: finished FAILED
            FAILED start:OK a:FAILED
        "#]],
    );
}

#[test]
fn user_retries_outlast_a_resume() {
    check(
        ONE_ACTION,
        "start, prepared a, retried-error a, suspend, due a, resume, due a, prepared a, non-transient a, resume,
         prepared a, retried-error a, due a, prepared a, retried-error a, due a, prepared a, retried-error a",
        expect![[r#"
            start: prepare a@1
            prepared a: launch a@1
            retried-error a: wait a 60s
            suspend: suspended
            due a: -
            resume: wait a
            due a: prepare a@2
            prepared a: launch a@2
            non-transient a: .
            resume: prepare a@3
            prepared a: launch a@3
            retried-error a: wait a 120s
            due a: prepare a@4
            prepared a: launch a@4
            retried-error a: wait a 240s
            due a: prepare a@5
            prepared a: launch a@5
            retried-error a: message k, finished KILLED
            KILLED start:OK a:ERROR k:OK
        "#]],
    );
}

#[test]
fn transient_failures_are_tried_again_and_then_suspend() {
    check(
        ONE_ACTION,
        "start, transient a, due a, prepared a, transient a, due a, prepared a, transient a,
         resume, transient a, due a, prepared a, ok a",
        expect![[r#"
            start: prepare a@1
            transient a: wait a 10s
            due a: prepare a@2
            prepared a: launch a@2
            transient a: wait a 10s
            due a: prepare a@3
            prepared a: launch a@3
            transient a: .
            resume: prepare a@4
            transient a: wait a 10s
            due a: prepare a@5
            prepared a: launch a@5
            ok a: finished SUCCEEDED
            SUCCEEDED start:OK a:OK end:OK
        "#]],
    );
}

#[test]
fn decisions_are_evaluated_again() {
    check(
        "start > d\n decision d > end\n end",
        "start, transient d, due d, non-transient d, case d 0, resume, case d 0",
        expect![[r#"
            start: choose d
            transient d: wait d 10s
            due d: choose d
            non-transient d: .
            case d 0: -
            resume: choose d
            case d 0: finished SUCCEEDED
            SUCCEEDED start:OK d:OK end:OK
        "#]],
    );
}

#[test]
fn a_non_transient_failure_suspends_while_siblings_park() {
    check(
        SHARED_HANDLER,
        "start, prepared a, prepared b, non-transient a, ok b, ok b, resume, prepared a, ok a",
        expect![[r#"
            start: prepare a@1, prepare b@1
            prepared a: launch a@1
            prepared b: launch b@1
            non-transient a: .
            ok b: .
            ok b: -
            resume: prepare a@2
            prepared a: launch a@2
            ok a: finished SUCCEEDED
            SUCCEEDED start:OK f:OK a:OK b:OK j:OK end:OK
        "#]],
    );
    check(
        SHARED_HANDLER,
        "start, prepared a, prepared b, non-transient a, error b, resume, prepared h, ok h, prepared a, error a",
        expect![[r#"
            start: prepare a@1, prepare b@1
            prepared a: launch a@1
            prepared b: launch b@1
            non-transient a: .
            error b: .
            resume: prepare h@1, prepare a@2
            prepared h: launch h@1
            ok h: .
            prepared a: launch a@2
            error a: strand ended at h, finished SUCCEEDED
            SUCCEEDED start:OK f:OK a:ERROR b:ERROR h:OK j:OK end:OK
        "#]],
    );
}

#[test]
fn a_retry_that_falls_into_a_suspension_waits_for_resume() {
    check(
        SHARED_HANDLER,
        "start, prepared a, prepared b, suspend, transient a, due a, non-transient b, resume, due a",
        expect![[r#"
            start: prepare a@1, prepare b@1
            prepared a: launch a@1
            prepared b: launch b@1
            suspend: suspended
            transient a: wait a 10s
            due a: -
            non-transient b: .
            resume: wait a, prepare b@2
            due a: prepare a@2
            RUNNING start:OK f:OK a:PREP b:PREP
        "#]],
    );
}

#[test]
fn a_parked_error_that_leads_to_a_kill_lets_resume_begin_nothing() {
    check(
        "start > f\n fork f j > a b c\n action a > j j\n action b > j k\n action c > j j\n join j > end\n kill k\n end",
        "start, prepared a, prepared b, suspend, error b, prepared c, resume, ok a, canceled a",
        expect![[r#"
            start: prepare a@1, prepare b@1, prepare c@1
            prepared a: launch a@1
            prepared b: launch b@1
            suspend: suspended
            error b: .
            prepared c: -
            resume: message k, cancel a@1, finished KILLED
            ok a: -
            canceled a: .
            KILLED start:OK f:OK a:KILLED b:ERROR c:KILLED k:OK
        "#]],
    );
}

#[test]
fn a_suspended_job_can_fail() {
    check(
        SHARED_HANDLER,
        "start, prepared a, prepared b, suspend, failed a, canceled b",
        expect![[r#"
            start: prepare a@1, prepare b@1
            prepared a: launch a@1
            prepared b: launch b@1
            suspend: suspended
            failed a: cancel b@1, finished FAILED
            canceled b: .
            FAILED start:OK f:OK a:FAILED b:KILLED
        "#]],
    );
}

#[test]
fn reports_of_other_attempts_are_ignored() {
    check(
        ONE_ACTION,
        "start, prepared a@2, failed a@0, prepared a, retried-error a, due a, prepared a, ok a@1, failed a@1,
         non-transient a@3, prepared a, ok a",
        expect![[r#"
            start: prepare a@1
            prepared a@2: -
            failed a@0: -
            prepared a: launch a@1
            retried-error a: wait a 60s
            due a: prepare a@2
            prepared a: launch a@2
            ok a@1: -
            failed a@1: -
            non-transient a@3: -
            prepared a: -
            ok a: finished SUCCEEDED
            SUCCEEDED start:OK a:OK end:OK
        "#]],
    );
}

/// The waits before retries as a rule gives them.
#[track_caller]
fn check_delays(rule: RetryRule, class: FailureClass, expected: &[Duration]) {
    let graph = Graph::new(ONE_ACTION);
    let node = graph.node("a");
    let mut run = Run::new(&graph);
    run.take(Event::Start);
    let never = RetryRule { max: 0, ..rule };
    let failure = match class {
        FailureClass::Transient => Failure {
            class,
            transient: rule,
            user: None,
        },
        FailureClass::NonTransient | FailureClass::Error | FailureClass::Failed => Failure {
            class,
            transient: never,
            user: Some(rule),
        },
    };
    let mut delays = Vec::new();
    for attempt in 1..=100 {
        let step = run.take(Event::Failed {
            node,
            attempt,
            failure,
        });
        let [
            Effect::Wait {
                delay: Some(delay), ..
            },
        ] = step.effects[..]
        else {
            break;
        };
        delays.push(delay);
        run.take(Event::RetryDue { node });
    }
    assert_eq!(delays, expected);
}

#[test]
fn waits_are_periodic_or_double() {
    let seconds = Duration::from_secs;
    let rule = |max, policy| RetryRule {
        max,
        interval: seconds(7),
        policy,
    };
    let periodic = [seconds(7), seconds(7), seconds(7)];
    let doubling = [seconds(7), seconds(14), seconds(28), seconds(56)];
    for class in [
        FailureClass::Transient,
        FailureClass::Error,
        FailureClass::Failed,
    ] {
        check_delays(rule(3, RetryPolicy::Periodic), class, &periodic);
        check_delays(rule(4, RetryPolicy::Exponential), class, &doubling);
        check_delays(rule(0, RetryPolicy::Periodic), class, &[]);
    }
}

#[test]
fn waits_that_double_for_ever_stay_at_the_greatest() {
    let interval = Duration::from_secs(u64::MAX / 2 + 1);
    let rule = RetryRule {
        max: 40,
        interval,
        policy: RetryPolicy::Exponential,
    };
    let mut expected = [Duration::MAX; 40];
    expected[0] = interval;
    check_delays(rule, FailureClass::Error, &expected);
}
