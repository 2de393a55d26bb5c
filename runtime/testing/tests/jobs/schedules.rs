//! Coordinators: when their actions start, what they wait for, and what they give to their workflows.

use hpdlc_runtime::test::{CoordinatorActionStatus, JobStatus, Schedule};

use crate::{check_panic, daily, nightly, shown};

/// Three nights; the logs of the second do not come.
fn nights() -> Schedule {
    Schedule::of(&nightly::PROGRAM)
        .given("end", "2026-02-01T00:00Z")
        .to("2026-01-04T00:00Z")
        .arrivals(["logs * +30m", "logs 2026-01-02T00:00Z never"])
        .outcomes(["1 SUCCEEDED 5m", "3 KILLED"])
}

#[test]
fn actions_start_when_their_data_are_there() {
    let ran = nights().run();
    let actions = ran.actions.iter().map(|action| {
        let times = [action.ready, action.started, action.ended].map(shown);
        format!("{} {} {}", action.number, action.status, times.join(", "))
    });
    assert_eq!(
        actions.collect::<Vec<String>>(),
        [
            "1 SUCCEEDED 01 00:30, 01 00:30, 01 00:35",
            "2 TIMEDOUT , , 02 01:01",
            "3 KILLED 03 00:30, 03 00:30, 03 00:30",
        ]
    );
}

#[test]
fn an_action_says_for_which_instances_it_waits() {
    let ran = nights().run();
    let first = &ran.action(1).waits_for;
    assert_eq!(first[0].uri, "file:///data/logs/2026-01-01/_SUCCESS");
    assert_eq!((first.len(), first[0].event.as_str()), (1, "day"));
    assert!(ran.action(1).missing.is_empty());
    assert_eq!(ran.action(2).missing, ran.action(2).waits_for);
    assert!(ran.action(2).properties.is_empty());
}

#[test]
fn an_action_has_a_job_of_its_workflow_with_its_properties() {
    let ran = nights().given("user.name", "ann").run();
    let action = ran.action(1);
    assert_eq!(action.properties["input"], "file:///data/logs/2026-01-01");
    let job = action.job().run();
    assert_eq!(job.status, JobStatus::Succeeded);
    assert_eq!(
        job.values("copy").all("argument"),
        [
            "file:///data/logs/2026-01-01",
            "/app/copy/ann-20260101",
            "2026-01-01T00:30Z"
        ]
    );
}

#[test]
fn what_is_still_waiting_at_the_end_says_so() {
    let ran = nights()
        .from("2026-01-02T00:00Z")
        .to("2026-01-02T00:10Z")
        .run();
    assert_eq!(ran.actions.len(), 1);
    assert_eq!(ran.action(2).status, CoordinatorActionStatus::Waiting);
    assert_eq!(ran.action(2).missing.len(), 1);
}

#[test]
fn mistakes_are_refused_with_their_rule() {
    let refusal = |schedule: Schedule| schedule.try_run().expect_err("it is wrong").message;
    assert_eq!(
        refusal(nights().arrivals(["log * never"])),
        "the arrival `log * never`: there is no dataset `log`: those of the inputs are logs"
    );
    assert!(refusal(nights().outcomes(["1 DONE"])).starts_with("the outcome `1 DONE`: "));
    assert!(refusal(nights().from("today")).starts_with("the time `from` is `today`: "));
    let without = refusal(Schedule::of(&nightly::PROGRAM));
    assert!(
        without.starts_with("property end is not given"),
        "{without}"
    );
}

#[test]
fn a_workflow_has_no_schedule() {
    check_panic(
        "the program is of a workflow, which has no schedule",
        || {
            let _ = Schedule::of(&daily::PROGRAM);
        },
    );
}

#[test]
fn an_action_that_has_not_started_has_no_job() {
    check_panic("action 2 is TIMEDOUT and has started no workflow", || {
        let _ = nights().run().action(2).job();
    });
}
