//! Date patterns.

use super::*;
use crate::coordinator::java_date_format::format;

/// Written by Java's `SimpleDateFormat`, in English: time, processing time zone, pattern and text.
const PATTERNS: &str = include_str!("patterns.txt");

#[test]
fn patterns_are_written_as_java_writes_them() {
    let west = ProcessingZone::parse("GMT-0330").expect("is a zone");
    assert_eq!(PATTERNS.lines().count(), 110);
    for line in PATTERNS.lines() {
        let [time, zone, pattern, expected] = line.split('|').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let zone = if zone == "UTC" {
            ProcessingZone::UTC
        } else {
            west
        };
        let found = format(instant(time), pattern, zone);
        assert_eq!(found.as_deref(), Ok(expected), "{pattern} at {time}");
    }
}

#[test]
fn what_is_no_pattern_is_told() {
    for (pattern, expected) in [
        ("yyyy'", "has no end"),
        ("'", "has no end"),
        ("'a", "has no end"),
        ("XXXX", "more than three times"),
        ("yyyy-bb", "`b` is no letter"),
        ("V", "`V` is no letter"),
        (&"y".repeat(1001), "more than 1000 times"),
    ] {
        let problem =
            format(instant("2009-01-01T00:00"), pattern, ProcessingZone::UTC).expect_err(pattern);
        assert!(problem.contains(expected), "{pattern}: {problem}");
    }
}
