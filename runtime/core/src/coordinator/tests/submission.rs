//! What is evaluated, and refused, at submission.

use super::*;

fn resolved(
    change: impl FnOnce(&mut CoordinatorDefinition),
) -> Result<Coordinator, SubmissionError> {
    let daily = ("${coord:days(1)}", "UTC", "2009-01-01T00:00");
    let mut definition = definition(daily, each("${coord:current(0)}"));
    change(&mut definition);
    definition.resolve(job(&[
        ("name", "nightly"),
        ("freq", "${coord:days(1)}"),
        ("cron", "0 4 * * *"),
        ("uri", "/x/${YEAR}"),
    ]))
}

#[test]
fn texts_are_evaluated_once() {
    let coordinator = resolved(|definition| {
        definition.name = template("${name}");
        definition.frequency = template("${cron}");
        definition.start = template(" 2009-1-1T0:00Z ");
        let dataset = definition.datasets.get_mut("d").expect("is there");
        // A template that comes from a property works as well.
        dataset.uri_template = template("${uri}-${MONTH}");
        dataset.initial_instance = template("${coord:dateOffset('2009-01-01T00:00Z', 1, 'DAY')}");
    })
    .expect("is sound");
    assert_eq!(coordinator.name, "nightly");
    assert_eq!(coordinator.schedule.start, instant("2009-01-01T00:00"));
    let dataset = &coordinator.inputs[0].dataset;
    assert_eq!(dataset.first, instant("2009-01-02T00:00"));
    assert_eq!(dataset.uri(instant("2010-03-04T00:00")), "/x/2010-03");
    let first = coordinator.schedule.actions().next().expect("has actions");
    assert_eq!(first.time, instant("2009-01-01T04:00"));
}

#[test]
fn what_oozie_refuses_is_refused() {
    type Change = fn(&mut CoordinatorDefinition);
    let cases: [(&str, &str, Change); 19] = [
        ("E1004", "the name: variable `x`", |d| {
            d.name = template("${x}")
        }),
        ("E1003", "the frequency: expected 5 fields", |d| {
            d.frequency = template("${freq}")
        }),
        ("E1003", "the frequency: 0 is not above 0", |d| {
            d.frequency = template("0")
        }),
        ("E1004", "the frequency: ", |d| {
            d.frequency = template("${coord:days(0)}")
        }),
        (
            "E1003",
            "the start: `now` is no date: it has not the form",
            |d| d.start = template("now"),
        ),
        (
            "E1003",
            "the end: `2009-02-30T00:00Z` is no date: there is no such day",
            |d| d.end = template("2009-02-30T00:00Z"),
        ),
        ("E1003", "the start is not before the end", |d| {
            d.end = d.start.clone()
        }),
        ("E1003", "the time zone: no time zone", |d| {
            d.timezone = template("utc")
        }),
        ("E1003", "the frequency: no time of the expression", |d| {
            d.frequency = template("0 0 30 2 *")
        }),
        ("E1003", "the frequency: no time of the expression", |d| {
            d.frequency = template("0 10 * * *");
            d.end = template("1990-01-01T10:00Z");
        }),
        (
            "E0803",
            "the dataset of `i`: there is no dataset `e`",
            |d| {
                d.inputs[0].dataset = template("e");
            },
        ),
        (
            "E1003",
            "the frequency of dataset `d`: a dataset cannot",
            |d| {
                d.datasets.get_mut("d").expect("is there").frequency = template("0 0 * * *");
            },
        ),
        (
            "E1021",
            "the initial instance of dataset `d`: the first instance is before",
            |d| {
                d.datasets.get_mut("d").expect("is there").initial_instance =
                    template("1969-12-31T23:59Z");
            },
        ),
        (
            "E1004",
            "the initial instance of dataset `d`: function `coord:formatTime` cannot",
            |d| {
                d.datasets.get_mut("d").expect("is there").initial_instance =
                    template("${coord:formatTime('2009-01-01T00:00Z', 'yyyy')}");
            },
        ),
        ("E1003", "the time zone of dataset `d`: ", |d| {
            d.datasets.get_mut("d").expect("is there").timezone = template("");
        }),
        (
            "E1004",
            "the URI template of dataset `d`: variable `z`",
            |d| {
                d.datasets.get_mut("d").expect("is there").uri_template = template("/${z}");
            },
        ),
        ("E1004", "the done flag of dataset `d`: variable `z`", |d| {
            d.datasets.get_mut("d").expect("is there").done_flag = Some(template("/${z}"));
        }),
        (
            "E1004",
            "an instance of `i`: function `coord:latest` failed",
            |d| {
                d.inputs[0].instances = each("${coord:latest(1)}");
            },
        ),
        ("E1003", "`execution`: `RANDOM` is none of", |d| {
            d.controls.execution = Some(template("RANDOM"));
        }),
    ];
    for (code, expected, change) in cases {
        let error = resolved(change).map(|_| ()).expect_err(expected);
        assert!(error.to_string().contains(expected), "{expected}: {error}");
        assert_eq!(error.problem.oozie_code(), code, "{error}");
    }
}

/// Oozie runs such a job to its end without any action.
#[test]
fn intervals_may_have_no_action() {
    let coordinator = resolved(|definition| {
        definition.frequency = template("${coord:endOfMonths(1)}");
        definition.start = template("2009-02-01T01:00Z");
        definition.end = template("2009-02-03T23:59Z");
    })
    .expect("is sound");
    assert_eq!(coordinator.schedule.actions().next(), None);
}

#[test]
fn datasets_that_nothing_names_are_not_looked_at() {
    resolved(|definition| {
        definition
            .datasets
            .insert("unused".to_owned(), DatasetText::default());
    })
    .expect("is sound");
}
