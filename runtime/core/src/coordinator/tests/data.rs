//! The URIs of an action's data.

use super::*;
use crate::hcat_uri::HcatUri;

fn two_events() -> CoordinatorDefinition {
    let mut definition = definition(
        ("${coord:hours(1)}", "UTC", "2009-01-01T00:00"),
        InstanceTexts::Each(vec![
            template("${coord:current(0)}"),
            template("${coord:current(-1)}"),
        ]),
    );
    definition.datasets.insert(
        "out".to_owned(),
        DatasetText {
            frequency: template("${coord:days(1)}"),
            initial_instance: template("2009-01-01T00:00Z"),
            timezone: template("UTC"),
            uri_template: template("\n  ${base}/${YEAR}/${MONTH}/${DAY}/ \n"),
            done_flag: Some(template("")),
        },
    );
    definition.outputs.push(EventText {
        name: "made".to_owned(),
        dataset: template("${which}"),
        instances: each("${coord:current(0)}"),
    });
    definition.inputs.push(EventText {
        name: "newest".to_owned(),
        dataset: template("d"),
        instances: InstanceTexts::Each(vec![
            template("${coord:latest(0)}"),
            template("${coord:current(0)}"),
        ]),
    });
    definition
}

#[test]
fn uris_have_the_times_of_their_instances() {
    let properties = [("base", "hdfs://n/out"), ("which", "out")];
    let coordinator = two_events().resolve(job(&properties)).expect("is sound");
    let action = coordinator
        .schedule
        .actions_from(instant("2009-02-03T04:05"))
        .next()
        .expect("has actions");
    let data = coordinator.data_of(action.time).expect("has data");
    let facts = coordinator.facts_of(action, &data);
    let uris = |uris: &[&str]| EventUris(Some(uris.iter().map(|uri| (*uri).to_owned()).collect()));
    assert_eq!(
        facts.inputs,
        BTreeMap::from([
            (
                "i".to_owned(),
                uris(&["/d/2009-02-03T04:00", "/d/2009-02-03T03:00"])
            ),
            ("newest".to_owned(), EventUris(None)),
        ])
    );
    assert_eq!(
        facts.outputs,
        BTreeMap::from([("made".to_owned(), uris(&["hdfs://n/out/2009/02/03/"]))])
    );
    assert_eq!(data.inputs[1].fixed.len(), 1);
    assert_eq!(
        data.inputs[1].searches,
        [Search::Latest { start: 0, end: 0 }]
    );
}

#[test]
fn done_flags_stand_in_the_folder() {
    let properties = [("base", "hdfs://n/out"), ("which", "out")];
    let coordinator = two_events().resolve(job(&properties)).expect("is sound");
    let mut dataset = Dataset::clone(&coordinator.outputs[0].dataset);
    for (flag, uri, expected) in [
        (None, "/a/b", "/a/b/_SUCCESS"),
        (None, "/a/b/", "/a/b/_SUCCESS"),
        (Some(""), "/a/b", "/a/b"),
        (Some(" \n "), "/a/b", "/a/b"),
        (Some("_READY"), "/a/b", "/a/b/_READY"),
        (None, "hcat://h:1/db/t/ds=1", "hcat://h:1/db/t/ds=1"),
    ] {
        dataset.done_flag = DoneFlag::new(flag);
        assert_eq!(dataset.done_uri(uri), expected, "{flag:?}");
    }
}

#[test]
fn uris_are_told_in_the_processing_time_zone() {
    let template =
        UriTemplate::parse("/${YEAR}${MONTH}${DAY}/${HOUR}${MINUTE}/${YEAR}").expect("is one");
    let time = instant("0999-12-31T20:07");
    assert_eq!(template.uri(time, ProcessingZone::UTC), "/9991231/2007/999");
    let east = ProcessingZone::parse("GMT+0530").expect("is a zone");
    assert_eq!(template.uri(time, east), "/10000101/0137/1000");
}

/// As Wikimedia's coordinators have it: `month=${"$"}{MONTH + 0}`.
#[test]
fn parts_of_dates_are_calculated_with() {
    for (text, expected) in [
        ("/m=${MONTH + 0}/d=${DAY + 0}", "/m=3/d=1"),
        ("/${YEAR - 1}/${MONTH}", "/2019/03"),
        ("/${HOUR lt 12 ? 'am' : 'pm'}", "/pm"),
        ("/${MONTH == '03'}", "/true"),
    ] {
        let template = UriTemplate::parse(text).expect(text);
        let time = instant("2020-03-01T13:05");
        assert_eq!(template.uri(time, ProcessingZone::UTC), expected, "{text}");
    }
}

#[test]
fn templates_know_five_variables() {
    for (text, expected) in [
        ("/a/${SECOND}", "`SECOND` is none of YEAR"),
        ("/a/${SECOND + 1}", "`SECOND` is none of YEAR"),
        ("/a/${coord:user()}", "`coord:user()` is none of YEAR"),
        ("/a/${1 + coord:user()}", "`coord:user()` is none of YEAR"),
        ("/a/${YEAR + 'x'}", "`YEAR + 'x'`: "),
        // In a branch that another month takes.
        ("/a/${MONTH == 2 ? 'a' + 1 : 3}", "`'a' + 1`: "),
        ("/a/${MONTH == 2 and 'a' + 1 == 3}", "`'a' + 1`: "),
        ("/a/${", ""),
    ] {
        let error = UriTemplate::parse(text).expect_err(text);
        assert!(error.problem.contains(expected), "{text}: {error}");
    }
}

#[test]
fn tables_are_read_from_their_uris() {
    let parts = |uri: &str| {
        HcatUri::parse(uri).map(|uri| (uri.authority, uri.database, uri.table, uri.partition.len()))
    };
    for (uri, expected) in [
        ("hcat://h:1/db/t/ds=1;r=us", Some(("h:1", "db", "t", 2))),
        ("hcat://h:1,g:2/db/t/ds=1", Some(("h:1,g:2", "db", "t", 1))),
        ("hcat://h:1/db/t/", Some(("h:1", "db", "t", 0))),
        ("hcat://h:1/db/t/ds=1;;", Some(("h:1", "db", "t", 1))),
        ("hcat://h:1/db", None),
        ("hcat:///db/t", None),
        ("hcat://h:1", None),
        ("hcat://h:1/db/t/ds", None),
        ("hcat://h:1/db/t/ds=1=2", None),
        ("hcat://h:1/db/t/ds=1/x", None),
        ("hdfs://h:1/db/t", None),
    ] {
        let expected = expected.map(|(authority, database, table, n)| {
            (
                authority.to_owned(),
                database.to_owned(),
                table.to_owned(),
                n,
            )
        });
        assert_eq!(parts(uri).ok(), expected, "{uri}");
    }
}
