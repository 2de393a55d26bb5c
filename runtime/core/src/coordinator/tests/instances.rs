//! Which instances a text resolves to for an action.

use hpdlc_tests::cases::{self, Case};

use super::*;

const LA: &str = "America/Los_Angeles";

/// The results of the texts of a case, which precede the ` =>` of its lines, for its dataset (`FREQUENCY in ZONE from INITIAL`)
/// and nominal time (`at TIME`).
fn results(case: &Case, texts: impl Fn(&str) -> InstanceTexts) -> String {
    let (frequency, rest) = case.given.split_once(" in ").expect("a zone");
    let (zone, rest) = rest.split_once(" from ").expect("an initial instance");
    let (initial, nominal) = rest.split_once(" at ").expect("a nominal time");
    let result = |line: &str| {
        let (text, _) = line.split_once(" =>").expect("TEXT => RESULT");
        let definition = definition((frequency, zone, initial), texts(text));
        match instances(&definition, nominal) {
            Ok(found) => format!("{text} => {found}").trim_end().to_owned(),
            Err(error) => format!("{text} => error: {error}"),
        }
    };
    let results: Vec<String> = case.expected.lines().map(result).collect();
    results.join("\n")
}

#[test]
fn instances_are_those_of_oozie() {
    cases::check("runtime/core/src/coordinator/tests/instances.txt", |case| {
        results(case, |text| each(&format!("${{coord:{text}}}")))
    });
}

#[test]
fn ranges_are_those_of_oozie() {
    cases::check("runtime/core/src/coordinator/tests/ranges.txt", |case| {
        results(case, range)
    });
}

/// Where the periods of a nominal time end, shown with a half-hourly dataset.
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
