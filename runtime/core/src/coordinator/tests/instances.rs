//! Which instances texts name for an action.

use super::*;

const LA: &str = "America/Los_Angeles";

/// A dataset (frequency, zone, initial instance), a nominal time, and for each text the instances.
type Row = (
    (&'static str, &'static str, &'static str),
    &'static str,
    &'static [(&'static str, &'static str)],
);

const INSTANCES: &[Row] = &[
    (
        ("${coord:days(1)}", LA, "2009-01-02T00:00"),
        "2009-05-30T00:45",
        &[
            ("current(0)", "2009-05-29T23:00"),
            ("current(1)", "2009-05-30T23:00"),
            ("current(-1)", "2009-05-28T23:00"),
        ],
    ),
    (
        ("30", "UTC", "2009-01-08T00:00"),
        "2009-05-30T00:45",
        &[
            ("current(0)", "2009-05-30T00:30"),
            ("current(1)", "2009-05-30T01:00"),
            ("current(-1)", "2009-05-30T00:00"),
            ("current(-3)", "2009-05-29T23:00"),
        ],
    ),
    (
        ("${coord:days(7)}", "UTC", "2009-01-08T00:00"),
        "2009-05-30T00:00",
        &[
            ("current(0)", "2009-05-28T00:00"),
            ("current(1)", "2009-06-04T00:00"),
            ("current(-1)", "2009-05-21T00:00"),
            ("current(-3)", "2009-05-07T00:00"),
        ],
    ),
    (
        ("${coord:days(1)}", LA, "2009-03-06T10:00"),
        "2009-03-08T10:45",
        &[
            ("current(-2)", "2009-03-06T10:00"),
            ("current(-1)", "2009-03-07T10:00"),
            ("current(0)", "2009-03-08T09:00"),
            ("current(1)", "2009-03-09T09:00"),
            ("current(2)", "2009-03-10T09:00"),
            // Each is reckoned from the first one, as in `current`; Oozie's ranges drift over the change of clocks.
            (
                "currentRange(-2,2)",
                "2009-03-10T09:00 2009-03-09T09:00 2009-03-08T09:00 2009-03-07T10:00 2009-03-06T10:00",
            ),
        ],
    ),
    (
        ("${coord:days(1)}", LA, "2009-10-30T08:00"),
        "2009-11-01T08:00",
        &[
            ("current(-2)", "2009-10-30T08:00"),
            ("current(-1)", "2009-10-31T08:00"),
            ("current(0)", "2009-11-01T08:00"),
            ("current(1)", "2009-11-02T09:00"),
            ("current(2)", "2009-11-03T09:00"),
            // Oozie fails on it.
            ("offset(0,'DAY')", "2009-11-01T08:00"),
        ],
    ),
    (
        ("${coord:endOfDays(1)}", "UTC", "2009-01-02T09:00"),
        "2009-05-30T12:00",
        &[
            ("current(0)", "2009-05-30T00:00"),
            ("current(1)", "2009-05-31T00:00"),
        ],
    ),
    (
        ("${coord:endOfDays(1)}", "UTC", "2009-01-01T08:00"),
        "2009-01-01T08:00",
        &[("current(0)", ""), ("current(1)", "")],
    ),
    (
        ("${coord:endOfDays(1)}", LA, "2009-01-01T07:01"),
        "2009-01-01T08:01",
        &[
            ("current(0)", "2009-01-01T08:00"),
            ("current(1)", "2009-01-02T08:00"),
        ],
    ),
    (
        ("${coord:endOfDays(1)}", LA, "2009-03-08T07:00"),
        "2009-03-08T08:00",
        &[
            ("current(0)", "2009-03-08T08:00"),
            ("current(1)", "2009-03-09T07:00"),
        ],
    ),
    (
        ("${coord:endOfDays(2)}", LA, "2009-03-09T07:00"),
        "2009-03-10T07:00",
        &[
            ("current(0)", "2009-03-10T07:00"),
            ("current(1)", "2009-03-12T07:00"),
        ],
    ),
    (
        ("${coord:endOfMonths(1)}", LA, "2009-02-02T08:00"),
        "2009-03-02T08:00",
        &[
            ("current(0)", "2009-03-01T08:00"),
            ("current(1)", "2009-04-01T07:00"),
        ],
    ),
    (
        ("${coord:endOfMonths(3)}", LA, "2009-02-01T08:00"),
        "2009-03-01T08:00",
        &[
            ("current(0)", "2009-03-01T08:00"),
            ("current(1)", "2009-06-01T07:00"),
        ],
    ),
    (
        ("${coord:endOfMonths(1)}", "UTC", "2010-01-01T00:00"),
        "2016-10-31T00:55",
        &[
            ("current(0)", "2016-10-01T00:00"),
            ("current(1)", "2016-11-01T00:00"),
            ("current(-1)", "2016-09-01T00:00"),
        ],
    ),
    (
        ("${coord:months(3)}", "UTC", "2009-01-01T00:00"),
        "2009-08-15T00:00",
        &[
            ("current(-1)", "2009-04-01T00:00"),
            ("current(0)", "2009-07-01T00:00"),
            ("current(1)", "2009-10-01T00:00"),
        ],
    ),
    (
        ("${coord:days(1)}", "UTC", "2009-09-01T23:59"),
        "2009-09-09T23:59",
        &[("currentRange(-1,0)", "2009-09-09T23:59 2009-09-08T23:59")],
    ),
    (
        ("${coord:days(1)}", "UTC", "2009-09-01T23:59"),
        "2009-09-01T23:59",
        &[
            ("currentRange(-1,0)", "2009-09-01T23:59"),
            ("current(-1)", ""),
        ],
    ),
    (
        ("${coord:months(12)}", LA, "2010-01-02T00:01"),
        "2015-01-02T00:45",
        &[
            ("offset(0,'MONTH')", "2015-01-02T00:01"),
            ("offset(12,'MONTH')", "2016-01-02T00:01"),
            ("offset(-12,'MONTH')", "2014-01-02T00:01"),
            ("offset(-36,'MONTH')", "2012-01-02T00:01"),
            ("offset(-1096,'DAY')", "2012-01-02T00:01"),
            ("offset(1,'YEAR')", "2016-01-02T00:01"),
        ],
    ),
    (
        ("1", LA, "2010-01-02T00:01"),
        "2015-01-02T00:45",
        &[
            ("offset(-3,'MONTH')", "2014-10-01T23:45"),
            ("offset(-3,'DAY')", "2014-12-30T00:45"),
        ],
    ),
    (
        ("${coord:hours(4)}", "UTC", "2010-01-02T00:01"),
        "2015-01-02T00:45",
        &[
            ("offset(5,'MINUTE')", "2015-01-02T00:01"),
            ("offset(1,'HOUR')", "2015-01-02T00:01"),
            ("offset(7,'HOUR')", "2015-01-02T04:01"),
            ("offset(-2,'HOUR')", "2015-01-01T20:01"),
            ("offset(-43825,'HOUR')", ""),
        ],
    ),
    (
        ("${coord:endOfWeeks(1)}", "UTC", "2016-01-01T01:00"),
        "2016-02-07T00:00",
        &[
            ("current(-1)", "2016-01-31T00:00"),
            ("current(0)", "2016-02-07T00:00"),
            ("current(1)", "2016-02-14T00:00"),
        ],
    ),
    // What Oozie's stepping from month to month overshoots.
    (
        ("${coord:months(1)}", "UTC", "2009-01-31T00:00"),
        "2009-03-29T00:00",
        &[
            ("current(0)", "2009-02-28T00:00"),
            (
                "currentRange(-1,2)",
                "2009-04-30T00:00 2009-03-31T00:00 2009-02-28T00:00 2009-01-31T00:00",
            ),
        ],
    ),
    (
        ("${coord:months(1)}", "UTC", "2009-01-31T00:00"),
        "2009-04-29T00:00",
        &[("current(0)", "2009-03-31T00:00")],
    ),
    // Values that depend on the action.
    (
        ("${coord:hours(1)}", LA, "2009-01-01T08:00"),
        "2009-03-08T08:00",
        &[
            ("current(coord:hoursInDay(0) - 24)", "2009-03-08T07:00"),
            ("current(coord:tzOffset() / 60)", "2009-03-08T00:00"),
            ("current(coord:daysInMonth(0))", "2009-03-09T15:00"),
        ],
    ),
];

#[test]
fn instances_are_those_of_oozie() {
    for (dataset, nominal, rows) in INSTANCES {
        for (call, expected) in *rows {
            let definition = definition(*dataset, each(&format!("${{coord:{call}}}")));
            assert_eq!(
                instances(&definition, nominal).as_deref(),
                Ok(*expected),
                "{call} at {nominal} of {dataset:?}"
            );
        }
    }
}

/// A dataset, a nominal time, and for each range, `start .. end`, the instances or a part of what is wrong.
type RangeRow = (
    (&'static str, &'static str, &'static str),
    &'static str,
    &'static [(&'static str, Result<&'static str, &'static str>)],
);

const RANGES: &[RangeRow] = &[
    (
        ("${coord:days(7)}", LA, "2009-08-06T01:00"),
        "2009-08-20T01:00",
        &[
            (
                "${coord:absolute('2009-08-20T01:00Z')} .. ${coord:current(2)}",
                Ok("2009-09-03T01:00 2009-08-27T01:00 2009-08-20T01:00"),
            ),
            (
                "${coord:current(-1)} .. ${coord:current(0)}",
                Ok("2009-08-20T01:00 2009-08-13T01:00"),
            ),
            (
                "${coord:current(-9)} .. ${coord:current(-2)}",
                Ok("2009-08-06T01:00"),
            ),
            (
                "${coord:offset(-8,'DAY')} .. ${coord:offset(7,'DAY')}",
                Ok("2009-08-27T01:00 2009-08-20T01:00 2009-08-13T01:00"),
            ),
            // A day before an hour before now: Oozie compares the numbers of the units, and refuses it.
            (
                "${coord:offset(-1,'WEEK')} .. ${coord:offset(-1,'HOUR')}",
                Ok("2009-08-13T01:00"),
            ),
            (
                "${coord:offset(-1,'HOUR')} .. ${coord:offset(-1,'WEEK')}",
                Err("ends before it starts"),
            ),
            (
                "${coord:current(1)} .. ${coord:current(0)}",
                Err("ends before it starts"),
            ),
            (
                "${coord:current(0)} .. ${coord:latest(0)}",
                Err("cannot go from `coord:current` to `coord:latest`"),
            ),
            (
                "${coord:absolute('2009-08-20T01:00Z')} .. ${coord:absolute('2009-08-20T01:00Z')}",
                Err("cannot go from `coord:absolute`"),
            ),
            (
                "${coord:endOfDays(0)} .. ${coord:endOfDays(1)}",
                Err("cannot go from `coord:endOfDays`"),
            ),
            (
                "${coord:absolute('2009-08-19T01:00Z')} .. ${coord:current(2)}",
                Err("is no instance"),
            ),
            (
                "${coord:absolute('2009-07-30T01:00Z')} .. ${coord:current(2)}",
                Err("is before the first instance"),
            ),
            (
                "${coord:absolute('2009-09-10T01:00Z')} .. ${coord:current(2)}",
                Err("is after `coord:current(2)`"),
            ),
            (
                "2009-08-20T01:00Z .. ${coord:current(2)}",
                Err("from one function of instances to another"),
            ),
            (
                "${coord:current(0)} .. ${coord:current(1000000)}",
                Err("at most 1000000"),
            ),
        ],
    ),
    (
        ("${coord:days(7)}", LA, "2009-08-06T01:00"),
        "2009-08-14T00:00",
        &[(
            "${coord:absolute('2009-08-20T01:00Z')} .. ${coord:current(2)}",
            Ok("2009-08-27T01:00 2009-08-20T01:00"),
        )],
    ),
    (
        ("${coord:days(7)}", LA, "2009-08-06T01:00"),
        "2009-08-01T00:00",
        &[
            (
                "${coord:absolute('2009-08-20T01:00Z')} .. ${coord:current(2)}",
                Err("the nominal time is before the first instance"),
            ),
            ("${coord:current(0)} .. ${coord:current(2)}", Ok("")),
            (
                "${coord:offset(0,'DAY')} .. ${coord:offset(2,'DAY')}",
                Ok(""),
            ),
        ],
    ),
];

#[test]
fn ranges_are_those_of_oozie() {
    for (dataset, nominal, rows) in RANGES {
        for (text, expected) in *rows {
            let found = instances(&definition(*dataset, range(text)), nominal);
            match expected {
                Ok(expected) => assert_eq!(found.as_deref(), Ok(*expected), "{text} at {nominal}"),
                Err(expected) => {
                    let error = found.expect_err(text);
                    assert!(error.contains(expected), "{text} at {nominal}: {error}");
                }
            }
        }
    }
}

/// Where the periods of a nominal time end. A dataset of every half hour shows it.
#[test]
fn ends_of_periods_are_counted_from_the_nominal_time() {
    let nominal = "2009-08-20T01:00";
    for (call, utc, la) in [
        ("endOfMonths(-2)", "2009-07-01T00:00", "2009-07-01T07:00"),
        ("endOfMonths(-1)", "2009-08-01T00:00", "2009-08-01T07:00"),
        ("endOfMonths(0)", "2009-09-01T00:00", "2009-09-01T07:00"),
        ("endOfMonths(1)", "2009-10-01T00:00", "2009-10-01T07:00"),
        ("endOfWeeks(-2)", "2009-08-09T00:00", "2009-08-09T07:00"),
        ("endOfWeeks(-1)", "2009-08-16T00:00", "2009-08-16T07:00"),
        ("endOfWeeks(0)", "2009-08-23T00:00", "2009-08-23T07:00"),
        ("endOfDays(-2)", "2009-08-19T00:00", "2009-08-18T07:00"),
        ("endOfDays(-1)", "2009-08-20T00:00", "2009-08-19T07:00"),
        ("endOfDays(0)", "2009-08-21T00:00", "2009-08-20T07:00"),
    ] {
        for (zone, expected) in [("UTC", utc), (LA, la)] {
            let text = format!("${{coord:{call}}} .. ${{coord:current(3000)}}");
            let definition = definition(("30", zone, "2009-01-01T00:00"), range(&text));
            let found = instances(&definition, nominal).expect("has instances");
            assert_eq!(
                found.split(' ').next_back(),
                Some(expected),
                "{call} {zone}"
            );
        }
    }
}

#[test]
fn texts_without_functions_are_dates() {
    let daily = ("${coord:days(1)}", "UTC", "2009-01-01T00:00");
    for (text, expected) in [
        ("2009-02-01T05:30Z", Ok("2009-02-01T05:30")),
        (" 2009-02-01T24:00Z ", Ok("2009-02-02T00:00")),
        ("", Ok("")),
        ("yesterday", Err("`yesterday` is no instance")),
        ("a ${coord:current(0)}", Err("is no instance")),
        (
            "${coord:absolute('2009-02-01T00:00Z')}",
            Err("for a `start-instance` alone"),
        ),
        ("${coord:endOfDays(0)}", Err("for a `start-instance` alone")),
        (
            "${coord:offset(1, 'DAYS')}",
            Err("`DAYS` is no unit of time"),
        ),
        ("${coord:latest(1)}", Err("expected 0 or below, found 1")),
        ("${coord:future(-1, 3)}", Err("expected 0 or above")),
        ("${coord:future(1, 0)}", Err("a limit above 0")),
        ("${coord:current(3000000000)}", Err("is no whole number")),
        ("${coord:current('x')}", Err("is no whole number")),
        ("${coord:current()}", Err("expected 1 argument")),
        ("${coord:nominalTime()}", Err("cannot be called here")),
    ] {
        let found = instances(&definition(daily, each(text)), "2009-03-01T00:00");
        match expected {
            Ok(expected) => assert_eq!(found.as_deref(), Ok(expected), "{text}"),
            Err(expected) => {
                let error = found.expect_err(text);
                assert!(error.contains(expected), "{text}: {error}");
            }
        }
    }
}
