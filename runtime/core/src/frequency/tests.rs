//! The tables of intervals: what Oozie gives for each, in summer, winter and between.

use std::collections::BTreeMap;

use super::*;
use crate::el::{foreign::ForeignFunctions, parser, scope::NoJob};

struct NoOthers;

impl ForeignFunctions for NoOthers {
    fn has(&self, _prefix: Option<&str>, _name: &str) -> bool {
        false
    }

    fn call(&mut self, name: &str, _args: &[Value]) -> Result<Value, ElError> {
        unreachable!("`{name}` is no function")
    }
}

fn evaluated(text: &str) -> Result<FrequencyText, ElError> {
    let template = parser::parse_template(text).expect("the test's text parses");
    let scope = NoJob::new(&BTreeMap::new(), DateTime::UNIX_EPOCH);
    evaluate(&template, &scope, &mut NoOthers)
}

fn frequency(text: &str) -> Frequency {
    let text = evaluated(text).expect("has a value");
    text.read().expect("is a frequency")
}

fn instant(text: &str) -> DateTime<Utc> {
    let read = ProcessingZone::UTC.read(text);
    read.expect("is a date").instant
}

/// Frequency, zone, start, end (exclusive, or none) and the first times, without their year.
const TIMES: [(&str, &str, &str, &str, &str); 41] = [
    (
        "${coord:days(1)}",
        "America/Los_Angeles",
        "2009-03-07T08:00Z",
        "",
        "03-07T08:00 03-08T08:00 03-09T07:00 03-10T07:00",
    ),
    (
        "${coord:days(1)}",
        "UTC",
        "2009-03-07T08:00Z",
        "",
        "03-07T08:00 03-08T08:00 03-09T08:00 03-10T08:00",
    ),
    (
        "${coord:days(1)}",
        "America/Los_Angeles",
        "2009-03-06T10:00Z",
        "2009-03-11T10:00Z",
        "03-06T10:00 03-07T10:00 03-08T09:00 03-09T09:00 03-10T09:00 03-11T09:00",
    ),
    (
        "${coord:days(1)}",
        "America/Los_Angeles",
        "2009-03-06T10:30Z",
        "",
        "03-06T10:30 03-07T10:30 03-08T09:30 03-09T09:30",
    ),
    (
        "${coord:days(1)}",
        "America/Los_Angeles",
        "2009-10-30T08:30Z",
        "",
        "10-30T08:30 10-31T08:30 11-01T08:30 11-02T09:30",
    ),
    (
        "${coord:days(2)}",
        "America/Los_Angeles",
        "2009-03-06T08:00Z",
        "",
        "03-06T08:00 03-08T08:00 03-10T07:00 03-12T07:00",
    ),
    (
        "${coord:days(1)}",
        "America/Los_Angeles",
        "2016-03-11T23:10Z",
        "2016-03-15T02:00Z",
        "03-11T23:10 03-12T23:10 03-13T22:10 03-14T22:10",
    ),
    (
        "${coord:hours(24)}",
        "America/Los_Angeles",
        "2016-03-11T23:10Z",
        "2016-03-15T02:00Z",
        "03-11T23:10 03-12T23:10 03-13T23:10 03-14T23:10",
    ),
    (
        "${coord:hours(1)}",
        "America/Los_Angeles",
        "2017-03-12T07:10Z",
        "2017-03-12T12:30Z",
        "03-12T07:10 03-12T08:10 03-12T09:10 03-12T10:10 03-12T11:10 03-12T12:10",
    ),
    (
        "${coord:hours(1)}",
        "America/Los_Angeles",
        "2017-11-05T07:10Z",
        "2017-11-05T10:30Z",
        "11-05T07:10 11-05T08:10 11-05T09:10 11-05T10:10",
    ),
    (
        "${coord:hours(20)}",
        "America/Los_Angeles",
        "2016-03-12T13:10Z",
        "2016-03-16T00:00Z",
        "03-12T13:10 03-13T09:10 03-14T05:10 03-15T01:10 03-15T21:10",
    ),
    (
        "${coord:hours(20)}",
        "America/Los_Angeles",
        "2016-11-04T23:10Z",
        "2016-11-08T22:00Z",
        "11-04T23:10 11-05T19:10 11-06T15:10 11-07T11:10 11-08T07:10",
    ),
    (
        "${coord:days(20)}",
        "America/Los_Angeles",
        "2016-02-01T13:10Z",
        "2016-12-03T00:00Z",
        "02-01T13:10 02-21T13:10 03-12T13:10 04-01T12:10 04-21T12:10 05-11T12:10 05-31T12:10 06-20T12:10 07-10T12:10 07-30T12:10 08-19T12:10 09-08T12:10 09-28T12:10 10-18T12:10 11-07T13:10 11-27T13:10",
    ),
    (
        "${coord:months(1)}",
        "America/Los_Angeles",
        "2016-03-01T23:10Z",
        "2016-12-03T00:00Z",
        "03-01T23:10 04-01T22:10 05-01T22:10 06-01T22:10 07-01T22:10 08-01T22:10 09-01T22:10 10-01T22:10 11-01T22:10 12-01T23:10",
    ),
    (
        "${coord:months(3)}",
        "America/Los_Angeles",
        "2016-01-01T13:10Z",
        "2017-12-03T00:00Z",
        "01-01T13:10 04-01T12:10 07-01T12:10 10-01T12:10 01-01T13:10 04-01T12:10 07-01T12:10 10-01T12:10",
    ),
    (
        "${coord:months(1)}",
        "UTC",
        "2009-01-31T08:00Z",
        "",
        "01-31T08:00 02-28T08:00 03-31T08:00 04-30T08:00 05-31T08:00 06-30T08:00",
    ),
    (
        "${coord:months(1)}",
        "America/Los_Angeles",
        "2009-01-31T08:00Z",
        "",
        "01-31T08:00 02-28T08:00 03-31T07:00 04-30T07:00",
    ),
    (
        "${coord:months(1)}",
        "America/Los_Angeles",
        "2009-02-08T10:30Z",
        "",
        "02-08T10:30 03-08T10:30 04-08T09:30",
    ),
    (
        "${coord:months(1)}",
        "America/Los_Angeles",
        "2009-10-01T08:30Z",
        "",
        "10-01T08:30 11-01T09:30 12-01T09:30",
    ),
    (
        "${coord:months(1)}",
        "UTC",
        "2012-01-30T00:00Z",
        "",
        "01-30T00:00 02-29T00:00 03-30T00:00 04-30T00:00",
    ),
    (
        "${coord:months(12)}",
        "UTC",
        "2012-02-29T00:00Z",
        "",
        "02-29T00:00 02-28T00:00 02-28T00:00 02-28T00:00 02-29T00:00",
    ),
    (
        "${coord:endOfDays(1)}",
        "UTC",
        "2009-01-01T08:00Z",
        "",
        "01-02T00:00 01-03T00:00 01-04T00:00",
    ),
    (
        "${coord:endOfDays(1)}",
        "America/Los_Angeles",
        "2009-01-01T08:00Z",
        "",
        "01-02T08:00 01-03T08:00",
    ),
    (
        "${coord:endOfDays(1)}",
        "America/Los_Angeles",
        "2009-01-01T07:59Z",
        "",
        "01-01T08:00 01-02T08:00",
    ),
    (
        "${coord:endOfDays(1)}",
        "America/Los_Angeles",
        "2009-03-07T09:00Z",
        "",
        "03-08T08:00 03-09T07:00 03-10T07:00",
    ),
    (
        "${coord:endOfDays(1)}",
        "America/Los_Angeles",
        "2009-10-31T08:00Z",
        "",
        "11-01T07:00 11-02T08:00 11-03T08:00",
    ),
    (
        "${coord:endOfDays(2)}",
        "America/Los_Angeles",
        "2009-03-06T18:00Z",
        "",
        "03-07T08:00 03-09T07:00 03-11T07:00",
    ),
    (
        "${coord:endOfMonths(1)}",
        "UTC",
        "2009-01-31T08:00Z",
        "",
        "02-01T00:00 03-01T00:00 04-01T00:00 05-01T00:00",
    ),
    (
        "${coord:endOfMonths(1)}",
        "America/Los_Angeles",
        "2009-01-01T08:00Z",
        "",
        "02-01T08:00 03-01T08:00 04-01T07:00 05-01T07:00",
    ),
    (
        "${coord:endOfMonths(1)}",
        "America/Los_Angeles",
        "2009-02-01T07:59Z",
        "",
        "02-01T08:00 03-01T08:00 04-01T07:00",
    ),
    (
        "${coord:endOfMonths(3)}",
        "America/Los_Angeles",
        "2009-10-15T00:00Z",
        "",
        "11-01T07:00 02-01T08:00 05-01T07:00 08-01T07:00",
    ),
    (
        "${coord:endOfMonths(1)}",
        "UTC",
        "2009-02-01T01:00Z",
        "2009-02-03T23:59Z",
        "",
    ),
    (
        "${coord:endOfWeeks(1)}",
        "UTC",
        "2016-02-03T01:00Z",
        "2016-03-03T23:59Z",
        "02-07T00:00 02-14T00:00 02-21T00:00 02-28T00:00",
    ),
    (
        "${coord:endOfWeeks(1)}",
        "UTC",
        "2017-01-08T00:00Z",
        "",
        "01-15T00:00 01-22T00:00",
    ),
    (
        "${coord:endOfWeeks(1)}",
        "America/Los_Angeles",
        "2017-03-01T08:00Z",
        "",
        "03-05T08:00 03-12T08:00 03-19T07:00",
    ),
    (
        "${coord:endOfWeeks(1)}",
        "UTC",
        "2016-12-29T00:00Z",
        "",
        "01-01T00:00 01-08T00:00",
    ),
    (
        "${coord:minutes(30)}",
        "America/Los_Angeles",
        "2009-03-08T09:00Z",
        "",
        "03-08T09:00 03-08T09:30 03-08T10:00 03-08T10:30",
    ),
    (
        "${coord:days(1)}",
        "Europe/London",
        "2016-03-26T01:30Z",
        "",
        "03-26T01:30 03-27T00:30 03-28T00:30 03-29T00:30",
    ),
    (
        "${coord:days(1)}",
        "Europe/London",
        "2016-03-26T00:30Z",
        "",
        "03-26T00:30 03-27T00:30 03-27T23:30 03-28T23:30",
    ),
    (
        "${coord:endOfDays(1)}",
        "America/Sao_Paulo",
        "2016-10-14T15:00Z",
        "",
        "10-15T03:00 10-16T03:00 10-17T02:00",
    ),
    (
        "5",
        "Asia/Tokyo",
        "2009-03-06T10:00Z",
        "2009-03-06T10:14Z",
        "03-06T10:00 03-06T10:05 03-06T10:10",
    ),
];

#[test]
fn times_are_those_of_oozie() {
    for (text, zone, start, end, expected) in TIMES {
        let zone = Zone::parse(zone).expect("is a zone");
        let n_expected = expected.split_whitespace().count();
        let found: Vec<String> = frequency(text)
            .times(instant(start), zone, ProcessingZone::UTC)
            .take_while(|time| end.is_empty() || *time < instant(end))
            .take(n_expected + if end.is_empty() { 0 } else { 1 })
            .map(|time| time.format("%m-%dT%H:%M").to_string())
            .collect();
        assert_eq!(found.join(" "), expected, "{text} from {start} in {zone:?}");
    }
}

#[test]
fn unit_is_that_of_the_last_function() {
    for (text, value, unit) in [
        ("${coord:months(1)+7}", "8", Unit::Month),
        ("${coord:hours(coord:hours(1))}", "3600", Unit::Minute),
        ("${coord:days(1) + coord:minutes(2)}", "3", Unit::Minute),
        ("${true ? coord:days(2) : coord:months(1)}", "2", Unit::Day),
        ("${false and coord:days(1) > 0 ? 1 : 5}", "5", Unit::Minute),
        ("0 0 * * *", "0 0 * * *", Unit::Minute),
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
        (1, Unit::Minute, None, "every minute"),
        (90, Unit::Minute, None, "every 90 minutes"),
        (60, Unit::Minute, None, "every hour"),
        (1440, Unit::Minute, None, "every 24 hours"),
        (2, Unit::Day, None, "every 2 days"),
        (
            1,
            Unit::Month,
            Some(EndOf::Month),
            "at the end of every month",
        ),
        (
            2,
            Unit::Week,
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
    assert_eq!(cron.to_string(), "at the times of `10 9 * * MON-FRI`");
}
