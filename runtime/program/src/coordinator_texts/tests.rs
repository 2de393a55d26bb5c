//! Texts of coordinators: what is compiled has the values and errors of what is parsed.

use chrono::DateTime;
use hpdlc_core::{
    coordinator::{ActionFacts, EventUris, JobValues},
    el::{error::ElError, functions::coord, phase::Phase, scope::NoJob, text::TextValue},
    frequency,
    time::ProcessingZone,
};

use super::*;
use crate::table::{Coordinator, Part, Property};

static MY: Part = Part::Property("my");
static NOMINAL: Part = Part::Call(&coord::NOMINAL_TIME, &[]);

static CASES: [(Template, &str); 17] = [
    (
        parts(
            "${coord:minutes(n)}",
            &[Part::Call(&coord::MINUTES, &[Part::Property("n")])],
        ),
        "${coord:minutes(n)}",
    ),
    (
        parts(
            "${coord:days(0)}",
            &[Part::Call(&coord::DAYS, &[Part::Long(0)])],
        ),
        "${coord:days(0)}",
    ),
    (
        parts(
            "${coord:months('x')}",
            &[Part::Call(&coord::MONTHS, &[Part::Text("x")])],
        ),
        "${coord:months('x')}",
    ),
    (
        parts(
            "${coord:endOfDays(2)}",
            &[Part::Call(&coord::END_OF_DAYS, &[Part::Long(2)])],
        ),
        "${coord:endOfDays(2)}",
    ),
    (
        parts(
            "a ${coord:conf('dir')}",
            &[
                Part::Text("a "),
                Part::Call(&coord::CONF, &[Part::Text("dir")]),
            ],
        ),
        "a ${coord:conf('dir')}",
    ),
    (
        parts("${coord:user()}", &[Part::Call(&coord::USER, &[])]),
        "${coord:user()}",
    ),
    (
        parts(
            "${coord:current(0)}",
            &[Part::Call(&coord::CURRENT, &[Part::Long(0)])],
        ),
        "${coord:current(0)}",
    ),
    (
        parts(
            "${coord:dateOffset(coord:nominalTime(), n, 'DAY')}",
            &[Part::Call(
                &coord::DATE_OFFSET,
                &[NOMINAL, Part::Property("n"), Part::Text("DAY")],
            )],
        ),
        "${coord:dateOffset(coord:nominalTime(), n, 'DAY')}",
    ),
    (
        parts(
            "${coord:formatTime(nowhere, 'yyyy')}",
            &[Part::Call(
                &coord::FORMAT_TIME,
                &[Part::Property("nowhere"), Part::Text("yyyy")],
            )],
        ),
        "${coord:formatTime(nowhere, 'yyyy')}",
    ),
    (
        parts(
            "${coord:dataIn('logs')}",
            &[Part::Call(&coord::DATA_IN, &[Part::Text("logs")])],
        ),
        "${coord:dataIn('logs')}",
    ),
    (
        parts(
            "${coord:dataIn('none')}",
            &[Part::Call(&coord::DATA_IN, &[Part::Text("none")])],
        ),
        "${coord:dataIn('none')}",
    ),
    (
        parts(
            "${coord:hoursInDay(0)}",
            &[Part::Call(&coord::HOURS_IN_DAY, &[Part::Long(0)])],
        ),
        "${coord:hoursInDay(0)}",
    ),
    (
        parts(
            "${coord:absoluteRange('x', 1)}",
            &[Part::Call(
                &coord::ABSOLUTE_RANGE,
                &[Part::Text("x"), Part::Long(1)],
            )],
        ),
        "${coord:absoluteRange('x', 1)}",
    ),
    (
        parts(
            "${bundle:conf('dir')}",
            &[Part::Call(&coord::BUNDLE_CONF, &[Part::Text("dir")])],
        ),
        "${bundle:conf('dir')}",
    ),
    (Template::Around(1, 1, "/", "dir", "/"), "/${dir}/"),
    (Template::Property(1, 1, "nowhere"), "${nowhere}"),
    (parts("${my.dir}", &[Part::Member(&MY, "dir")]), "${my.dir}"),
];

const fn parts(source: &'static str, parts: &'static [Part]) -> Template {
    Template::Parts(1, 1, source, parts)
}

fn properties() -> BTreeMap<String, String> {
    [("n", "2"), ("dir", "/data"), ("my.dir", "/own")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into()
}

fn facts() -> ActionFacts {
    let uris = EventUris(Some(vec!["/logs/1".to_owned()]));
    ActionFacts {
        id: Some("0000001-C@1".to_owned()),
        name: "hourly".to_owned(),
        nominal: DateTime::UNIX_EPOCH,
        actual: None,
        inputs: BTreeMap::from([("logs".to_owned(), uris)]),
        outputs: BTreeMap::new(),
    }
}

/// The values of a text, or its errors, in everything that evaluates texts of coordinators.
fn values(text: &dyn TextValue) -> Vec<String> {
    let job = JobValues::new(properties(), Some("ann".to_owned()), ProcessingZone::UTC);
    let message = |error: ElError| format!("{:?} {error}", error.kind);
    let shown = |value: Result<String, ElError>| value.unwrap_or_else(message);
    let mut values = vec![
        shown(job.evaluate_at_submission(text)),
        shown(job.evaluate_for_action(text, &facts())),
    ];
    for phase in Phase::ALL {
        let scope = NoJob::in_phase(phase, &properties(), DateTime::UNIX_EPOCH);
        values.push(shown(text.value(&scope)));
        values.push(shown(frequency::evaluate_timeout(text, &scope)));
        let frequency = frequency::evaluate(text, &scope);
        values.push(frequency.map_or_else(message, |text| format!("{text:?}")));
    }
    values
}

#[test]
fn compiled_texts_have_the_values_of_parsed_ones() {
    for (compiled, source) in CASES {
        let parsed = parser::parse_template(source).expect("it is a template");
        assert_eq!(values(&compiled), values(&parsed), "{source}");
    }
    let hint = "property `my.dir` is written `wf:conf('my.dir')`";
    assert!(values(&CASES[16].0)[0].ends_with(hint));
}

#[test]
fn only_texts_that_are_not_in_the_table_are_parsed() {
    static COORDINATOR: Coordinator = Coordinator {
        frequency: parts("${coord:days(1)}", &[Part::Text("compiled")]),
        configuration: &[
            Property::Property("in", 1, 1, "dir"),
            Property::Computed {
                name: Template::Property(1, 1, "n"),
                value: Template::Text(1, ""),
            },
        ],
        ..Coordinator::EMPTY
    };
    let job = JobValues::new(properties(), None, ProcessingZone::UTC);
    let texts = CompiledTexts::of(&COORDINATOR);
    for (source, expected) in [
        ("${coord:days(1)}", "compiled"),
        ("${dir}", "/data"),
        ("${n}", "2"),
        ("${dir}/x", "/data/x"),
    ] {
        let text = texts.text(source).expect("it is a template");
        let value = job.evaluate_at_submission(&text);
        assert_eq!(value.as_deref(), Ok(expected), "{source}");
    }
    assert!(texts.text("${").is_err());
}
