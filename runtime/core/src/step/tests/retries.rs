//! The failure classes and their retries.

use std::time::Duration;

use super::{
    AttemptFailure, Effect, Event, FailureClass, RetryPolicy, RetryRule, StepJob, TestGraph,
};

const ONE_ACTION: &str = "start > a\n action a > end k\n kill k\n end";

/// The delays before retries that a rule yields.
#[track_caller]
fn check_delays(rule: RetryRule, class: FailureClass, expected: &[Duration]) {
    let graph = TestGraph::new(ONE_ACTION);
    let node = graph.node("a");
    let mut run = StepJob::new(&graph);
    run.take(Event::Start);
    let never = RetryRule { max: 0, ..rule };
    let failure = match class {
        FailureClass::Transient => AttemptFailure {
            class,
            transient: rule,
            user: None,
        },
        FailureClass::NonTransient | FailureClass::Error | FailureClass::Failed => AttemptFailure {
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
