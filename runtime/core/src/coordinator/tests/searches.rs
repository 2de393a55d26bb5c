//! Searched instances.

use std::{collections::BTreeSet, convert::Infallible};

use super::{
    machine::{ActionRecord, Inputs, search_inputs},
    *,
};

/// The available days of September 2009, and the number of checks.
struct DaysThere {
    there: BTreeSet<String>,
    n_looks: usize,
}

impl DataAvailability for DaysThere {
    type Error = Infallible;

    fn is_there(&mut self, uri: &str) -> Result<bool, Infallible> {
        self.n_looks += 1;
        Ok(self.there.contains(uri))
    }
}

/// The days that a text of instances finds, in order, or `None` if there are not enough; and the number of checks.
fn search(
    instances: InstanceTexts,
    there: &[u32],
    nominal: &str,
    actual: &str,
) -> (Option<String>, usize) {
    let daily = ("${coord:days(1)}", "UTC", "2009-09-01T23:59");
    let coordinator = definition(daily, instances)
        .resolve(job(&[]))
        .expect("is sound");
    let mut days = DaysThere {
        there: there
            .iter()
            .map(|day| format!("/d/2009-09-{day:02}T23:59/_SUCCESS"))
            .collect(),
        n_looks: 0,
    };
    let data = coordinator.data_of(instant(nominal)).expect("has data");
    let event = &coordinator.inputs[0];
    assert_eq!(data.inputs[0].uris(&event.dataset), None);
    let record = ActionRecord {
        number: 1,
        nominal: instant(nominal),
        created: instant(actual),
        since: instant(actual),
        status: CoordinatorActionStatus::Waiting,
        revision: 1,
        run: 0,
        timeout: None,
        inputs: Inputs::default(),
        command: None,
        keeps_workflow: false,
        error: None,
    };
    let found = search_inputs(&coordinator, &record, &[0], &mut days)
        .unwrap_or_else(|never| match never {});
    let days_found = found[0].1.as_ref().map(|times| {
        let days: Vec<String> = times
            .iter()
            .map(|time| time.format("%d").to_string())
            .collect();
        days.join(" ")
    });
    (days_found, days.n_looks)
}

#[test]
fn latest_counts_back_over_gaps() {
    for (text, expected, n_looks) in [
        ("${coord:latest(0)}", Some("10"), 1),
        ("${coord:latest(-1)}", Some("09"), 2),
        ("${coord:latest(-2)}", Some("07"), 4),
        ("${coord:latest(-3)}", None, 10),
        ("${coord:latest(-100)}", None, 10),
        ("${coord:latestRange(-2,-1)}", Some("09 07"), 4),
        ("${coord:latestRange(-2,0)}", Some("10 09 07"), 4),
    ] {
        let there = [10, 9, 7, 12];
        let found = search(each(text), &there, "2009-09-03T23:59", "2009-09-10T23:59");
        assert_eq!(found, (expected.map(str::to_owned), n_looks), "{text}");
    }
    let found = search(
        range("${coord:latest(-1)} .. ${coord:latest(0)}"),
        &[10, 9],
        "2009-09-20T23:59",
        "2009-09-12T00:00",
    );
    assert_eq!(found, (Some("10 09".to_owned()), 3));
}

#[test]
fn future_counts_on_to_its_limit() {
    for (text, expected, n_looks) in [
        ("${coord:future(0,20)}", Some("10"), 2),
        ("${coord:future(1,20)}", Some("11"), 3),
        ("${coord:future(4,20)}", None, 21),
        ("${coord:future(1,1)}", None, 2),
        ("${coord:future(1,2)}", Some("11"), 3),
        ("${coord:futureRange(0,1,20)}", Some("10 11"), 3),
    ] {
        let found = search(
            each(text),
            &[10, 11],
            "2009-09-09T23:59",
            "2009-09-30T00:00",
        );
        assert_eq!(found, (expected.map(str::to_owned), n_looks), "{text}");
    }
    // The limit is that of the end.
    let found = search(
        range("${coord:future(0,1)} .. ${coord:future(1,5)}"),
        &[12, 13],
        "2009-09-09T23:59",
        "2009-09-30T00:00",
    );
    assert_eq!(found, (Some("12 13".to_owned()), 5));
}

#[test]
fn nothing_is_found_before_the_first_instance() {
    for text in ["${coord:latest(0)}", "${coord:future(0,3)}"] {
        let found = search(each(text), &[1, 2], "2009-08-01T00:00", "2009-08-01T00:00");
        assert_eq!(found, (None, 0), "{text}");
    }
}

#[test]
fn ranges_of_searches_end_after_they_start() {
    let daily = ("${coord:days(1)}", "UTC", "2009-09-01T23:59");
    for (text, expected) in [
        (
            "${coord:latest(0)} .. ${coord:latest(-1)}",
            "`coord:latest` goes from 0 to -1",
        ),
        (
            "${coord:future(2,9)} .. ${coord:future(1,9)}",
            "`coord:future` goes from 2 to 1",
        ),
    ] {
        let error = instances(&definition(daily, range(text)), "2009-09-09T00:00").expect_err(text);
        assert!(error.contains(expected), "{text}: {error}");
    }
}
