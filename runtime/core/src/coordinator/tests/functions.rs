//! The values of functions for an action.

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

/// Oozie's tests of the functions about the day and the month of the nominal time.
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
            // The value is shown as an offset from an existing instance.
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
