use std::collections::BTreeMap;

use hpdlc_core::{definition::NodeId, el::functions::wf, step::FailureClass};
use hpdlc_program::table::{Part, Template};

use super::*;

const fn property(name: &'static str, value: &'static str) -> Property {
    Property::Text(name, 0, value)
}

static DEFAULTS: [Property; 6] = [
    property("plain", "1"),
    property("queue", "default"),
    Property::Join("within", 0, 1, &[("", "plain"), ("", "plain")], ""),
    Property::Around("outside", 0, 1, "", "nn", "/data"),
    Property::Template(
        "function",
        Template::Parts(0, 1, "${wf:id()}", &[Part::Call(&wf::ID, &[])]),
    ),
    property("empty", ""),
];
static GLOBAL: [Property; 3] = [
    property("queue", "global"),
    property("plain", ""),
    property("kept", "yes"),
];
static OWN: [Property; 2] = [property("queue", "first"), property("queue", "own")];

static APP: App = App {
    name: Template::Text(0, "test"),
    source: "workflow.xml",
    folder: "",
    parameters: &[],
    config_default: &DEFAULTS,
    global: &GLOBAL,
    slas: &[],
    lines: &[],
    joins: &[],
    start: NodeId(0),
    functions: &[],
    rows: &[],
    definitions: &[],
};

/// The effective properties of a job that has these properties, by name.
#[track_caller]
fn check(conf: &[(&str, &str)], expected: &[(&str, WinningValue<'_>)]) {
    let conf: BTreeMap<String, String> = conf
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    let winning = winning(&APP, &conf, &[&DEFAULTS, &GLOBAL, &OWN]);
    let found: BTreeMap<Cow<'_, str>, WinningValue<'_>> = winning
        .iter()
        .map(|winning| (winning.property.name(), winning.value.clone()))
        .collect();
    assert_eq!(found.len(), winning.len(), "each name counts once");
    let expected = expected.iter().cloned();
    let expected: BTreeMap<Cow<'_, str>, WinningValue<'_>> =
        expected.map(|(name, value)| (name.into(), value)).collect();
    assert_eq!(found, expected);
}

fn substituted(text: &str) -> WinningValue<'_> {
    WinningValue::Substituted(Cow::Borrowed(text))
}

#[test]
fn later_layers_win_and_what_is_empty_hides_nothing() {
    let conf = BTreeMap::new();
    let winning = winning(&APP, &conf, &[&DEFAULTS, &GLOBAL, &OWN]);
    let value = |name: &str| {
        winning
            .iter()
            .find(|winning| winning.property.name() == name)
            .map(|winning| winning.property.value().source())
    };
    assert_eq!(value("queue").as_deref(), Some("own"));
    assert_eq!(value("plain").as_deref(), Some("1"));
    assert_eq!(value("kept").as_deref(), Some("yes"));
    assert_eq!(value("empty"), None);
}

#[test]
fn defaults_refer_to_each_other_and_else_to_the_job() {
    check(
        &[
            ("nn", "file:"),
            ("plain", "2"),
            ("queue", "given"),
            ("within", "22"),
            ("outside", "file:/data"),
            ("function", "${wf:id()}"),
        ],
        &[
            // The value in the file needs no property of the job.
            ("plain", WinningValue::Own),
            ("within", substituted("11")),
            ("outside", substituted("file:/data")),
            ("function", substituted("${wf:id()}")),
            ("kept", WinningValue::Own),
            ("queue", WinningValue::Own),
        ],
    );
}

#[test]
fn what_a_job_is_given_counts_where_a_default_asks_the_job() {
    check(
        &[("nn", "file:"), ("outside", "/given"), ("function", "${x}")],
        &[
            ("plain", WinningValue::Own),
            ("within", substituted("11")),
            ("outside", WinningValue::OfJob("/given")),
            ("function", WinningValue::OfJob("${x}")),
            ("kept", WinningValue::Own),
            ("queue", WinningValue::Own),
        ],
    );
}

#[test]
fn a_job_xml_that_is_none_is_ja007() {
    for text in ["<configuration>", "<other/>", "no XML"] {
        let error = parse_job_xml(text, Path::new("/app/job.xml")).expect_err("it is none");
        assert_eq!(error.code, "JA007");
        assert!(
            error.message.starts_with("job-xml /app/job.xml: "),
            "{}",
            error.message
        );
    }
}

#[test]
fn properties_of_oozie_are_not_the_authors() {
    let of = |name: &str| [(name.to_owned(), "x".to_owned())].into();
    for name in [
        "user.name",
        "mapreduce.job.user.name",
        "fs.default.name",
        "yarn.resourcemanager.address",
    ] {
        let error = refuse_forbidden(&of(name)).expect_err("it is forbidden");
        assert_eq!(error.code, "JA010");
        assert_eq!(error.class, FailureClass::Failed);
    }
    assert_eq!(refuse_forbidden(&of("mapred.job.tracker")), Ok(()));
}
