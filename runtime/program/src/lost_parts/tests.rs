//! Lost parts of texts in the table, and of the same texts parsed.

use std::collections::BTreeMap;

use chrono::DateTime;
use hpdlc_core::el::{
    error::ElError,
    functions::{Needs, coord, wf},
    scope::NoJob,
    value::Value,
};

use super::*;

const NOTHING: Part = Part::Property("nothing");
const BLANK: Part = Part::Property("blank");
const FULL: Part = Part::Property("full");

const fn before(text: &'static str, name: &'static str) -> Template {
    Template::Around(0, 1, text, name, "")
}

const fn around(text: &'static str, name: &'static str, behind: &'static str) -> Template {
    Template::Around(0, 1, text, name, behind)
}

const fn parts(source: &'static str, parts: &'static [Part]) -> Template {
    Template::Parts(0, 1, source, parts)
}

fn conditional(_: &dyn Scope) -> Result<Value, ElError> {
    Ok(Value::from(""))
}

fn difference(_: &dyn Scope) -> Result<Value, ElError> {
    Err(ElError::coercion("expected a number"))
}

fn scope() -> NoJob {
    let properties = [
        ("nothing", ""),
        ("blank", " "),
        ("dot", "."),
        ("slash", "/"),
        ("full", "a/b"),
        ("nameNode", ""),
        ("name_node", ""),
        ("x", "/d/"),
        ("y", "/e"),
    ];
    let properties: BTreeMap<String, String> = properties
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
    NoJob::new(&properties, DateTime::UNIX_EPOCH)
}

/// The table and the syntax tree give the same part.
#[track_caller]
fn check(path: Template, lost: &Lost, expected: Option<&str>) {
    let scope = scope();
    let source = path.source();
    assert_eq!(
        path.lost_part(&scope, lost).as_deref(),
        expected,
        "{source}"
    );
    let value = |text: &str| evaluate_text(&scope, text).ok();
    let parsed = empty_parts::first_of_text(&source, value, lost);
    assert_eq!(parsed, expected, "{source}, parsed");
    assert_eq!(
        path.is_lost(&scope, lost),
        lost.is_lost_in(&source, value),
        "{source}"
    );
}

static SIMPLE: [(Template, Option<&str>); 21] = [
    (before("/data/", "nothing"), Some("${nothing}")),
    (around("/data/", "nothing", "/"), Some("${nothing}")),
    (around("/data/", "nothing", "/x"), Some("${nothing}")),
    (around("/data/ ", "nothing", "/x"), Some("${nothing}")),
    (
        Template::Join(0, 1, &[("/data/", "nothing"), ("", "blank")], ""),
        Some("${nothing}${blank}"),
    ),
    (before("/data/", "dot"), Some("${dot}")),
    (
        Template::Join(0, 1, &[("/data/", "full"), ("/", "slash")], ""),
        Some("${slash}"),
    ),
    (around("", "nothing", "/tmp"), Some("${nothing}")),
    (Template::Property(0, 1, "nothing"), Some("${nothing}")),
    (around("hdfs://nn/", "nothing", "/x"), Some("${nothing}")),
    (
        Template::Join(0, 1, &[("/data/", "nothing"), ("", "full")], ""),
        None,
    ),
    (before("/data/part-", "nothing"), None),
    (around("/data/", "nothing", ".old"), None),
    (before("/data/", "full"), None),
    (before("/data/", "unknown"), None),
    (Template::Text(0, "/data//x/"), None),
    (Template::Text(0, "/data"), None),
    (Template::Text(0, ""), None),
    (around("", "nameNode", "/data"), None),
    (
        Template::Join(0, 1, &[("", "nameNode"), ("/", "nothing")], ""),
        Some("${nothing}"),
    ),
    (
        Template::Join(0, 1, &[("", "nameNode"), ("", "nothing")], "/x"),
        Some("${nameNode}${nothing}"),
    ),
];

static COMPOSED: [(Template, Option<&str>); 9] = [
    (
        parts(
            "/data/${concat(nothing, blank)}",
            &[
                Part::Text("/data/"),
                Part::Call(&basic::CONCAT, &[NOTHING, BLANK]),
            ],
        ),
        Some("${concat(nothing, blank)}"),
    ),
    (
        parts(
            "${concat('/data/', nothing)}",
            &[Part::Call(&basic::CONCAT, &[Part::Text("/data/"), NOTHING])],
        ),
        Some("${concat('/data/', nothing)}"),
    ),
    (
        parts(
            "${concat('/data/', concat(nothing, '/x'))}",
            &[Part::Call(
                &basic::CONCAT,
                &[
                    Part::Text("/data/"),
                    Part::Call(&basic::CONCAT, &[NOTHING, Part::Text("/x")]),
                ],
            )],
        ),
        Some("${concat('/data/', concat(nothing, '/x'))}"),
    ),
    (
        parts(
            "${concat('/data/', nothing)}x",
            &[
                Part::Call(&basic::CONCAT, &[Part::Text("/data/"), NOTHING]),
                Part::Text("x"),
            ],
        ),
        None,
    ),
    (
        parts(
            "${concat('/data/', full)}/x",
            &[
                Part::Call(&basic::CONCAT, &[Part::Text("/data/"), FULL]),
                Part::Text("/x"),
            ],
        ),
        None,
    ),
    (
        parts("${concat('/data', '/')}", &[Part::Text("/data/")]),
        None,
    ),
    (
        parts(
            "${wf:conf('name_node')}/data",
            &[
                Part::Call(&wf::CONF, &[Part::Text("name_node")]),
                Part::Text("/data"),
            ],
        ),
        None,
    ),
    (
        parts(
            "/data/${empty x ? 'y' : ''}",
            &[
                Part::Text("/data/"),
                Part::Code(Needs::Nothing, &["x"], conditional),
            ],
        ),
        Some("${empty x ? 'y' : ''}"),
    ),
    (
        parts(
            "/data/${null}/x",
            &[Part::Text("/data/"), Part::Null, Part::Text("/x")],
        ),
        Some("${null}"),
    ),
];

#[test]
fn a_part_that_is_lost_is_named() {
    for (path, expected) in SIMPLE.into_iter().chain(COMPOSED) {
        check(path, &Lost::default(), expected);
    }
}

static READING: [(Template, Option<&str>); 12] = [
    (Template::Property(0, 1, "x"), Some("${x}")),
    (around("", "x", "/y"), Some("${x}")),
    (
        parts(
            "pre-${wf:conf('x')}",
            &[
                Part::Text("pre-"),
                Part::Call(&wf::CONF, &[Part::Text("x")]),
            ],
        ),
        Some("${wf:conf('x')}"),
    ),
    (
        parts(
            "${concat(x, '/y')}",
            &[Part::Call(
                &basic::CONCAT,
                &[Part::Property("x"), Part::Text("/y")],
            )],
        ),
        Some("${concat(x, '/y')}"),
    ),
    (around("", "y", "/x"), None),
    (Template::Text(0, "x"), None),
    (
        parts(
            "/data/${empty y ? 'y' : x}",
            &[
                Part::Text("/data/"),
                Part::Code(Needs::Nothing, &["x", "y"], conditional),
            ],
        ),
        Some("${empty y ? 'y' : x}"),
    ),
    (
        parts(
            "${my-path}/y",
            &[
                Part::Code(Needs::Nothing, &["my", "my-path", "path"], difference),
                Part::Text("/y"),
            ],
        ),
        Some("${my-path}"),
    ),
    (
        parts(
            "${a.b}/y",
            &[Part::Member(&Part::Property("a"), "b"), Part::Text("/y")],
        ),
        Some("${a.b}"),
    ),
    (
        parts(
            "${coord:dataOut('out')}",
            &[Part::Call(&coord::DATA_OUT, &[Part::Text("out")])],
        ),
        Some("${coord:dataOut('out')}"),
    ),
    (
        parts(
            "${coord:dataOut('other')}",
            &[Part::Call(&coord::DATA_OUT, &[Part::Text("other")])],
        ),
        None,
    ),
    (
        parts(
            "${empty y ? coord:dataOut('out') : y}",
            &[Part::Code(Needs::Coordinator, &["out", "y"], conditional)],
        ),
        Some("${empty y ? coord:dataOut('out') : y}"),
    ),
];

#[test]
fn paths_of_what_has_lost_a_part_are_lost() {
    let mut lost = Lost::default();
    for name in ["x", "my-path", "a.b"] {
        lost.set(name, true);
    }
    lost.add_event("out");
    for (path, expected) in READING {
        check(path, &lost, expected);
    }
}

#[test]
fn a_text_that_is_only_a_source_is_parsed() {
    let path = Template::Test(0, 1, "/data/${nothing}/x", Needs::Nothing, |_| Ok(false));
    check(path, &Lost::default(), Some("${nothing}"));
}
