//! Tables of texts: which rule reports each, and at which part of it.

use std::collections::BTreeMap;

use crate::{
    analysis::{self, GivenProperty, Included, JobProperties},
    diagnostics::Sink,
    lower,
    source::SourceMap,
    syntax::xml,
};

mod instances;
mod submission;
mod zones;

/// The parts of a coordinator that vary in a table.
struct CoordinatorDocument<'a> {
    attributes: &'a str,
    sections: String,
    configuration: &'a str,
}

const ATTRIBUTES: &str =
    r#"frequency="60" start="2026-01-01T00:00Z" end="2027-01-01T00:00Z" timezone="UTC""#;

impl CoordinatorDocument<'_> {
    fn text(&self) -> String {
        let configuration = match self.configuration {
            "" => String::new(),
            value => format!(
                "<configuration><property><name>p</name><value>{value}</value></property></configuration>"
            ),
        };
        format!(
            r#"<coordinator-app xmlns="uri:oozie:coordinator:0.5" name="c" {}>{}<action><workflow><app-path>/app</app-path>{configuration}</workflow></action></coordinator-app>"#,
            self.attributes, self.sections
        )
    }
}

fn given(properties: &[(&str, &str)]) -> JobProperties {
    let properties: BTreeMap<String, GivenProperty> = properties
        .iter()
        .map(|(name, value)| {
            let property = GivenProperty {
                value: (*value).to_owned(),
                span: None,
            };
            ((*name).to_owned(), property)
        })
        .collect();
    JobProperties {
        is_complete: !properties.is_empty(),
        properties: properties.into(),
        ..JobProperties::default()
    }
}

/// The rules that report something of a document, each with the text that it points at.
fn findings(document: &str, given: &JobProperties) -> Vec<String> {
    let mut sources = SourceMap::default();
    let file = sources.add("coordinator.xml".to_owned(), document.to_owned());
    let mut sink = Sink::default();
    let tree = xml::parse(file, document, &mut sink).expect("the test's document is well-formed");
    let app = lower::coordinator(&tree, None, &mut sink);
    analysis::coordinator(&app, &Included::default(), given, &mut sink);
    sink.into_sorted()
        .iter()
        .map(|diagnostic| {
            let place = diagnostic.span().map_or("", |span| sources.snippet(span));
            format!("{} {place}", diagnostic.rule.id())
        })
        .collect()
}

#[track_caller]
fn check(document: &CoordinatorDocument<'_>, properties: &[(&str, &str)], expected: &[&str]) {
    let text = document.text();
    assert_eq!(findings(&text, &given(properties)), expected, "{text}");
}

fn of_attributes(attributes: &str) -> CoordinatorDocument<'_> {
    CoordinatorDocument {
        attributes,
        sections: String::new(),
        configuration: "",
    }
}

fn of_sections(sections: String) -> CoordinatorDocument<'static> {
    CoordinatorDocument {
        attributes: ATTRIBUTES,
        sections,
        configuration: "",
    }
}

#[test]
fn frequencies() {
    for (frequency, properties, expected) in [
        ("5", &[][..], &[][..]),
        (" 60 ", &[], &[]),
        ("${coord:endOfWeeks(2)}", &[], &[]),
        ("${coord:days(period)}", &[], &[]),
        ("${coord:days(period)}", &[("period", "2")], &[]),
        (
            "${coord:days(period)}",
            &[("period", "0")],
            &["H0701 coord:days(period)"],
        ),
        (
            "${coord:conf('my.period')}",
            &[("my.period", "x")],
            &["H0701 ${coord:conf('my.period')}"],
        ),
        ("${freq}", &[("freq", "0 10 * * *")], &[]),
        ("${freq}", &[("freq", "0 25 * * *")], &["H0702 ${freq}"]),
        (
            "${freq}",
            &[("freq", "${coord:days(1)}")],
            &["H0701 ${freq}"],
        ),
        ("${freq}", &[("freq", "${other}")], &[]),
        ("0", &[], &["H0701 0"]),
        ("-5", &[], &["H0701 -5"]),
        ("${coord:days(1)-3}", &[], &["H0701 ${coord:days(1)-3}"]),
        ("", &[], &["H0701 "]),
        ("hourly", &[], &["H0701 hourly"]),
        ("@daily", &[], &["H0701 @daily"]),
        ("coord:days(1)", &[], &["H0701 coord:days(1)"]),
        ("0 10 * *", &[], &["H0702 0 10 * *"]),
        (" 0 10 * * 8", &[], &["H0702 8"]),
        ("0  10 * * *", &[], &["H0702   "]),
        ("0 0 30 2 ?", &[], &["H0703 0 0 30 2 ?"]),
        ("0 0 30 2 MON", &[], &["H0703 0 0 30 2 MON"]),
        ("* * * * *", &[], &[]),
        ("4", &[], &["frequencies_below_limit 4"]),
        ("0 0 1.5 * ?", &[], &["odd_cron_fields 1.5"]),
        ("${coord:weeks(1)}", &[], &["H0717 coord:weeks"]),
        ("${coord:days()}", &[], &["H0719 coord:days"]),
        ("${coord:current(1)}", &[], &["H0718 coord:current"]),
        ("${coord:days(1)", &[], &["H0401 ${coord:days(1)"]),
    ] {
        let attributes = format!(
            r#"frequency="{frequency}" start="2026-01-01T00:00Z" end="2027-01-01T00:00Z" timezone="UTC""#
        );
        check(&of_attributes(&attributes), properties, expected);
    }
}

#[test]
fn dates_and_zones() {
    for (start, end, timezone, expected) in [
        ("2026-01-01T00:00Z", "2026-01-01T00:01Z", "UTC", &[][..]),
        (
            "2026-01-01T00:00+0900",
            "2026-01-01T00:01+0900",
            "UTC",
            &[
                "other_processing_time_zones 2026-01-01T00:00+0900",
                "other_processing_time_zones 2026-01-01T00:01+0900",
            ],
        ),
        (
            "2026-01-01T00:00+0900",
            "2025-01-01T00:01+0900",
            "UTC",
            &[
                "other_processing_time_zones 2026-01-01T00:00+0900",
                "H0705 2025-01-01T00:01+0900",
                "other_processing_time_zones 2025-01-01T00:01+0900",
            ],
        ),
        ("${start}", "2026-01-01T00:01Z", "${zone}", &[]),
        (
            "2026-01-01T00:00Z",
            "2026-01-01T00:00Z",
            "UTC",
            &["H0705 2026-01-01T00:00Z"],
        ),
        (
            "2026-01-02T00:00Z",
            "2026-01-01T00:00Z",
            "UTC",
            &["H0705 2026-01-01T00:00Z"],
        ),
        (
            "2026-02-29T00:00Z",
            "2027-01-01T00:00Z",
            "UTC",
            &["H0704 2026-02-29T00:00Z"],
        ),
        (
            "2026-2-9T0:00Z",
            "2027-01-01T00:00Z",
            "UTC",
            &["unpadded_dates 2026-2-9T0:00Z"],
        ),
        ("2026-01-01", "", "UTC", &["H0704 2026-01-01", "H0704 "]),
        (
            "2026-01-01T00:00Z",
            "2027-01-01T00:00Z",
            "Berlin",
            &["H0706 Berlin"],
        ),
        (
            "2026-01-01T00:00Z",
            "2027-01-01T00:00Z",
            "EST",
            &["three_letter_timezones EST"],
        ),
        (
            "2026-01-01T00:00Z",
            "2027-01-01T00:00Z",
            "Europe/Berlin",
            &[],
        ),
        (
            "2026-01-01T00:00Z",
            "2027-01-01T00:00Z",
            "${coord:conf('zone')}",
            &[],
        ),
    ] {
        let attributes =
            format!(r#"frequency="60" start="{start}" end="{end}" timezone="{timezone}""#);
        check(&of_attributes(&attributes), &[], expected);
    }
}

#[test]
fn days_in_minutes_matter_where_clocks_change() {
    for (frequency, timezone, expected) in [
        ("1440", "Europe/Berlin", &["day_long_minutes 1440"][..]),
        (
            "${coord:hours(48)}",
            "US/Pacific",
            &["day_long_minutes ${coord:hours(48)}"],
        ),
        ("1440", "Asia/Tokyo", &[]),
        ("720", "Europe/Berlin", &[]),
        ("${coord:days(1)}", "Europe/Berlin", &[]),
        (
            "0 10 * * *",
            "Europe/London",
            &["cron_in_processing_zone 0 10 * * *"],
        ),
        ("0 10 * * *", "Africa/Abidjan", &[]),
        ("*/10 * * * ?", "Europe/London", &[]),
    ] {
        let attributes = format!(
            r#"frequency="{frequency}" start="2026-01-01T00:00Z" end="2027-01-01T00:00Z" timezone="{timezone}""#
        );
        check(&of_attributes(&attributes), &[], expected);
    }
}

#[test]
fn controls() {
    for (controls, expected) in [
        ("<timeout>10</timeout>", &[][..]),
        ("<timeout>${coord:days(2)}</timeout>", &[]),
        ("<timeout>-1</timeout>", &[]),
        (
            "<timeout>${coord:months(3)}</timeout>",
            &["capped_controls ${coord:months(3)}"],
        ),
        ("<timeout>soon</timeout>", &["H0707 soon"]),
        ("<timeout/>", &["H0707 "]),
        ("<concurrency/><throttle/>", &[]),
        ("<concurrency>-1</concurrency>", &[]),
        ("<concurrency>0</concurrency>", &["zero_concurrency 0"]),
        ("<concurrency>1.5</concurrency>", &["H0707 1.5"]),
        ("<concurrency>${many}</concurrency>", &[]),
        ("<throttle>501</throttle>", &["capped_controls 501"]),
        ("<throttle>${24 * 4}</throttle>", &[]),
        ("<execution>fifo</execution>", &["H0707 fifo"]),
        ("<execution/>", &["H0707 "]),
        ("<execution>NONE</execution>", &[]),
    ] {
        let sections = format!("<controls>{controls}</controls>");
        check(&of_sections(sections), &[], expected);
    }
}

fn dataset(attributes: &str, uri: &str) -> String {
    format!("<dataset name='d' {attributes}><uri-template>{uri}</uri-template></dataset>")
}

#[test]
fn datasets() {
    const HOURLY: &str = "frequency='60' initial-instance='2026-01-01T00:00Z' timezone='UTC'";
    const DAILY: &str =
        "frequency='${coord:days(1)}' initial-instance='2026-01-01T00:00Z' timezone='UTC'";
    const YEARLY: &str =
        "frequency='${coord:months(12)}' initial-instance='2026-01-01T00:00Z' timezone='UTC'";
    const ONCE: &str =
        "frequency='${coord:months(1200)}' initial-instance='2026-01-01T00:00Z' timezone='UTC'";
    const TOKYO: &str =
        "frequency='${coord:days(1)}' initial-instance='2026-01-01T00:00Z' timezone='Asia/Tokyo'";
    for (attributes, uri, expected) in [
        (HOURLY, "/d/${YEAR}/${MONTH}/${DAY}/${HOUR}", &[][..]),
        (
            HOURLY,
            "/d/${YEAR}/${MONTH}/${DAY}",
            &["shared_instance_uris /d/${YEAR}/${MONTH}/${DAY}"],
        ),
        (HOURLY, "${root}/d", &[]),
        (HOURLY, "${root}/${DAY}", &[]),
        (HOURLY, "/d/${YEAR}/${MONTH}/${DAY}${rest}", &[]),
        (
            HOURLY,
            "${root}/${coord:user()}/${YEAR}/${MONTH}/${DAY}",
            &["shared_instance_uris ${root}/${coord:user()}/${YEAR}/${MONTH}/${DAY}"],
        ),
        (
            HOURLY,
            "/d/${YEAR}/${\"$\"}{MONTH + 0}/${\"$\"}{DAY + 0}/${\"$\"}{HOUR + 0}",
            &[],
        ),
        (
            HOURLY,
            "/d/${YEAR}/${\"$\"}{MONTH + 0}/${\"$\"}{DAY + 0}",
            &["shared_instance_uris /d/${YEAR}/${\"$\"}{MONTH + 0}/${\"$\"}{DAY + 0}"],
        ),
        (DAILY, "/d/${YEAR}-${MONTH}-${DAY}", &[]),
        (
            DAILY,
            "/d/${MONTH}-${DAY}",
            &["shared_instance_uris /d/${MONTH}-${DAY}"],
        ),
        (DAILY, "/d", &["shared_instance_uris /d"]),
        (YEARLY, "/d/${YEAR}", &[]),
        (ONCE, "/d", &[]),
        (
            TOKYO,
            "/d/${YEAR}/${MONTH}/${DAY}",
            &["utc_uri_templates /d/${YEAR}/${MONTH}/${DAY}"],
        ),
        (TOKYO, "/d/${YEAR}/${MONTH}/${DAY}/${HOUR}", &[]),
        (
            "frequency='0 * * * *' initial-instance='1969-01-01T00:00Z' timezone='X'",
            "/d",
            &["H0701 0 * * * *", "H0710 1969-01-01T00:00Z", "H0706 X"],
        ),
        (
            "frequency='1' initial-instance='${coord:dateOffset(start, 1, \"DAY\")}' timezone='UTC'",
            "${coord:nominalTime()}",
            &["H0718 coord:nominalTime"],
        ),
    ] {
        let sections = format!(
            "<datasets>{}</datasets><input-events><data-in name='i' dataset='d'><instance>${{coord:current(0)}}</instance></data-in></input-events>",
            dataset(attributes, uri)
        );
        check(&of_sections(sections), &[], expected);
    }
}

fn hourly(name: &str) -> String {
    let attributes = "frequency='60' initial-instance='2026-01-01T00:00Z' timezone='UTC'";
    let uri = format!("/{name}/${{YEAR}}/${{MONTH}}/${{DAY}}/${{HOUR}}");
    dataset(attributes, &uri).replace("name='d'", &format!("name='{name}'"))
}

/// A coordinator with an input of dataset `d` and an output of dataset `e`.
fn events(input: &str, output: &str) -> String {
    let read = hourly("d");
    let written = hourly("e");
    format!(
        "<datasets>{read}{written}</datasets><input-events><data-in name='i' dataset='d'>{input}</data-in></input-events><output-events><data-out name='o' dataset='e'>{output}</data-out></output-events>"
    )
}

#[test]
fn configuration_of_the_workflow() {
    let current = "<instance>${coord:current(0)}</instance>";
    for (value, expected) in [
        ("${coord:dataIn('i')}/${coord:dataOut('o')}", &[][..]),
        ("${coord:dataIn(which)}", &[]),
        // The dataset is none of HCatalog.
        (
            "${coord:dataInPartitionFilter('i', 'pig')}",
            &["H0725 coord:dataInPartitionFilter('i', 'pig')"],
        ),
        (
            "${coord:formatTime(coord:dateOffset(coord:nominalTime(), -1, 'DAY'), 'yyyy')}",
            &[],
        ),
        ("${coord:dataIn('o')}", &["H0716 'o'"]),
        ("${coord:dataOut('i')}", &["H0716 'i'"]),
        ("${coord:databaseOut('x')}", &["H0716 'x'"]),
        (
            "${coord:formatTime(coord:nominalTime(), 'YYYYMMdd')}",
            &["week_year_patterns 'YYYYMMdd'"],
        ),
        ("${coord:formatTime(coord:nominalTime(), \"yyyy'Y'\")}", &[]),
        ("${wf:id()}", &["H0717 wf:id"]),
        ("${coord:current(0)}", &["H0718 coord:current"]),
        ("${my.property}", &["H0414 my.property"]),
        ("${1 % 0}", &["H0414 1 % 0"]),
        (
            "${coord:dateOffset(coord:nominalTime(), -1, 'DAYS')}",
            &["H0414 'DAYS'"],
        ),
        (
            "${coord:dateOffset(coord:nominalTime(), 'one', 'DAY')}",
            &["H0414 'one'"],
        ),
        ("${coord:dateOffset(when, back, unit)}", &[]),
        (
            "${coord:formatTime('2026-11-25', 'yyyy')}",
            &["H0414 '2026-11-25'"],
        ),
        ("${coord:formatTime('2026-11-25T00:00Z', 'yyyy')}", &[]),
        ("${coord:formatTime('2026-11-25T00:00+0100', 'yyyy')}", &[]),
        (
            "${coord:formatTime(coord:nominalTime(), 'bogus')}",
            &["H0414 'bogus'"],
        ),
        (
            "${coord:dateTzOffset(coord:nominalTime(), 'Europe/Pariss')}",
            &["H0414 'Europe/Pariss'"],
        ),
        (
            "${coord:nominalTime() - 1}",
            &["H0414 coord:nominalTime() - 1"],
        ),
        ("${coord:nominalTime() > '2026'}", &[]),
    ] {
        let document = CoordinatorDocument {
            attributes: ATTRIBUTES,
            sections: events(current, current),
            configuration: value,
        };
        check(&document, &[], expected);
    }
}

#[test]
fn input_logic() {
    let current = "<instance>${coord:current(0)}</instance>";
    for (logic, expected) in [
        (
            "<or><data-in dataset='i'/><data-in dataset='i'/></or>",
            &[][..],
        ),
        ("<data-in dataset='i' min='${least}' wait='10'/>", &[]),
        ("<data-in dataset='d'/>", &["H0720 d"]),
        (
            "<data-in dataset='i'/><data-in dataset='i'/>",
            &["H0720 data-in"],
        ),
        (
            "<and min='some'><data-in dataset='i'/></and>",
            &["H0720 some"],
        ),
    ] {
        let sections = events(current, current).replace(
            "</input-events>",
            &format!("</input-events><input-logic>{logic}</input-logic>"),
        );
        check(&of_sections(sections), &[], expected);
    }
}

#[test]
fn combined_events_have_equal_numbers_of_fixed_instances() {
    for (second, expected) in [
        (
            "<start-instance>${coord:current(-1)}</start-instance><end-instance>${coord:current(0)}</end-instance>",
            &[][..],
        ),
        ("<instance>${coord:current(0)}</instance>", &["H0720 j"]),
        ("<instance>${coord:latest(0)}</instance>", &["H0720 j"]),
    ] {
        let first =
            "<instance>${coord:current(0)}</instance><instance>${coord:current(1)}</instance>";
        let sections = events(first, "<instance>${coord:current(0)}</instance>").replace(
            "</input-events>",
            &format!("<data-in name='j' dataset='d'>{second}</data-in></input-events><input-logic><combine><data-in dataset='i'/><data-in dataset='j'/></combine></input-logic>"),
        );
        check(&of_sections(sections), &[], expected);
    }
}

#[test]
fn properties_are_needed_where_all_are_given() {
    let document = CoordinatorDocument {
        attributes: ATTRIBUTES,
        sections: String::new(),
        configuration: "${in}/${coord:conf('out')}/${in-put}",
    };
    check(&document, &[], &[]);
    check(
        &document,
        &[("in", "1"), ("in-put", "2")],
        &["H0511 in-put"],
    );
    check(&document, &[("put", "1")], &["H0511 in"]);
    check(
        &of_attributes(ATTRIBUTES),
        &[("YEAR", "1")],
        &["H0513 coordinator-app"],
    );
}

#[test]
fn service_levels() {
    for (elements, properties, expected) in [
        (
            "<s:nominal-time>${coord:nominalTime()}</s:nominal-time><s:should-end>${30 * MINUTES}</s:should-end>",
            &[][..],
            &[][..],
        ),
        (
            "<s:nominal-time>${due}</s:nominal-time><s:should-start>${late * HOURS}</s:should-start><s:should-end>${end}</s:should-end>",
            &[],
            &[],
        ),
        (
            "<s:nominal-time>${due}</s:nominal-time><s:should-start>${late * HOURS}</s:should-start><s:should-end>${end}</s:should-end>",
            &[("due", "2026-01-01"), ("late", "-1"), ("end", "2h")],
            &["H0611 ${due}", "H0611 ${late * HOURS}", "H0611 ${end}"],
        ),
        (
            "<s:nominal-time>today</s:nominal-time><s:should-end>30 * MINUTES</s:should-end><s:max-duration>-1</s:max-duration><s:alert-events>end_mis</s:alert-events>",
            &[],
            &[
                "H0611 today",
                "H0611 30 * MINUTES",
                "unknown_alert_events end_mis",
            ],
        ),
        (
            "<s:nominal-time>${coord:nominalTime()}</s:nominal-time><s:should-end>${coord:conf('end')}</s:should-end><s:alert-events>${events}</s:alert-events>",
            &[("end", "-5"), ("events", "start_miss,end_mis")],
            &[
                "H0611 ${coord:conf('end')}",
                "unknown_alert_events ${events}",
            ],
        ),
        (
            "<s:nominal-time>${MINUTES}</s:nominal-time><s:should-end>5</s:should-end>",
            &[],
            &["H0611 ${MINUTES}"],
        ),
    ] {
        let text = of_sections(String::new()).text().replace(
            "</workflow>",
            &format!("</workflow><s:info xmlns:s='uri:oozie:sla:0.2'>{elements}</s:info>"),
        );
        assert_eq!(findings(&text, &given(properties)), expected, "{text}");
    }
    let old = of_sections(String::new()).text().replace(
        "</workflow>",
        "</workflow><s:info xmlns:s='uri:oozie:sla:0.1'><s:app-name>a</s:app-name><s:nominal-time>x</s:nominal-time><s:should-start>x</s:should-start><s:should-end>x</s:should-end><s:alert-contact>c</s:alert-contact><s:dev-contact>c</s:dev-contact><s:qa-contact>c</s:qa-contact><s:se-contact>c</s:se-contact></s:info>",
    );
    assert_eq!(
        findings(&old, &given(&[])),
        ["H0611 x", "H0611 x", "H0611 x"]
    );
}
