//! Tests of simulated coordinators, and of the files that define the simulation.

use std::{collections::BTreeMap, fmt::Write, sync::Arc};

use expect_test::{Expect, expect};

use super::*;
use crate::{
    coordinator::{
        CoordinatorDefinition, InstanceTexts,
        definition::{Controls, DatasetText, EventText},
        tests::{instant, job, template, written},
    },
    time::ProcessingZone,
};

/// A coordinator from 2026 on with this frequency and zone, where each action needs the instance of its time.
fn coordinator(frequency: &str, zone: &str, controls: Controls) -> Coordinator {
    let definition = CoordinatorDefinition {
        name: template("c"),
        frequency: template(frequency),
        start: template("2026-01-01T00:00Z"),
        end: template("2027-01-01T00:00Z"),
        timezone: template(zone),
        controls,
        datasets: BTreeMap::from([(
            "logs".to_owned(),
            DatasetText {
                frequency: template("${coord:hours(1)}"),
                initial_instance: template("2025-01-01T00:00Z"),
                timezone: template("UTC"),
                uri_template: template("/${DAY}/${HOUR}"),
                done_flag: None,
            },
        )]),
        inputs: vec![EventText {
            name: "in".to_owned(),
            dataset: template("logs"),
            instances: InstanceTexts::Each(vec![template("${coord:current(0)}")]),
        }],
        input_logic: None,
        outputs: Vec::new(),
        sla: None,
    };
    definition.resolve(job(&[])).expect("is sound")
}

fn check(hours: i64, controls: Controls, outcomes: &str, arrivals: &str, expected: Expect) {
    let from = instant("2026-01-01T00:00");
    let simulation = Simulation {
        coordinator: Arc::new(coordinator("${coord:hours(1)}", "UTC", controls)),
        from,
        submitted: from,
        to: from + Duration::hours(hours),
        settings: SchedulerSettings::default(),
        outcomes: Outcomes::parse(outcomes, ProcessingZone::UTC).expect("are outcomes"),
        arrivals: Arrivals::parse(arrivals, &["logs"], ProcessingZone::UTC).expect("are arrivals"),
    };
    let mut text = String::new();
    let ending = simulation.run(&mut |happening| {
        let _ = write!(text, "{} ", written(happening.time));
        let _ = match happening.what {
            SimStatusChange::Coordinator(status) => writeln!(text, "{status}"),
            SimStatusChange::Action { transition, .. } => {
                writeln!(text, "{} {}", transition.number, transition.to)
            }
        };
    });
    let _ = writeln!(text, "{} with {} left", ending.status, ending.living.len());
    expected.assert_eq(&text);
}

#[test]
fn all_is_well_unless_it_is_said_otherwise() {
    check(
        2,
        Controls::default(),
        "",
        "",
        expect![[r#"
        2026-01-01T00:00 1 WAITING
        2026-01-01T00:00 RUNNING
        2026-01-01T00:00 1 READY
        2026-01-01T00:00 1 SUBMITTED
        2026-01-01T00:00 1 RUNNING
        2026-01-01T00:00 1 SUCCEEDED
        2026-01-01T01:00 2 WAITING
        2026-01-01T01:00 2 READY
        2026-01-01T01:00 2 SUBMITTED
        2026-01-01T01:00 2 RUNNING
        2026-01-01T01:00 2 SUCCEEDED
        RUNNING with 0 left
    "#]],
    );
}

#[test]
fn workflows_end_as_the_outcomes_say() {
    check(
        4,
        Controls::default(),
        "
        * SUCCEEDED 90m # each takes longer than an hour
        2 KILLED 10s
        2026-01-01T03:00Z::2026-01-02T00:00Z FAILED 1m
        ",
        "",
        expect![[r#"
            2026-01-01T00:00 1 WAITING
            2026-01-01T00:00 RUNNING
            2026-01-01T00:00 1 READY
            2026-01-01T00:00 1 SUBMITTED
            2026-01-01T00:00 1 RUNNING
            2026-01-01T01:00 2 WAITING
            2026-01-01T01:00 2 READY
            2026-01-01T01:30 1 SUCCEEDED
            2026-01-01T01:30 2 SUBMITTED
            2026-01-01T01:30 2 RUNNING
            2026-01-01T01:30 2 KILLED
            2026-01-01T01:30 RUNNINGWITHERROR
            2026-01-01T02:00 3 WAITING
            2026-01-01T02:00 3 READY
            2026-01-01T02:00 3 SUBMITTED
            2026-01-01T02:00 3 RUNNING
            2026-01-01T03:00 4 WAITING
            2026-01-01T03:00 4 READY
            2026-01-01T03:30 3 SUCCEEDED
            2026-01-01T03:30 4 SUBMITTED
            2026-01-01T03:30 4 RUNNING
            2026-01-01T03:31 4 FAILED
            RUNNINGWITHERROR with 0 left
        "#]],
    );
}

#[test]
fn data_arrives_as_the_arrivals_say() {
    let controls = Controls {
        timeout: Some(template("20")),
        ..Controls::default()
    };
    check(
        4,
        controls,
        "",
        "
        * * +10m
        logs 2026-01-01T01:00Z 2026-01-01T01:15Z
        logs 2026-01-01T02:00Z never
        logs 2026-01-01T03:00Z -1d
        ",
        expect![[r#"
            2026-01-01T00:00 1 WAITING
            2026-01-01T00:00 RUNNING
            2026-01-01T00:10 1 READY
            2026-01-01T00:10 1 SUBMITTED
            2026-01-01T00:10 1 RUNNING
            2026-01-01T00:10 1 SUCCEEDED
            2026-01-01T01:00 2 WAITING
            2026-01-01T01:15 2 READY
            2026-01-01T01:15 2 SUBMITTED
            2026-01-01T01:15 2 RUNNING
            2026-01-01T01:15 2 SUCCEEDED
            2026-01-01T02:00 3 WAITING
            2026-01-01T02:21 3 TIMEDOUT
            2026-01-01T02:21 RUNNINGWITHERROR
            2026-01-01T03:00 4 WAITING
            2026-01-01T03:00 4 READY
            2026-01-01T03:00 4 SUBMITTED
            2026-01-01T03:00 4 RUNNING
            2026-01-01T03:00 4 SUCCEEDED
            RUNNINGWITHERROR with 0 left
        "#]],
    );
}

#[test]
fn a_simulation_may_begin_in_the_middle() {
    let from = instant("2026-06-01T00:30");
    let simulation = Simulation {
        coordinator: Arc::new(coordinator("${coord:hours(1)}", "UTC", Controls::default())),
        from,
        submitted: from,
        to: from + Duration::hours(1),
        settings: SchedulerSettings::default(),
        outcomes: Outcomes::default(),
        arrivals: Arrivals::default(),
    };
    let mut made = Vec::new();
    simulation.run(&mut |happening| {
        if let SimStatusChange::Action { transition, .. } = happening.what
            && transition.from.is_none()
        {
            made.push((transition.number, transition.nominal));
        }
    });
    // 151 days before it.
    assert_eq!(made, [(151 * 24 + 2, instant("2026-06-01T01:00"))]);
}

#[test]
fn actions_from_before_the_submission_are_made_up_for() {
    let from = instant("2026-01-01T00:00");
    let submitted = from + Duration::minutes(150);
    let simulation = Simulation {
        coordinator: Arc::new(coordinator("${coord:hours(1)}", "UTC", Controls::default())),
        from,
        submitted,
        to: from + Duration::hours(4),
        settings: SchedulerSettings::default(),
        outcomes: Outcomes::default(),
        arrivals: Arrivals::default(),
    };
    let mut made = Vec::new();
    simulation.run(&mut |happening| {
        if let SimStatusChange::Action { transition, .. } = happening.what
            && transition.from.is_none()
        {
            made.push((transition.number, written(happening.time)));
        }
    });
    let late = written(submitted);
    let expected = [
        (1, late.clone()),
        (2, late.clone()),
        (3, late),
        (4, "2026-01-01T03:00".to_owned()),
    ];
    assert_eq!(made, expected);
}

#[test]
fn lines_that_are_no_rules_are_refused() {
    let zone = ProcessingZone::UTC;
    for (text, message) in [
        ("*", "line 1: expected `WHICH STATUS [DURATION]`"),
        ("\n* DONE", "line 2: `DONE` is none of"),
        ("* SUCCEEDED 5", "line 1: `5` is no duration"),
        ("* SUCCEEDED 5x", "`5x` is no duration"),
        ("* SUCCEEDED 99999999999999999d", "is no duration"),
        ("5-3 SUCCEEDED", "`5-3` is no date"),
        (
            "2026-01-02T00:00Z::2026-01-01T00:00Z KILLED",
            "ends before it starts",
        ),
    ] {
        let error = Outcomes::parse(text, zone).expect_err(text);
        assert!(error.to_string().contains(message), "{text}: {error}");
    }
    for (text, message) in [
        ("logs *", "line 1: expected `DATASET WHICH WHEN`"),
        (
            "tables * never",
            "there is no dataset `tables`: those of the inputs are logs",
        ),
        ("logs * soon", "`soon` is no date"),
        ("logs * +x", "`x` is no duration"),
        ("logs 1 never", "`1` is no date"),
    ] {
        let error = Arrivals::parse(text, &["logs"], zone).expect_err(text);
        assert!(error.to_string().contains(message), "{text}: {error}");
    }
}

fn shown(frequency: &str, zone: &str, start: &str) -> String {
    let mut schedule = coordinator(frequency, zone, Controls::default()).schedule;
    schedule.start = instant(start);
    let mut text = String::new();
    for change in clock_changes(&schedule, schedule.start, schedule.end) {
        let _ = write!(
            text,
            "{} {} to {}",
            written(change.at),
            change.before,
            change.after
        );
        if let [(first, _), .., (last, _)] = &change.doubled[..] {
            let n = change.doubled.len();
            let (first, last) = (written(first.time), written(last.time));
            let _ = write!(text, "; {n} doubled {first} to {last}");
        } else if let [(first, second)] = &change.doubled[..] {
            let (first, second) = (written(first.time), written(second.time));
            let _ = write!(text, "; doubled {first} and {second}");
        }
        for local in change.skipped.iter().take(1) {
            let _ = write!(text, "; {} skipped from {local}", change.skipped.len());
        }
        for (action, expected) in &change.shifted {
            let _ = write!(text, "; shifted {} from {expected}", written(action.time));
        }
        if change.moved_by != 0 {
            let _ = write!(text, "; moved by {}", change.moved_by);
        }
        text.push('\n');
    }
    text
}

#[test]
fn changes_of_clocks_double_skip_and_shift() {
    let berlin = "Europe/Berlin";
    let mut text = String::new();
    let new_year = "2026-01-01T00:00";
    for (frequency, zone, start) in [
        ("${coord:hours(1)}", berlin, new_year),
        ("15", berlin, new_year),
        ("${coord:hours(24)}", berlin, new_year),
        ("${coord:days(1)}", berlin, new_year),
        // 02:30 in winter.
        ("${coord:days(1)}", berlin, "2026-01-01T01:30"),
        ("${coord:months(1)}", berlin, "2026-01-29T01:30"),
        ("30 1 * * *", berlin, new_year),
        ("0 9-17 * * *", berlin, new_year),
        ("0 0 1 * *", berlin, new_year),
        ("30 0 * * *", "America/Havana", new_year),
        ("${coord:hours(1)}", "UTC", new_year),
    ] {
        let shown = shown(frequency, zone, start);
        let _ = write!(text, "{frequency} {zone} {start}\n{shown}");
    }
    expect![[r#"
        ${coord:hours(1)} Europe/Berlin 2026-01-01T00:00
        2026-03-29T01:00 +01:00 to +02:00; 1 skipped from 2026-03-29 02:00:00
        2026-10-25T01:00 +02:00 to +01:00; doubled 2026-10-25T00:00 and 2026-10-25T01:00
        15 Europe/Berlin 2026-01-01T00:00
        2026-03-29T01:00 +01:00 to +02:00; 4 skipped from 2026-03-29 02:00:00
        2026-10-25T01:00 +02:00 to +01:00; 4 doubled 2026-10-25T00:00 to 2026-10-25T00:45
        ${coord:hours(24)} Europe/Berlin 2026-01-01T00:00
        2026-03-29T01:00 +01:00 to +02:00; moved by 60
        2026-10-25T01:00 +02:00 to +01:00; moved by -60
        ${coord:days(1)} Europe/Berlin 2026-01-01T00:00
        2026-03-29T01:00 +01:00 to +02:00
        2026-10-25T01:00 +02:00 to +01:00
        ${coord:days(1)} Europe/Berlin 2026-01-01T01:30
        2026-03-29T01:00 +01:00 to +02:00; shifted 2026-03-29T00:30 from 2026-03-29 02:30:00
        2026-10-25T01:00 +02:00 to +01:00
        ${coord:months(1)} Europe/Berlin 2026-01-29T01:30
        2026-03-29T01:00 +01:00 to +02:00; shifted 2026-03-29T01:30 from 2026-03-29 02:30:00
        2026-10-25T01:00 +02:00 to +01:00
        30 1 * * * Europe/Berlin 2026-01-01T00:00
        2026-03-29T01:00 +01:00 to +02:00; 1 skipped from 2026-03-29 02:30:00; moved by 60
        2026-10-25T01:00 +02:00 to +01:00; moved by -60
        0 9-17 * * * Europe/Berlin 2026-01-01T00:00
        2026-03-29T01:00 +01:00 to +02:00; moved by 60
        2026-10-25T01:00 +02:00 to +01:00; moved by -60
        0 0 1 * * Europe/Berlin 2026-01-01T00:00
        2026-03-29T01:00 +01:00 to +02:00; moved by 60
        2026-10-25T01:00 +02:00 to +01:00; moved by -60
        30 0 * * * America/Havana 2026-01-01T00:00
        2026-03-08T05:00 -05:00 to -04:00; moved by 60
        2026-11-01T05:00 -04:00 to -05:00; moved by -60
        ${coord:hours(1)} UTC 2026-01-01T00:00
    "#]]
    .assert_eq(&text);
}

/// The first clock change that affects a schedule from this start on.
fn first_change(frequency: &str, start: &str) -> String {
    let shown = shown(frequency, "Europe/Berlin", start);
    shown.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn a_change_is_told_alike_however_soon_after_the_start_it_comes() {
    for (frequency, time_of_day, expected) in [
        (
            "${coord:hours(1)}",
            "T22:00",
            "; 1 skipped from 2026-03-29 02:00:00",
        ),
        ("15", "T23:45", "; 4 skipped from 2026-03-29 02:00:00"),
        ("${coord:hours(24)}", "T12:00", "; moved by 60"),
        (
            "${coord:hours(24)}",
            "T01:30",
            "; 1 skipped from 2026-03-29 02:30:00; moved by 60",
        ),
        (
            "${coord:days(1)}",
            "T01:30",
            "; shifted 2026-03-29T00:30 from 2026-03-29 02:30:00",
        ),
        (
            "30 1 * * *",
            "T12:00",
            "; 1 skipped from 2026-03-29 02:30:00; moved by 60",
        ),
        ("0 9-17 * * *", "T18:00", "; moved by 60"),
        ("0 9-17 * * *", "T10:00", "; moved by 60"),
        ("0 9 * * 2-6", "T10:00", "; moved by 60"),
    ] {
        let expected = format!("2026-03-29T01:00 +01:00 to +02:00{expected}");
        for day in ["2026-03-28", "2026-03-01"] {
            let start = format!("{day}{time_of_day}");
            assert_eq!(
                first_change(frequency, &start),
                expected,
                "{frequency} {start}"
            );
        }
    }
}

#[test]
fn what_ends_before_it_could_move_does_not_move() {
    let mut schedule = coordinator("0 9 * * *", "Europe/Berlin", Controls::default()).schedule;
    schedule.start = instant("2026-03-20T00:00");
    schedule.end = instant("2026-03-29T08:00");
    let changes = clock_changes(&schedule, schedule.start, schedule.end);
    assert_eq!(changes.len(), 1);
    assert_eq!(changes[0].moved_by, 0);
}
