//! Table tests of cron expressions: how Quartz and Oozie interpret each.

use hpdlc_tests::cases;

use super::*;

fn instant(text: &str) -> DateTime<Utc> {
    let full = match text.len() {
        10 => format!("{text}T00:00Z"),
        _ => format!("{text}Z"),
    };
    let read = ProcessingZone::UTC.read(&full);
    read.expect("is a date").instant
}

/// The first times from `from` on, without the year.
fn times(text: &str, from: &str, zone: ProcessingZone, n: usize) -> String {
    let cron = Cron::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let first = cron.first_from(instant(from), zone);
    let times: Vec<String> = std::iter::successors(first, |last| cron.next_after(*last, zone))
        .take(n)
        .map(|time| time.format("%m-%dT%H:%M").to_string())
        .collect();
    times.join(" ")
}

#[test]
fn times_are_those_of_quartz() {
    cases::check("runtime/core/src/cron/tests.txt", |case| {
        let (text, from) = case.given.split_once(" from ").expect("a start");
        let n = case.expected.split(' ').count();
        times(text, from, ProcessingZone::UTC, n)
    });
}

#[test]
fn expressions_are_put_into_words() {
    cases::check(
        "runtime/core/src/cron/words.txt",
        |case| match Cron::parse(&case.given) {
            Ok(cron) => cron.words(),
            Err(error) => error.to_string(),
        },
    );
}

#[test]
fn years_are_searched_for_rare_days() {
    let cron = Cron::parse("0 0 29 2 *").expect("is one");
    let first = cron.first_from(instant("2016-03-01"), ProcessingZone::UTC);
    assert_eq!(first, Some(instant("2020-02-29")));
    let never = Cron::parse("0 10 30 2 *").expect("is one");
    assert_eq!(
        never.first_from(instant("2016-01-01"), ProcessingZone::UTC),
        None
    );
    assert!(!never.has_impossible_half());
    let half = Cron::parse("0 0 30 2 MON").expect("is one");
    assert!(half.has_impossible_half());
    assert!(
        !Cron::parse("0 0 1 2 MON")
            .expect("is one")
            .has_impossible_half()
    );
}

#[test]
fn fields_are_of_the_processing_time_zone() {
    let zone = ProcessingZone::parse("GMT+0530").expect("is one");
    assert_eq!(
        times("30 1 * * *", "2016-01-01", zone, 2),
        "01-01T20:00 01-02T20:00"
    );
}

#[test]
fn what_quartz_refuses_is_refused() {
    for text in [
        "0 0 ? * ?",
        "? * * * *",
        "60 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "* * 32 * *",
        "* * * 0 *",
        "* * * 13 *",
        "0 0 * * 0",
        "0 0 ? * 8",
        "* * * *",
        "* * * * * *",
        "*  * * * *",
        "*\t* * * *",
        "@daily",
        "0 0 1 1 ? 2016",
        "-1 * * * *",
        "0/60 * * * *",
        "* 0/24 * * *",
        "* * 1/32 * *",
        "* * * 1/13 *",
        "0 0 L,15 * ?",
        "0 0 15,L * ?",
        "0 0 L-31 * ?",
        "0 0 32W * ?",
        "0 0 W * ?",
        "0 0 ? * 3#1,6#3",
        "0 0 ? * 3#6",
        // Quartz accepts days that no week has, and then finds other days or loops forever.
        "0 0 ? * 0#1",
        "0 0 ? * 8#3",
        "0 0 0W * ?",
        "0 0 ? * 6L,2",
        "0 0 ? * 2,6L",
        "0 0 ? * MON-FOO",
        "H * * * *",
        "a b c d e",
        "5/3-9 * * * *",
        "1- * * * *",
        "1/ * * * *",
        "*/x * * * *",
        "1L * * * *",
        "1W * * * *",
        "L * * * *",
        "L,L * * * *",
        "* * * L *",
        "0 0 ?,5 * 3",
        "0 0 5 * 3,?",
        "0 0 ?,5 * ?",
        ", * * * *",
        "99999999999 * * * *",
        "é * * * *",
    ] {
        let error = Cron::parse(text).expect_err(text);
        assert!(text.get(error.range.clone()).is_some(), "{text}: {error:?}");
    }
}

#[test]
fn what_quartz_takes_for_something_else_is_taken_and_told() {
    for (text, same, n_oddities) in [
        ("* * ? * *", "* * * * *", 0),
        ("0 0 L-30 * ?", "0 0 L-30 * ?", 0),
        ("0 0 1,15 * 2", "0 0 1,15 * 2", 0),
        ("5-1 * * * *", "0-1,5-59 * * * *", 0),
        ("*/0 * * * *", "* * * * *", 1),
        ("** * ** ** *", "* * * * *", 0),
        ("1.5 * * * *", "1 * * * *", 1),
        ("0 0 1-5W * ?", "0 0 1-5 * ?", 1),
        ("0 0 15W,20 * ?", "0 0 15W * ?", 1),
        ("0 0 ? * MON,WED#2", "0 0 ? * MON#2", 1),
        ("0 0 ? * SUNDAY-MONDAY", "0 0 ? * SUN", 1),
        ("0 0 ? January MONDAY", "0 0 ? 1 2", 0),
        ("0 0 1-31 * MON", "0 0 * * ?", 1),
        ("0 0 ? * 55-5", "", 0),
        ("1-5/99999999999 * * * *", "1 * * * *", 0),
        ("1,,2 * * * *", "1,2 * * * *", 0),
        ("L,21 2 * * *", "21 2 * * *", 1),
    ] {
        if same.is_empty() {
            Cron::parse(text).expect_err(text);
            continue;
        }
        let cron = Cron::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(
            cron.oddities().len(),
            n_oddities,
            "{text}: {:?}",
            cron.oddities()
        );
        let zone = ProcessingZone::UTC;
        assert_eq!(
            times(text, "2016-01-01", zone, 40),
            times(same, "2016-01-01", zone, 40),
            "{text}"
        );
    }
}
