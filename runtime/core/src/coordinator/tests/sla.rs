//! SLA records of actions, and when alerts are disabled.

use std::collections::BTreeMap;

use super::*;
use crate::sla::{SlaEvent, SlaRecord, SlaTexts};

/// The record of the action of 2009-09-08T23:59Z; the block has these texts.
fn record(texts: &[(&str, &str)]) -> Result<SlaRecord, String> {
    let mut definition = definition(
        ("1", "UTC", "2009-01-01T00:00"),
        each("${coord:current(0)}"),
    );
    definition.sla = Some(SlaTexts::of(|element| {
        let text = texts.iter().find(|(name, _)| *name == element);
        text.map(|(_, text)| template(text))
    }));
    let coordinator = definition
        .resolve(job(&[("late", " 45 "), ("who", "ann@example.com")]))
        .map_err(|error| error.to_string())?;
    let facts = ActionFacts {
        id: Some("0000001-c@7".to_owned()),
        name: coordinator.name.clone(),
        nominal: instant("2009-09-08T23:59"),
        actual: Some(instant("2009-09-09T00:01")),
        inputs: BTreeMap::new(),
        outputs: BTreeMap::new(),
    };
    coordinator
        .sla_of(&facts)
        .expect("it has a block")
        .map_err(|error| format!("{} {error}", error.oozie_code()))
}

#[test]
fn a_block_is_evaluated_for_its_action() {
    let found = record(&[
        ("nominal-time", "${coord:nominalTime()}"),
        ("should-start", "${10 * MINUTES}"),
        ("should-end", "${late}"),
        ("max-duration", "${1 * HOURS}"),
        ("alert-events", "start_miss,end_miss"),
        ("alert-contact", "${who}"),
        ("notification-msg", "${coord:name()} ${coord:actionId()}"),
    ]);
    let nominal = instant("2009-09-08T23:59").timestamp_millis();
    assert_eq!(
        found,
        Ok(SlaRecord {
            nominal,
            expected_start: Some(nominal + 600_000),
            expected_end: nominal + 2_700_000,
            expected_duration: Some(3_600_000),
            alert_events: Some(vec![SlaEvent::StartMiss, SlaEvent::EndMiss]),
            alert_contact: Some("ann@example.com".to_owned()),
            notification_message: Some("hourly 0000001-c@7".to_owned()),
            upstream_apps: None,
        })
    );
}

#[test]
fn what_an_action_cannot_have_is_said() {
    for (texts, expected) in [
        (
            [("nominal-time", "${nowhere}"), ("should-end", "1")],
            "E1004 nominal-time: ",
        ),
        (
            [
                ("nominal-time", "${coord:nominalTime()}"),
                ("should-end", "-1"),
            ],
            "E0302 should-end is `-1`: it lies before the nominal time",
        ),
    ] {
        let error = record(&texts).expect_err("it has a mistake");
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn a_coordinator_without_a_block_expects_nothing() {
    let definition = definition(
        ("1", "UTC", "2009-01-01T00:00"),
        each("${coord:current(0)}"),
    );
    let coordinator = definition.resolve(job(&[])).expect("it has no mistakes");
    let facts = ActionFacts {
        id: None,
        name: String::new(),
        nominal: instant("2009-09-08T23:59"),
        actual: None,
        inputs: BTreeMap::new(),
        outputs: BTreeMap::new(),
    };
    assert!(coordinator.sla_of(&facts).is_none());
}

#[test]
fn who_is_silent_is_said_by_number_date_name_and_age() {
    let alerted = Alerted {
        coordinator_id: "0000001-090101000000000-hpdl-C",
        coordinator_name: "daily logs",
        number: 5,
        nominal: instant("2009-01-05T00:00"),
    };
    let soon = instant("2009-01-05T01:00");
    let late = instant("2009-01-07T00:01");
    for (name, value, now, expected) in [
        ("", "", soon, false),
        ("", "", late, true),
        ("oozie.sla.disable.alerts.older.than", "72", late, false),
        ("oozie.sla.disable.alerts.older.than", "0", late, false),
        ("oozie.sla.disable.alerts", "ALL", soon, true),
        ("oozie.sla.disable.alerts", "5", soon, true),
        ("oozie.sla.disable.alerts", "4, 6", soon, false),
        ("oozie.sla.disable.alerts", "1, 3-7", soon, true),
        ("oozie.sla.disable.alerts", "6-9", soon, false),
        ("oozie.sla.disable.alerts", "1-4", soon, false),
        ("oozie.sla.disable.alerts", "2009-01-05T00:00Z", soon, true),
        ("oozie.sla.disable.alerts", "2009-01-06T00:00Z", soon, false),
        (
            "oozie.sla.disable.alerts",
            "2009-01-01T00:00Z::2009-01-05T00:00Z",
            soon,
            true,
        ),
        (
            "oozie.sla.disable.alerts",
            "2009-01-06T00:00Z::2009-01-09T00:00Z",
            soon,
            false,
        ),
        ("oozie.sla.disable.alerts", "some", soon, false),
        (
            "oozie.sla.disable.alerts.coord",
            "other, daily logs",
            soon,
            true,
        ),
        (
            "oozie.sla.disable.alerts.coord",
            "0000001-090101000000000-hpdl-C",
            soon,
            true,
        ),
        ("oozie.sla.disable.alerts.coord", "other", soon, false),
    ] {
        let properties = BTreeMap::from([(name.to_owned(), value.to_owned())]);
        let found = alerted.is_silent(&properties, 48, now);
        assert_eq!(found, expected, "{name}={value}");
    }
}
