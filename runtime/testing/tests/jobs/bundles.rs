//! Bundles: when they start their coordinators, what becomes of each, and of the bundle.

use hpdlc_runtime::test::{
    BundleSchedule, CoordinatorActionStatus, CoordinatorStatus, JobStatus, Schedule,
};

use crate::{check_panic, daily, nightly, shown, sites};

/// Two sites over four days; the coordinators are for three nights.
fn bundle() -> BundleSchedule {
    BundleSchedule::of(&sites::PROGRAM)
        .given("kickOff", "2026-01-01T00:00Z")
        .given("second", true)
        .to("2026-01-05T00:00Z")
}

#[test]
fn each_coordinator_has_its_data_and_its_outcomes() {
    let ran = bundle()
        .arrivals(["logs * +30m"])
        .arrivals_of("second", ["logs 2026-01-02T00:00Z never"])
        .outcomes(["* SUCCEEDED 5m"])
        .outcomes_of("first", ["3 KILLED"])
        .run();
    let of = |name: &str| -> Vec<String> {
        let actions = ran.coordinator(name).actions.iter();
        actions
            .map(|it| format!("{} {} {}", it.number, it.status, shown(it.ended)))
            .collect()
    };
    assert_eq!(
        of("first"),
        [
            "1 SUCCEEDED 01 00:35",
            "2 SUCCEEDED 02 00:35",
            "3 KILLED 03 00:30"
        ]
    );
    assert_eq!(
        of("second"),
        [
            "1 SUCCEEDED 01 00:35",
            "2 TIMEDOUT 02 01:01",
            "3 SUCCEEDED 03 00:35"
        ]
    );
    let statuses = ran.coordinators.values().map(|it| it.status);
    assert_eq!(
        statuses.collect::<Vec<_>>(),
        [CoordinatorStatus::DoneWithError; 2]
    );
    assert_eq!(ran.status, CoordinatorStatus::DoneWithError);
    assert_eq!(shown(ran.ended), "03 00:35");
}

#[test]
fn an_action_has_a_job_with_the_properties_of_its_coordinator() {
    let ran = bundle().run();
    assert_eq!(ran.status, CoordinatorStatus::Succeeded);
    let action = ran.coordinator("second").action(2);
    assert_eq!(
        action.waits_for[0].uri,
        "file:///data/second/logs/2026-01-02/_SUCCESS"
    );
    let job = action.job().run();
    assert_eq!(job.status, JobStatus::Succeeded);
    assert_eq!(
        job.values("copy").all("argument"),
        ["file:///data/second/logs/2026-01-02", "second"]
    );
}

#[test]
fn nothing_starts_before_the_kick_off_and_what_was_due_is_made_up_for() {
    let late = bundle().given("kickOff", "2026-01-02T12:00Z").run();
    assert_eq!(shown(late.started), "02 12:00");
    let started = late.coordinator("first").actions.iter();
    let started: Vec<String> = started.map(|it| shown(it.started)).collect();
    assert_eq!(started, ["02 12:00", "02 12:00", "03 00:00"]);

    let never = bundle().given("kickOff", "2026-02-01T00:00Z").run();
    assert_eq!(
        (never.status, never.started),
        (CoordinatorStatus::Prep, None)
    );
    assert!(never.coordinator("first").actions.is_empty());
}

#[test]
fn a_bundle_starts_when_it_is_submitted_after_its_kick_off() {
    let ran = bundle().submitted("2026-01-03T06:00Z").run();
    let action = ran.coordinator("first").action(1);
    assert_eq!(shown(action.started), "03 06:00");
    assert_eq!(action.status, CoordinatorActionStatus::Succeeded);
}

#[test]
fn only_coordinators_that_are_enabled_are_there() {
    let ran = bundle().given("second", false).run();
    let names: Vec<&str> = ran.coordinators.keys().map(String::as_str).collect();
    assert_eq!(names, ["first"]);
    check_panic(
        "the bundle starts no coordinator `fist`; is `first` meant? It starts first",
        || {
            let _ = ran.coordinator("fist");
        },
    );
}

#[test]
fn mistakes_are_refused_with_their_rule() {
    let refusal = |schedule: BundleSchedule| schedule.try_run().expect_err("it is wrong").message;
    assert_eq!(
        refusal(bundle().arrivals(["log * never"])),
        "the arrival `log * never`: there is no dataset `log`: those of the inputs are logs"
    );
    assert_eq!(
        refusal(bundle().outcomes_of("third", ["* KILLED"])),
        "the rule `* KILLED`: the bundle starts no coordinator `third`. It starts first, second"
    );
    assert!(refusal(bundle().outcomes(["1 DONE"])).starts_with("the outcome `1 DONE`: "));
    assert!(refusal(bundle().to("today")).starts_with("the time `to` is `today`: "));
    let without = refusal(BundleSchedule::of(&sites::PROGRAM));
    assert!(
        without.contains("property kickOff is not given"),
        "{without}"
    );
}

#[test]
fn a_schedule_is_of_the_document_that_it_is_for() {
    check_panic("the program is of a bundle: BundleSchedule::of", || {
        let _ = Schedule::of(&sites::PROGRAM);
    });
    check_panic("the program is of a coordinator: Schedule::of", || {
        let _ = BundleSchedule::of(&nightly::PROGRAM);
    });
    check_panic(
        "the program is of a workflow, which has no schedule",
        || {
            let _ = BundleSchedule::of(&daily::PROGRAM);
        },
    );
}
