//! Dates, zones and calendars as in Java.

use chrono::{DateTime, NaiveDate, Utc};

use super::*;

fn instant(text: &str) -> DateTime<Utc> {
    let read = ProcessingZone::UTC.read(text);
    read.expect("is a date").instant
}

#[test]
fn dates_are_read_as_oozie_reads_them() {
    for (text, expected) in [
        ("2009-01-02T08:00Z", Ok("2009-01-02T08:00Z")),
        (" 2009-1-2T8:00Z\n", Ok("2009-01-02T08:00Z")),
        ("2016-02-29T23:59Z", Ok("2016-02-29T23:59Z")),
        ("2009-02-30T00:00Z", Err(DateTimeError::NoSuchDay)),
        ("2009-13-01T00:00Z", Err(DateTimeError::NoSuchDay)),
        ("99999999999-01-01T00:00Z", Err(DateTimeError::NoSuchDay)),
        ("0-01-01T00:00Z", Err(DateTimeError::NoSuchDay)),
        ("2009-01-01T24:00Z", Ok("2009-01-02T00:00Z")),
        ("2009-12-31T24:00:00Z", Ok("2010-01-01T00:00Z")),
        ("2009-01-01T24:00:01Z", Err(DateTimeError::NoSuchTime)),
        ("2009-01-01T24:01Z", Err(DateTimeError::NoSuchTime)),
        ("2009-01-01T12:60Z", Err(DateTimeError::NoSuchTime)),
        ("2009-01-01T00:00:00Z", Ok("2009-01-01T00:00Z")),
        ("2009-01-01T00:00:59Z", Ok("2009-01-01T00:00Z")),
        ("2009-01-01T00:00:60Z", Err(DateTimeError::NoSuchTime)),
        ("2009-01-01T00:00:Z", Err(DateTimeError::Shape)),
        ("2009-01-01T00:00:00.000Z", Err(DateTimeError::Ending)),
        ("2009-01-01T00:00", Err(DateTimeError::Ending)),
        ("2009-01-01T00:00+0000", Err(DateTimeError::Ending)),
        ("2009-01-01T00:00Zx", Err(DateTimeError::Ending)),
        ("2009-01-01 00:00Z", Err(DateTimeError::Shape)),
        ("2009-01-01", Err(DateTimeError::Shape)),
        ("", Err(DateTimeError::Shape)),
        ("é", Err(DateTimeError::Shape)),
    ] {
        let found = ProcessingZone::UTC
            .read(text)
            .map(|read| ProcessingZone::UTC.write(read.instant));
        assert_eq!(found, expected.map(str::to_owned), "{text}");
    }
    assert!(
        !ProcessingZone::UTC
            .read("2009-1-02T08:00Z")
            .expect("is a date")
            .is_padded
    );
    assert!(
        ProcessingZone::UTC
            .read("2009-01-02T08:00Z")
            .expect("is a date")
            .is_padded
    );
}

#[test]
fn what_oozie_does_not_read_is_told() {
    for (text, expected) in [
        ("2009-01-01T00:00Z", None),
        ("2009-01-01T24:00Z", Some(DateExtension::Hour24)),
        ("2009-01-01T24:00:00Z", Some(DateExtension::Hour24)),
        ("2009-01-01T23:00:00Z", Some(DateExtension::Seconds)),
    ] {
        let read = ProcessingZone::UTC.read(text).expect("is a date");
        assert_eq!(read.extension, expected, "{text}");
    }
}

#[test]
fn ending_is_that_of_the_processing_time_zone() {
    let zone = ProcessingZone::parse("GMT+0530").expect("is one");
    let read = zone.read("2009-01-02T08:00+0530").expect("is a date");
    assert_eq!(read.instant, instant("2009-01-02T02:30Z"));
    assert_eq!(zone.write(read.instant), "2009-01-02T08:00+0530");
    assert_eq!(zone.read("2009-01-02T08:00Z"), Err(DateTimeError::Ending));
    assert_eq!(
        zone.read("2009-01-02T08:00+0531"),
        Err(DateTimeError::Ending)
    );
    let west = ProcessingZone::parse("GMT-0330").expect("is one");
    assert_eq!(
        west.write(instant("2009-01-01T02:00Z")),
        "2008-12-31T22:30-0330"
    );
    for name in [
        "GMT",
        "GMT+05:30",
        "PST",
        "America/Los_Angeles",
        "utc",
        "UTC+1",
        "",
    ] {
        assert_eq!(ProcessingZone::parse(name), None, "{name}");
    }
}

/// The offset of a zone in January and July 2009, in minutes; `None` if Oozie refuses the name.
#[test]
fn zones_have_the_names_that_java_knows() {
    for (name, expected) in [
        ("UTC", Some((0, 0))),
        ("Universal", Some((0, 0))),
        ("GMT", Some((0, 0))),
        ("America/Los_Angeles", Some((-480, -420))),
        ("US/Pacific", Some((-480, -420))),
        ("PST8PDT", Some((-480, -420))),
        ("Etc/GMT+5", Some((-300, -300))),
        ("GMT+05:30", Some((330, 330))),
        ("GMT+0530", Some((330, 330))),
        ("GMT-0800", Some((-480, -480))),
        ("GMT+00:00", Some((0, 0))),
        ("PST", Some((-480, -420))),
        ("CST", Some((-360, -300))),
        ("EST", Some((-300, -300))),
        ("MST", Some((-420, -420))),
        ("HST", Some((-600, -600))),
        ("IST", Some((330, 330))),
        ("ECT", Some((60, 120))),
        ("BST", Some((360, 420))),
        ("JST", Some((540, 540))),
        ("PDT", None),
        ("utc", None),
        ("america/los_angeles", None),
        ("UTC+1", None),
        ("GMT+5:30", None),
        ("GMT+24:00", None),
        ("GMT+05:60", None),
        ("GMT+0", None),
        ("GMT+é", None),
        ("GMT+éé", None),
        ("Z", None),
        ("", None),
    ] {
        let zone = Zone::parse(name).ok();
        let minutes = |text: &str| {
            let offset = zone.map(|zone| zone.offset_at(instant(text)));
            offset.map(|offset| offset.local_minus_utc() / 60)
        };
        let found = minutes("2009-01-15T00:00Z").zip(minutes("2009-07-15T00:00Z"));
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn old_names_are_28() {
    let names: Vec<String> = ('A'..='Z')
        .flat_map(|a| ('A'..='Z').map(move |b| format!("{a}{b}")))
        .flat_map(|ab| ('A'..='Z').map(move |c| format!("{ab}{c}")))
        .filter(|name| Zone::is_old_name(name))
        .collect();
    assert_eq!(names.len(), 28);
    assert!(names.iter().all(|name| Zone::parse(name).is_ok()));
}

#[test]
fn misspelled_zones_have_a_likely_name() {
    for (name, expected) in [
        ("utc", Some("UTC")),
        ("europe/london", Some("Europe/London")),
        ("pst", Some("PST")),
        ("GMT+5:30", Some("GMT+05:30")),
        ("UTC+1", Some("GMT+01:00")),
        ("GMT+99", None),
        ("UTCé", None),
        ("Mars", None),
    ] {
        let error = Zone::parse(name).expect_err(name);
        assert_eq!(error.meant.as_deref(), expected, "{name}");
    }
}

/// Local times in Los Angeles, and the instants that Java's calendar resolves them to.
#[test]
fn gaps_go_forward_and_overlaps_to_standard_time() {
    let zone = Zone::parse("America/Los_Angeles").expect("is one");
    for (local, expected) in [
        ((3, 8, 1, 59), "2009-03-08T09:59Z"),
        ((3, 8, 2, 0), "2009-03-08T10:00Z"),
        ((3, 8, 2, 30), "2009-03-08T10:30Z"),
        ((3, 8, 3, 0), "2009-03-08T10:00Z"),
        ((11, 1, 0, 59), "2009-11-01T07:59Z"),
        ((11, 1, 1, 30), "2009-11-01T09:30Z"),
        ((11, 1, 2, 0), "2009-11-01T10:00Z"),
    ] {
        let (month, day, hour, minute) = local;
        let time = NaiveDate::from_ymd_opt(2009, month, day)
            .and_then(|date| date.and_hms_opt(hour, minute, 0))
            .expect("is a date");
        assert_eq!(zone.resolve_local(time), instant(expected), "{local:?}");
    }
    // Samoa skipped a whole day.
    let apia = Zone::parse("Pacific/Apia").expect("is one");
    let skipped = NaiveDate::from_ymd_opt(2011, 12, 30).expect("is a date");
    let skipped = skipped.and_hms_opt(12, 0, 0).expect("is a time");
    assert_eq!(apia.resolve_local(skipped), instant("2011-12-30T22:00Z"));
    assert!(zone.has_changes(instant("2009-01-01T00:00Z"), instant("2009-12-01T00:00Z")));
    assert!(!zone.has_changes(instant("2009-04-01T00:00Z"), instant("2009-10-01T00:00Z")));
}

/// Start, units, and the result in Los Angeles.
#[test]
fn days_and_months_are_added_by_the_clocks_of_the_zone() {
    let zone = Zone::parse("America/Los_Angeles").expect("is one");
    for (start, n, unit, expected) in [
        ("2009-03-07T10:30Z", 1, TimeUnit::Day, "2009-03-08T09:30Z"),
        ("2009-03-09T09:30Z", -1, TimeUnit::Day, "2009-03-08T10:30Z"),
        ("2009-03-01T10:30Z", 1, TimeUnit::Week, "2009-03-08T09:30Z"),
        ("2009-02-08T10:30Z", 1, TimeUnit::Month, "2009-03-08T10:30Z"),
        ("2008-03-08T10:30Z", 1, TimeUnit::Year, "2009-03-08T10:30Z"),
        ("2009-10-31T08:30Z", 1, TimeUnit::Day, "2009-11-01T08:30Z"),
        ("2009-11-02T09:30Z", -1, TimeUnit::Day, "2009-11-01T09:30Z"),
        ("2009-10-01T08:30Z", 1, TimeUnit::Month, "2009-11-01T09:30Z"),
        (
            "2009-03-31T08:00Z",
            -1,
            TimeUnit::Month,
            "2009-02-28T09:00Z",
        ),
        (
            "2009-03-08T09:59Z",
            1,
            TimeUnit::Minute,
            "2009-03-08T10:00Z",
        ),
        ("2009-03-08T09:00Z", 24, TimeUnit::Hour, "2009-03-09T09:00Z"),
    ] {
        let found = add(instant(start), n, unit, zone);
        assert_eq!(found, Some(instant(expected)), "{start} {n} {unit:?}");
    }
    for unit in TimeUnit::ALL {
        assert_eq!(
            add(instant("2009-01-01T00:00Z"), i64::MAX, unit, zone),
            None
        );
        assert_eq!(
            add(instant("2009-01-01T00:00Z"), i64::MIN, unit, zone),
            None
        );
    }
}
