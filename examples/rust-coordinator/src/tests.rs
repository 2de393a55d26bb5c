//! Tests of the coordinator on virtual time, and of the workflow that it starts.

use hpdlc_flow::runtime::test::{
    Answer, BundleSchedule, CoordinatorActionStatus, CoordinatorStatus, JobStatus, Schedule,
};

use crate::{actions::Counted, daily, nightly, sites};

/// The coordinator over the first nights of a year.
fn schedule() -> Schedule {
    let params = nightly::Params {
        root: "/data".to_owned(),
        start: "2026-01-02T00:00Z".to_owned(),
        end: "2026-02-01T00:00Z".to_owned(),
    };
    Schedule::of(&nightly::PROGRAM)
        .given_all(params.properties())
        .to("2026-01-05T00:00Z")
}

#[test]
fn a_night_waits_for_all_hours_of_its_day() {
    let scheduled = schedule().arrivals(["logs * +10m"]).run();
    assert_eq!(scheduled.actions.len(), 3);
    let first = scheduled.action(1);
    assert_eq!(first.waits_for.len(), 24);
    let uris: Vec<&str> = first.waits_for.iter().map(|it| it.uri.as_str()).collect();
    assert_eq!(
        uris.iter().max(),
        Some(&"file:///data/logs/2026-01-01/23/_SUCCESS")
    );
    assert_eq!(first.status, CoordinatorActionStatus::Succeeded);
}

#[test]
fn a_night_without_an_hour_times_out() {
    let scheduled = schedule()
        .arrivals(["logs * +10m", "logs 2026-01-02T07:00Z never"])
        .run();
    let second = scheduled.action(2);
    assert_eq!(second.status, CoordinatorActionStatus::TimedOut);
    assert_eq!(second.missing.len(), 1);
    assert_eq!(
        scheduled.action(3).status,
        CoordinatorActionStatus::Succeeded
    );
}

#[test]
fn the_workflow_gets_the_day_that_is_over() {
    let scheduled = schedule().run();
    let second = scheduled.action(2);
    assert_eq!(second.properties["day"], "2026-01-02");
    assert_eq!(
        second.properties["report"],
        "file:///data/reports/2026-01-02"
    );

    let ran = second
        .job()
        .answer(
            "count",
            Ok(Counted {
                requests: 70,
                hours: 24,
            }),
        )
        .answer("publish", Answer::ok())
        .run();
    assert_eq!(ran.status, JobStatus::Succeeded);
    assert_eq!(
        &ran.values("publish")["argument[2]"],
        "Requests of 2026-01-02"
    );
    assert_eq!(&ran.values("publish")["argument[3]"], "70 in 24 hours");
}

#[test]
fn one_site_fails_and_the_other_does_not() {
    let params = sites::Params {
        root: "/data".to_owned(),
        start: "2026-01-02T00:00Z".to_owned(),
        end: "2026-01-04T00:00Z".to_owned(),
        second: Some(true),
    };
    let ran = BundleSchedule::of(&sites::PROGRAM)
        .given_all(params.properties())
        .outcomes_of("second", ["1 KILLED"])
        .to("2026-01-05T00:00Z")
        .run();
    assert_eq!(
        ran.coordinator("first").status,
        CoordinatorStatus::Succeeded
    );
    let second = ran.coordinator("second");
    assert_eq!(second.status, CoordinatorStatus::DoneWithError);
    assert_eq!(
        second.action(2).properties["report"],
        "file:///data/second/reports/2026-01-02"
    );
    assert_eq!(ran.status, CoordinatorStatus::DoneWithError);
}

#[test]
fn both_documents_are_in_the_program() {
    assert_eq!(nightly::PROGRAM.name(), "nightly");
    let files: Vec<&str> = nightly::PROGRAM.files.iter().map(|it| it.path).collect();
    assert_eq!(files, ["coordinator.xml", "workflow.xml"]);
    assert!(nightly::XML.contains("<app-path>daily</app-path>"));
    assert_ne!(nightly::PROGRAM.hash, daily::PROGRAM.hash);
}

#[test]
fn the_bundle_has_its_coordinator_and_the_workflow_of_that() {
    let program = &sites::PROGRAM;
    assert_eq!((program.word(), &*program.name()), ("bundle", "sites"));
    let files: Vec<&str> = program.files.iter().map(|it| it.path).collect();
    let expected = [
        "bundle.xml",
        "nightly/coordinator.xml",
        "nightly/workflow.xml",
    ];
    assert_eq!(files, expected);
    let coordinator = program.coordinators[0];
    assert_eq!(
        (program.coordinators.len(), coordinator.folder),
        (1, "nightly")
    );
    let folders: Vec<&str> = program.apps.iter().map(|it| it.folder).collect();
    assert_eq!(folders, ["nightly"]);
    assert_eq!(sites::ACTIONS.len(), nightly::ACTIONS.len());
    let parameters: Vec<&str> = program.parameters().iter().map(|it| it.name).collect();
    assert_eq!(parameters, ["end", "root", "second", "start", "title"]);
}
