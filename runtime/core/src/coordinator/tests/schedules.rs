//! When actions are due.

use proptest::prelude::*;

use super::*;
use crate::{
    cron::Cron,
    frequency::{Frequency, FrequencyText, Interval},
    time::{TimeUnit, Zone},
};

fn schedule(frequency: &str, start: &str, end: &str) -> Schedule {
    Schedule {
        frequency: FrequencyText::plain(frequency)
            .read()
            .expect("is a frequency"),
        start: instant(start),
        end: instant(end),
        zone: Zone::UTC,
        processing_zone: ProcessingZone::UTC,
    }
}

fn times(actions: NominalActions<'_>) -> String {
    let actions: Vec<String> = actions
        .map(|action| format!("{}:{}", action.number, action.time.format("%dT%H:%M")))
        .collect();
    actions.join(" ")
}

#[test]
fn start_counts_and_end_does_not() {
    for (frequency, start, end, expected) in [
        (
            "5",
            "2009-03-06T10:00",
            "2009-03-06T10:14",
            "1:06T10:00 2:06T10:05 3:06T10:10",
        ),
        (
            "5",
            "2009-03-06T10:00",
            "2009-03-06T10:10",
            "1:06T10:00 2:06T10:05",
        ),
        ("5", "2009-03-06T10:00", "2009-03-06T10:01", "1:06T10:00"),
        (
            "*/5 * * * *",
            "2009-03-06T10:01",
            "2009-03-06T10:15",
            "1:06T10:05 2:06T10:10",
        ),
        (
            "*/5 * * * *",
            "2009-03-06T10:05",
            "2009-03-06T10:11",
            "1:06T10:05 2:06T10:10",
        ),
        // Clock changes in the coordinator's zone do not move the times of a cron expression.
        (
            "10 23 * * *",
            "2016-03-11T23:10",
            "2016-03-15T02:00",
            "1:11T23:10 2:12T23:10 3:13T23:10 4:14T23:10",
        ),
        ("0 10 * * *", "2016-03-11T11:00", "2016-03-11T12:00", ""),
    ] {
        let schedule = schedule(frequency, start, end);
        assert_eq!(
            times(schedule.actions()),
            expected,
            "{frequency} from {start} until {end}"
        );
    }
}

#[test]
fn numbers_count_from_the_start() {
    let minutely = schedule("1", "2000-01-01T00:00", "2100-01-01T00:00");
    let from = instant("2050-01-01T00:00");
    let first = minutely.actions_from(from).next().expect("has actions");
    assert_eq!(first.time, from);
    let days = 50 * 365 + 13;
    assert_eq!(first.number, days * 1440 + 1);
    assert_eq!(minutely.count_before(from), days * 1440);
    let cron = schedule(
        "*/2 9-17 * * MON-FRI",
        "2000-01-01T00:00",
        "2100-01-01T00:00",
    );
    let first = cron.actions_from(from).next().expect("has actions");
    assert_eq!(first.time, instant("2050-01-03T09:00"));
    // 2609 weeks of five days, since both Saturdays begin one.
    assert_eq!(first.number, 2609 * 5 * 9 * 30 + 1);
    assert_eq!(cron.actions_from(instant("2100-01-01T00:00")).next(), None);
    assert_eq!(
        cron.count_before(instant("2200-01-01T00:00")),
        cron.count_before(cron.end)
    );
    let year = schedule(
        "*/2 9-17 * * MON-FRI",
        "2000-01-01T00:00",
        "2001-01-01T00:00",
    );
    let counted = year.actions().map(|action| action.number).last();
    assert_eq!(
        Some(year.count_before(instant("2200-01-01T00:00"))),
        counted
    );
}

#[test]
fn end_of_the_calendar_is_the_end() {
    let mut schedule = schedule("2000000000", "2009-01-01T00:00", "2010-01-01T00:00");
    schedule.end = DateTime::<Utc>::MAX_UTC;
    for unit in TimeUnit::ALL {
        schedule.frequency = Frequency::Every(Interval {
            n: 2_000_000_000,
            unit,
            end_of: None,
        });
        // Chrono's calendar has more than 262,000 years.
        let n = match unit {
            TimeUnit::Minute => 69,
            TimeUnit::Hour => 2,
            TimeUnit::Day | TimeUnit::Week | TimeUnit::Month | TimeUnit::Year => 1,
        };
        assert_eq!(schedule.actions().count(), n, "{unit:?}");
        let last = schedule.actions_from(DateTime::<Utc>::MAX_UTC).next();
        assert_eq!(last, None, "{unit:?}");
    }
}

fn cron_field(max: u32, min: u32) -> impl Strategy<Value = String> {
    prop_oneof![
        Just("*".to_owned()),
        (min..=max).prop_map(|n| n.to_string()),
        (min..=max, min..=max).prop_map(|(a, b)| format!("{a}-{b}")),
        (min..=max, 1..=max).prop_map(|(a, step)| format!("{a}/{step}")),
        (min..=max, min..=max).prop_map(|(a, b)| format!("{a},{b}")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Counting gives the same result as iteration.
    #[test]
    fn times_of_cron_are_counted(
        minute in cron_field(59, 0),
        hour in cron_field(23, 0),
        day in prop_oneof![cron_field(31, 1), Just("L".to_owned()), Just("15W".to_owned())],
        month in cron_field(12, 1),
        weekday in prop_oneof![cron_field(7, 1), Just("?".to_owned()), Just("6#3".to_owned())],
        start in 0_i64..1_000_000,
        length in 0_i64..300_000,
        zone in prop_oneof![Just("UTC"), Just("GMT+0530")],
    ) {
        let text = format!("{minute} {hour} {day} {month} {weekday}");
        let zone = ProcessingZone::parse(zone).expect("is a zone");
        let cron = Cron::parse(&text).expect("is sound");
        let start = instant("2019-01-01T00:00") + chrono::Duration::minutes(start);
        let end = start + chrono::Duration::minutes(length);
        let visited = std::iter::successors(cron.first_from(start, zone), |last| cron.next_after(*last, zone))
            .take_while(|time| *time < end)
            .count();
        prop_assert_eq!(cron.count_between(start, end, zone), visited as u64, "{}", text);
    }
}
