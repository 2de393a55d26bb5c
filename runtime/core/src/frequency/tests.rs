//! Table tests of intervals: Oozie's results for each, in summer, winter and between.

use std::collections::BTreeMap;

use hpdlc_tests::cases;

use super::*;
use crate::el::{parser, scope::NoJob};

fn evaluated(text: &str) -> Result<FrequencyText, ElError> {
    let template = parser::parse_template(text).expect("the test's text parses");
    let scope = NoJob::new(&BTreeMap::new(), DateTime::UNIX_EPOCH);
    evaluate(&template, &scope)
}

fn frequency(text: &str) -> Frequency {
    let text = evaluated(text).expect("has a value");
    text.read().expect("is a frequency")
}

fn instant(text: &str) -> DateTime<Utc> {
    let read = ProcessingZone::UTC.read(text);
    read.expect("is a date").instant
}

#[test]
fn times_are_those_of_oozie() {
    cases::check("runtime/core/src/frequency/tests.txt", |case| {
        let (text, rest) = case.given.split_once(" in ").expect("a zone");
        let (zone, times) = rest.split_once(" from ").expect("a start");
        let (start, end) = match times.split_once(" to ") {
            Some((start, end)) => (start, Some(instant(end))),
            None => (times, None),
        };
        let zone = Zone::parse(zone).expect("is a zone");
        let n_expected = case.expected.split(' ').count();
        let found: Vec<String> = frequency(text)
            .times(instant(start), zone, ProcessingZone::UTC)
            .take_while(|time| end.is_none_or(|end| *time < end))
            .take(n_expected + usize::from(end.is_some()))
            .map(|time| time.format("%m-%dT%H:%M").to_string())
            .collect();
        found.join(" ")
    });
}

#[test]
fn unit_is_that_of_the_last_function() {
    for (text, value, unit) in [
        ("${coord:months(1)+7}", "8", TimeUnit::Month),
        ("${coord:hours(coord:hours(1))}", "3600", TimeUnit::Minute),
        ("${coord:days(1) + coord:minutes(2)}", "3", TimeUnit::Minute),
        (
            "${true ? coord:days(2) : coord:months(1)}",
            "2",
            TimeUnit::Day,
        ),
        (
            "${false and coord:days(1) > 0 ? 1 : 5}",
            "5",
            TimeUnit::Minute,
        ),
        ("0 0 * * *", "0 0 * * *", TimeUnit::Minute),
    ] {
        let found = evaluated(text).expect("has a value");
        assert_eq!((found.text.as_str(), found.unit), (value, unit), "{text}");
    }
}

#[test]
fn what_is_not_above_zero_is_refused() {
    for text in [
        "${coord:days(0)}",
        "${coord:endOfMonths(-1)}",
        "${coord:days('')}",
    ] {
        assert!(evaluated(text).is_err(), "{text}");
    }
    for (text, n) in [("0", 0), ("-5", -5), ("${coord:days(1)-3}", -2)] {
        let read = evaluated(text).expect("has a value").read();
        assert_eq!(read, Err(FrequencyError::NotPositive(n)), "{text}");
    }
    for text in ["", "daily", "++5", "+-5", "99999999999", "1.5"] {
        let read = evaluated(text).expect("has a value").read();
        assert!(
            matches!(read, Err(FrequencyError::Cron(_))),
            "{text}: {read:?}"
        );
    }
}

#[test]
fn times_beyond_the_calendar_end() {
    let far = frequency("${coord:months(2000000000)}");
    let start = instant("2009-01-01T00:00Z");
    assert_eq!(far.times(start, Zone::UTC, ProcessingZone::UTC).count(), 1);
}

#[test]
fn intervals_are_told_in_words() {
    for (n, unit, end_of, expected) in [
        (1, TimeUnit::Minute, None, "every minute"),
        (90, TimeUnit::Minute, None, "every 90 minutes"),
        (60, TimeUnit::Minute, None, "every hour"),
        (1440, TimeUnit::Minute, None, "every 24 hours"),
        (2, TimeUnit::Day, None, "every 2 days"),
        (
            1,
            TimeUnit::Month,
            Some(EndOf::Month),
            "at the end of every month",
        ),
        (
            2,
            TimeUnit::Week,
            Some(EndOf::Week),
            "at the end of every 2 weeks",
        ),
    ] {
        let interval = Interval { n, unit, end_of };
        assert_eq!(Frequency::Every(interval).to_string(), expected);
    }
}

#[test]
fn a_frequency_has_a_number_and_a_unit_of_oozie() {
    for (text, expected) in [
        ("${coord:minutes(90)}", ("90", "MINUTE")),
        ("${coord:hours(2)}", ("120", "MINUTE")),
        ("${coord:days(3)}", ("3", "DAY")),
        ("${coord:months(1)}", ("1", "MONTH")),
        ("${coord:endOfDays(1)}", ("1", "END_OF_DAY")),
        ("${coord:endOfWeeks(1)}", ("1", "END_OF_WEEK")),
        ("${coord:endOfMonths(2)}", ("2", "END_OF_MONTH")),
        ("10 9 * * MON-FRI", ("10 9 * * MON-FRI", "CRON")),
    ] {
        let (number, unit) = frequency(text).in_units();
        assert_eq!((number.as_str(), unit), expected, "{text}");
    }
    let cron = frequency("10 9 * * MON-FRI");
    assert_eq!(
        cron.to_string(),
        "`10 9 * * MON-FRI`, at 09:10 on Monday to Friday"
    );
}
