//! What functions give for an action.

use super::*;
use crate::el::error::ElErrorKind;

fn facts() -> ActionFacts {
    let uris = |uris: &[&str]| EventUris(Some(uris.iter().map(|uri| (*uri).to_owned()).collect()));
    ActionFacts {
        id: Some("0000001-c@7".to_owned()),
        name: "daily logs".to_owned(),
        nominal: instant("2009-09-08T23:59"),
        actual: Some(instant("2009-09-09T00:01")),
        inputs: BTreeMap::from([
            ("logs".to_owned(), uris(&["/logs/2", "/logs/1"])),
            ("none".to_owned(), uris(&[])),
            ("newest".to_owned(), EventUris(None)),
            (
                "tables".to_owned(),
                uris(&[
                    "hcat://h:9083/db/clicks/ds=20090110;region=us",
                    "hcat://h:9083/db/clicks/ds=2009;region=eu",
                ]),
            ),
            (
                "table".to_owned(),
                uris(&["hcat://h:9083/db/clicks/ds=2009;region=eu"]),
            ),
            ("whole".to_owned(), uris(&["hcat://h:9083/db/clicks"])),
        ]),
        outputs: BTreeMap::from([
            ("out".to_owned(), uris(&["/out/1"])),
            (
                "made".to_owned(),
                uris(&["hcat://h:9083/lake/made/ds=2009;region=eu"]),
            ),
        ]),
    }
}

fn evaluated(expression: &str) -> Result<String, crate::el::error::ElError> {
    job(&[("dir", " /in "), ("a.b", "c"), ("n", "2")])
        .evaluate_for_action(&template(&format!("${{{expression}}}")), &facts())
}

#[test]
fn values_are_those_of_oozie() {
    for (expression, expected) in [
        ("coord:nominalTime()", "2009-09-08T23:59Z"),
        ("coord:actualTime()", "2009-09-09T00:01Z"),
        ("coord:actionId()", "0000001-c@7"),
        ("coord:name()", "daily logs"),
        ("coord:user()", "ann"),
        ("coord:conf('a.b')", "c"),
        ("coord:conf('dir')", " /in "),
        ("coord:conf('missing')", ""),
        ("dir", "/in"),
        ("coord:dataIn('logs')", "/logs/2,/logs/1"),
        ("coord:dataIn('none')", ""),
        ("coord:dataOut('out')", "/out/1"),
        (
            "coord:dateOffset('2009-09-08T23:59Z', 2, 'DAY')",
            "2009-09-10T23:59Z",
        ),
        (
            "coord:dateOffset('2009-09-08T23:59Z', 1, 'YEAR')",
            "2010-09-08T23:59Z",
        ),
        (
            "coord:dateOffset('2009-01-31T00:00Z', 1, 'MONTH')",
            "2009-02-28T00:00Z",
        ),
        (
            "coord:dateOffset('2009-01-31T00:00Z', -90, 'MINUTE')",
            "2009-01-30T22:30Z",
        ),
        (
            "coord:dateOffset('2009-01-31T00:00Z', n, 'WEEK')",
            "2009-02-14T00:00Z",
        ),
        (
            "coord:dateOffset('2009-01-31T00:00Z', 25, 'HOUR')",
            "2009-02-01T01:00Z",
        ),
        (
            "coord:dateOffset('2009-01-31T00:00Z', 1, 'END_OF_DAY')",
            "2009-02-01T00:00Z",
        ),
        (
            "coord:dateOffset(coord:nominalTime(), -1, 'DAY')",
            "2009-09-07T23:59Z",
        ),
        (
            "coord:dateTzOffset('2012-06-13T00:00Z', 'America/Los_Angeles')",
            "2012-06-12T17:00Z",
        ),
        (
            "coord:dateTzOffset('2012-12-13T00:00Z', 'America/Los_Angeles')",
            "2012-12-12T16:00Z",
        ),
        (
            "coord:dateTzOffset('2012-06-13T00:00Z', 'PST')",
            "2012-06-12T17:00Z",
        ),
        (
            "coord:dateTzOffset('2012-06-13T00:00Z', 'GMT+0530')",
            "2012-06-13T05:30Z",
        ),
        ("coord:formatTime('2009-09-08T23:59Z', 'yyyy')", "2009"),
        (
            "coord:formatTime('2009-09-08T23:59Z', 'yyyyMMdd_HHmmss')",
            "20090908_235900",
        ),
        (
            "coord:epochTime('2009-09-08T23:59Z', 'false')",
            "1252454340",
        ),
        (
            "coord:epochTime('2009-09-08T23:59Z', 'true')",
            "1252454340000",
        ),
        ("coord:epochTime('2009-09-08T23:59Z', 'yes')", "1252454340"),
        ("coord:databaseIn('tables')", "db"),
        ("coord:tableIn('tables')", "clicks"),
        ("coord:databaseIn('none')", ""),
        ("coord:databaseOut('made')", "lake"),
        ("coord:tableOut('made')", "made"),
        (
            "coord:dataInPartitionFilter('tables', 'pig')",
            "(ds=='20090110' AND region=='us') OR (ds=='2009' AND region=='eu')",
        ),
        (
            "coord:dataInPartitionFilter('tables', 'java')",
            "(ds='20090110' AND region='us') OR (ds='2009' AND region='eu')",
        ),
        ("coord:dataInPartitionMin('tables', 'ds')", "2009"),
        ("coord:dataInPartitionMax('tables', 'ds')", "20090110"),
        ("coord:dataInPartitionMax('none', 'ds')", ""),
        (
            "coord:dataInPartitions('table', 'hive-export')",
            "ds='2009',region='eu'",
        ),
        ("coord:dataOutPartitions('made')", "'ds=2009,region=eu'"),
        ("coord:dataOutPartitionValue('made', 'region')", "eu"),
        ("coord:dataOutPartitionValue('made', 'x')", ""),
    ] {
        assert_eq!(
            evaluated(expression).as_deref(),
            Ok(expected),
            "{expression}"
        );
    }
}

#[test]
fn what_has_no_value_is_told() {
    for (expression, kind, expected) in [
        (
            "coord:dataIn('newest')",
            ElErrorKind::NeedsJob,
            "depends on the data",
        ),
        (
            "coord:dataIn('out')",
            ElErrorKind::Function,
            "no `data-in` of the name `out`",
        ),
        (
            "coord:dataOut('logs')",
            ElErrorKind::Function,
            "no `data-out` of the name `logs`",
        ),
        (
            "coord:tableIn('logs')",
            ElErrorKind::Function,
            "does not begin with `hcat://`",
        ),
        (
            "coord:dataInPartitionMin('tables', 'x')",
            ElErrorKind::Function,
            "no key `x`",
        ),
        (
            "coord:dataInPartitions('tables', 'hive-export')",
            ElErrorKind::Function,
            "expected one instance, found 2",
        ),
        (
            "coord:dataInPartitions('table', 'pig')",
            ElErrorKind::Function,
            "no kind of partitions",
        ),
        (
            "coord:dateOffset('2009-09-08', 2, 'DAY')",
            ElErrorKind::Function,
            "`2009-09-08` is no date",
        ),
        (
            "coord:dateOffset('2009-09-08T00:00Z', 2, 'day')",
            ElErrorKind::Function,
            "`day` is no unit",
        ),
        (
            "coord:dateOffset('2009-09-08T00:00Z', 2000000000, 'YEAR')",
            ElErrorKind::Function,
            "beyond the calendar",
        ),
        (
            "coord:dateTzOffset('2009-09-08T00:00Z', 'utc')",
            ElErrorKind::Function,
            "no time zone",
        ),
        (
            "coord:formatTime('2009-09-08T00:00Z', 'bogus')",
            ElErrorKind::Function,
            "`b` is no letter",
        ),
        (
            "coord:current(0)",
            ElErrorKind::UnknownFunction,
            "cannot be called here",
        ),
        (
            "coord:nothing()",
            ElErrorKind::UnknownFunction,
            "undefined function `coord:nothing`",
        ),
        (
            "coord:conf()",
            ElErrorKind::UnknownFunction,
            "expected 1 argument for `coord:conf`",
        ),
    ] {
        let error = evaluated(expression).expect_err(expression);
        assert_eq!(error.kind, kind, "{expression}: {error}");
        assert!(error.message.contains(expected), "{expression}: {error}");
    }
}

/// What `SimpleDateFormat` of a Java of English gave for each letter.
#[test]
fn patterns_are_written_as_java_writes_them() {
    let zone = ProcessingZone::UTC;
    let west = ProcessingZone::parse("GMT-0330").expect("is a zone");
    for (time, zone, pattern, expected) in PATTERNS {
        let zone = if *zone == "UTC" {
            ProcessingZone::UTC
        } else {
            west
        };
        assert_eq!(
            super::super::java_date_format::format(instant(time), pattern, zone).as_deref(),
            Ok(*expected),
            "{pattern} at {time}"
        );
    }
    for (pattern, expected) in [
        ("yyyy'", "has no end"),
        ("'", "has no end"),
        ("'a", "has no end"),
        ("XXXX", "more than three times"),
        ("yyyy-bb", "`b` is no letter"),
        ("V", "`V` is no letter"),
    ] {
        let problem =
            super::super::java_date_format::format(instant("2009-01-01T00:00"), pattern, zone)
                .expect_err(pattern);
        assert!(problem.contains(expected), "{pattern}: {problem}");
    }
}

/// Time, processing time zone, pattern and text.
const PATTERNS: &[(&str, &str, &str, &str)] = &[
    ("2009-09-08T23:59", "UTC", "G", "AD"),
    ("2009-09-08T23:59", "UTC", "GGGGG", "AD"),
    (
        "2009-09-08T23:59",
        "UTC",
        "y yy yyy yyyy yyyyyy",
        "2009 09 2009 2009 002009",
    ),
    ("2009-09-08T23:59", "UTC", "Y YY YYYY", "2009 09 2009"),
    (
        "2009-09-08T23:59",
        "UTC",
        "M MM MMM MMMM MMMMM",
        "9 09 Sep September September",
    ),
    (
        "2009-09-08T23:59",
        "UTC",
        "L LL LLL LLLL",
        "9 09 Sep September",
    ),
    ("2009-09-08T23:59", "UTC", "w ww www", "37 37 037"),
    ("2009-09-08T23:59", "UTC", "W WW", "2 02"),
    ("2009-09-08T23:59", "UTC", "D DDD DDDD", "251 251 0251"),
    ("2009-09-08T23:59", "UTC", "d dd ddd", "8 08 008"),
    ("2009-09-08T23:59", "UTC", "F FF", "2 02"),
    (
        "2009-09-08T23:59",
        "UTC",
        "E EE EEE EEEE",
        "Tue Tue Tue Tuesday",
    ),
    ("2009-09-08T23:59", "UTC", "u uu", "2 02"),
    ("2009-09-08T23:59", "UTC", "a aaaa", "PM PM"),
    (
        "2009-09-08T23:59",
        "UTC",
        "H HH k kk K KK h hh",
        "23 23 23 23 11 11 11 11",
    ),
    (
        "2009-09-08T23:59",
        "UTC",
        "m mm s ss S SSS",
        "59 59 0 00 0 000",
    ),
    (
        "2009-09-08T23:59",
        "UTC",
        "z zzz zzzz",
        "UTC UTC Coordinated Universal Time",
    ),
    ("2009-09-08T23:59", "UTC", "Z ZZZZ", "+0000 +0000"),
    ("2009-09-08T23:59", "UTC", "X XX XXX", "Z Z Z"),
    (
        "2009-09-08T23:59",
        "UTC",
        "yyyy'T'MM''dd 'o''clock'",
        "2009T09'08 o'clock",
    ),
    ("2009-09-08T23:59", "UTC", "'' 100% {12}", "' 100% {12}"),
    (
        "2009-09-08T23:59",
        "UTC",
        "yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
        "2009-09-08T23:59:00.000Z",
    ),
    ("2009-09-08T23:59", "west", "G", "AD"),
    ("2009-09-08T23:59", "west", "GGGGG", "AD"),
    (
        "2009-09-08T23:59",
        "west",
        "y yy yyy yyyy yyyyyy",
        "2009 09 2009 2009 002009",
    ),
    ("2009-09-08T23:59", "west", "Y YY YYYY", "2009 09 2009"),
    (
        "2009-09-08T23:59",
        "west",
        "M MM MMM MMMM MMMMM",
        "9 09 Sep September September",
    ),
    (
        "2009-09-08T23:59",
        "west",
        "L LL LLL LLLL",
        "9 09 Sep September",
    ),
    ("2009-09-08T23:59", "west", "w ww www", "37 37 037"),
    ("2009-09-08T23:59", "west", "W WW", "2 02"),
    ("2009-09-08T23:59", "west", "D DDD DDDD", "251 251 0251"),
    ("2009-09-08T23:59", "west", "d dd ddd", "8 08 008"),
    ("2009-09-08T23:59", "west", "F FF", "2 02"),
    (
        "2009-09-08T23:59",
        "west",
        "E EE EEE EEEE",
        "Tue Tue Tue Tuesday",
    ),
    ("2009-09-08T23:59", "west", "u uu", "2 02"),
    ("2009-09-08T23:59", "west", "a aaaa", "PM PM"),
    (
        "2009-09-08T23:59",
        "west",
        "H HH k kk K KK h hh",
        "20 20 20 20 8 08 8 08",
    ),
    (
        "2009-09-08T23:59",
        "west",
        "m mm s ss S SSS",
        "29 29 0 00 0 000",
    ),
    (
        "2009-09-08T23:59",
        "west",
        "z zzz zzzz",
        "GMT-03:30 GMT-03:30 GMT-03:30",
    ),
    ("2009-09-08T23:59", "west", "Z ZZZZ", "-0330 -0330"),
    ("2009-09-08T23:59", "west", "X XX XXX", "-03 -0330 -03:30"),
    (
        "2009-09-08T23:59",
        "west",
        "yyyy'T'MM''dd 'o''clock'",
        "2009T09'08 o'clock",
    ),
    ("2009-09-08T23:59", "west", "'' 100% {12}", "' 100% {12}"),
    (
        "2009-09-08T23:59",
        "west",
        "yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
        "2009-09-08T20:29:00.000-03:30",
    ),
    ("2012-12-30T00:05", "UTC", "G", "AD"),
    ("2012-12-30T00:05", "UTC", "GGGGG", "AD"),
    (
        "2012-12-30T00:05",
        "UTC",
        "y yy yyy yyyy yyyyyy",
        "2012 12 2012 2012 002012",
    ),
    ("2012-12-30T00:05", "UTC", "Y YY YYYY", "2013 13 2013"),
    (
        "2012-12-30T00:05",
        "UTC",
        "M MM MMM MMMM MMMMM",
        "12 12 Dec December December",
    ),
    (
        "2012-12-30T00:05",
        "UTC",
        "L LL LLL LLLL",
        "12 12 Dec December",
    ),
    ("2012-12-30T00:05", "UTC", "w ww www", "1 01 001"),
    ("2012-12-30T00:05", "UTC", "W WW", "6 06"),
    ("2012-12-30T00:05", "UTC", "D DDD DDDD", "365 365 0365"),
    ("2012-12-30T00:05", "UTC", "d dd ddd", "30 30 030"),
    ("2012-12-30T00:05", "UTC", "F FF", "5 05"),
    (
        "2012-12-30T00:05",
        "UTC",
        "E EE EEE EEEE",
        "Sun Sun Sun Sunday",
    ),
    ("2012-12-30T00:05", "UTC", "u uu", "7 07"),
    ("2012-12-30T00:05", "UTC", "a aaaa", "AM AM"),
    (
        "2012-12-30T00:05",
        "UTC",
        "H HH k kk K KK h hh",
        "0 00 24 24 0 00 12 12",
    ),
    (
        "2012-12-30T00:05",
        "UTC",
        "m mm s ss S SSS",
        "5 05 0 00 0 000",
    ),
    (
        "2012-12-30T00:05",
        "UTC",
        "z zzz zzzz",
        "UTC UTC Coordinated Universal Time",
    ),
    ("2012-12-30T00:05", "UTC", "Z ZZZZ", "+0000 +0000"),
    ("2012-12-30T00:05", "UTC", "X XX XXX", "Z Z Z"),
    (
        "2012-12-30T00:05",
        "UTC",
        "yyyy'T'MM''dd 'o''clock'",
        "2012T12'30 o'clock",
    ),
    ("2012-12-30T00:05", "UTC", "'' 100% {12}", "' 100% {12}"),
    (
        "2012-12-30T00:05",
        "UTC",
        "yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
        "2012-12-30T00:05:00.000Z",
    ),
    ("2016-01-01T12:00", "UTC", "G", "AD"),
    ("2016-01-01T12:00", "UTC", "GGGGG", "AD"),
    (
        "2016-01-01T12:00",
        "UTC",
        "y yy yyy yyyy yyyyyy",
        "2016 16 2016 2016 002016",
    ),
    ("2016-01-01T12:00", "UTC", "Y YY YYYY", "2016 16 2016"),
    (
        "2016-01-01T12:00",
        "UTC",
        "M MM MMM MMMM MMMMM",
        "1 01 Jan January January",
    ),
    (
        "2016-01-01T12:00",
        "UTC",
        "L LL LLL LLLL",
        "1 01 Jan January",
    ),
    ("2016-01-01T12:00", "UTC", "w ww www", "1 01 001"),
    ("2016-01-01T12:00", "UTC", "W WW", "1 01"),
    ("2016-01-01T12:00", "UTC", "D DDD DDDD", "1 001 0001"),
    ("2016-01-01T12:00", "UTC", "d dd ddd", "1 01 001"),
    ("2016-01-01T12:00", "UTC", "F FF", "1 01"),
    (
        "2016-01-01T12:00",
        "UTC",
        "E EE EEE EEEE",
        "Fri Fri Fri Friday",
    ),
    ("2016-01-01T12:00", "UTC", "u uu", "5 05"),
    ("2016-01-01T12:00", "UTC", "a aaaa", "PM PM"),
    (
        "2016-01-01T12:00",
        "UTC",
        "H HH k kk K KK h hh",
        "12 12 12 12 0 00 12 12",
    ),
    (
        "2016-01-01T12:00",
        "UTC",
        "m mm s ss S SSS",
        "0 00 0 00 0 000",
    ),
    (
        "2016-01-01T12:00",
        "UTC",
        "z zzz zzzz",
        "UTC UTC Coordinated Universal Time",
    ),
    ("2016-01-01T12:00", "UTC", "Z ZZZZ", "+0000 +0000"),
    ("2016-01-01T12:00", "UTC", "X XX XXX", "Z Z Z"),
    (
        "2016-01-01T12:00",
        "UTC",
        "yyyy'T'MM''dd 'o''clock'",
        "2016T01'01 o'clock",
    ),
    ("2016-01-01T12:00", "UTC", "'' 100% {12}", "' 100% {12}"),
    (
        "2016-01-01T12:00",
        "UTC",
        "yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
        "2016-01-01T12:00:00.000Z",
    ),
    ("2010-01-02T00:00", "UTC", "G", "AD"),
    ("2010-01-02T00:00", "UTC", "GGGGG", "AD"),
    (
        "2010-01-02T00:00",
        "UTC",
        "y yy yyy yyyy yyyyyy",
        "2010 10 2010 2010 002010",
    ),
    ("2010-01-02T00:00", "UTC", "Y YY YYYY", "2010 10 2010"),
    (
        "2010-01-02T00:00",
        "UTC",
        "M MM MMM MMMM MMMMM",
        "1 01 Jan January January",
    ),
    (
        "2010-01-02T00:00",
        "UTC",
        "L LL LLL LLLL",
        "1 01 Jan January",
    ),
    ("2010-01-02T00:00", "UTC", "w ww www", "1 01 001"),
    ("2010-01-02T00:00", "UTC", "W WW", "1 01"),
    ("2010-01-02T00:00", "UTC", "D DDD DDDD", "2 002 0002"),
    ("2010-01-02T00:00", "UTC", "d dd ddd", "2 02 002"),
    ("2010-01-02T00:00", "UTC", "F FF", "1 01"),
    (
        "2010-01-02T00:00",
        "UTC",
        "E EE EEE EEEE",
        "Sat Sat Sat Saturday",
    ),
    ("2010-01-02T00:00", "UTC", "u uu", "6 06"),
    ("2010-01-02T00:00", "UTC", "a aaaa", "AM AM"),
    (
        "2010-01-02T00:00",
        "UTC",
        "H HH k kk K KK h hh",
        "0 00 24 24 0 00 12 12",
    ),
    (
        "2010-01-02T00:00",
        "UTC",
        "m mm s ss S SSS",
        "0 00 0 00 0 000",
    ),
    (
        "2010-01-02T00:00",
        "UTC",
        "z zzz zzzz",
        "UTC UTC Coordinated Universal Time",
    ),
    ("2010-01-02T00:00", "UTC", "Z ZZZZ", "+0000 +0000"),
    ("2010-01-02T00:00", "UTC", "X XX XXX", "Z Z Z"),
    (
        "2010-01-02T00:00",
        "UTC",
        "yyyy'T'MM''dd 'o''clock'",
        "2010T01'02 o'clock",
    ),
    ("2010-01-02T00:00", "UTC", "'' 100% {12}", "' 100% {12}"),
    (
        "2010-01-02T00:00",
        "UTC",
        "yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
        "2010-01-02T00:00:00.000Z",
    ),
];

/// Oozie's tests of the functions that ask about the day and the month of the nominal time.
#[test]
fn days_have_as_many_hours_as_clocks_show() {
    let la = "America/Los_Angeles";
    for (function, dataset, nominal, rows) in [
        (
            "hoursInDay",
            ("${coord:days(1)}", la, "2009-01-01T08:00"),
            "2009-03-08T08:00",
            &[(0, 23), (1, 24), (-1, 24)][..],
        ),
        (
            "hoursInDay",
            ("${coord:days(1)}", la, "2009-01-01T08:00"),
            "2009-11-01T08:00",
            &[(0, 25), (1, 24)],
        ),
        (
            "hoursInDay",
            ("${coord:days(1)}", la, "2009-01-01T08:00"),
            "2008-12-31T08:00",
            &[(0, -1), (5, -1)],
        ),
        (
            "daysInMonth",
            ("${coord:months(1)}", "UTC", "2008-01-01T00:00"),
            "2009-02-01T11:00",
            &[(0, 28), (-1, 31), (2, 30), (-3, 30), (3, 31)],
        ),
    ] {
        for (n, expected) in rows {
            // The value is shown as a distance from an instance that is there.
            let text =
                format!("${{coord:{function}({n}) == {expected} ? '2000-01-01T00:00Z' : 'no'}}");
            let found = instances(&definition(dataset, each(&text)), nominal);
            assert_eq!(
                found.as_deref(),
                Ok("2000-01-01T00:00"),
                "{function}({n}) at {nominal}"
            );
        }
    }
    for (nominal, expected) in [("2009-06-01T00:00", -420), ("2009-12-01T00:00", -480)] {
        let text = format!("${{coord:tzOffset() == {expected} ? '2000-01-01T00:00Z' : 'no'}}");
        let dataset = ("${coord:days(1)}", la, "2009-01-01T08:00");
        let found = instances(&definition(dataset, each(&text)), nominal);
        assert_eq!(found.as_deref(), Ok("2000-01-01T00:00"), "{nominal}");
    }
}
