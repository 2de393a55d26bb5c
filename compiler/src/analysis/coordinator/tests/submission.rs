//! What only submitting a coordinator and making its first action shows.

use super::*;

/// A coordinator with one dataset, read at `instances`.
fn reading(dataset: &str, instances: &str, others: &str) -> CoordinatorDocument<'static> {
    of_sections(format!(
        "<controls>{others}</controls>\
         <datasets><dataset name='d' frequency='60' timezone='UTC' {dataset}</dataset></datasets>\
         <input-events><data-in name='i' dataset='d'>{instances}</data-in></input-events>"
    ))
}

const DATASET: &str = "initial-instance='2025-12-01T00:00Z'><uri-template>/d/${YEAR}/${MONTH}/${DAY}/${HOUR}</uri-template>";
const NOW: &str = "<instance>${coord:current(0)}</instance>";
const THROTTLE: &str = "<throttle>1</throttle>";

#[test]
fn values_that_refuse_it() {
    let properties = [
        ("day", "2026-01-01"),
        ("time", "2025-12-01T00:00Z"),
        ("early", "2025-11-01T00:00Z"),
        ("late", "2026-02-01T00:00Z"),
        ("unit", "DAYS"),
        ("zero", "0"),
    ];
    let day = "${coord:dateOffset(time, 1, unit)}";
    let initial = DATASET
        .replace("2025-12-01T00:00Z", day)
        .replace('\'', "\"");
    let uri = DATASET.replace("${HOUR}", "${HOUR}/${1 % zero}");
    let flag = format!("{DATASET}<done-flag>${{1 % zero}}</done-flag>");
    let texts = |start: &str| {
        format!("${{coord:absolute({start})}}</start-instance><end-instance>${{coord:current(0)}}")
    };
    let range = |start| format!("<start-instance>{}</end-instance>", texts(start));
    for (document, expected) in [
        (reading(DATASET, NOW, THROTTLE), vec![]),
        (
            reading(DATASET, "<instance>${day}</instance>", THROTTLE),
            vec!["H0725 ${day}".to_owned()],
        ),
        (
            reading(DATASET, &range("early"), THROTTLE),
            vec![format!("H0725 {}", texts("early"))],
        ),
        (
            reading(DATASET, &range("late"), THROTTLE),
            vec![format!("H0725 {}", texts("late"))],
        ),
        (reading(DATASET, &range("time"), THROTTLE), vec![]),
        (
            reading(&initial, NOW, THROTTLE),
            vec![format!("H0725 {}", &day[2..day.len() - 1])],
        ),
        (
            reading(&uri, NOW, THROTTLE),
            vec!["H0725 1 % zero".to_owned()],
        ),
        (
            reading(&flag, NOW, THROTTLE),
            vec!["H0725 1 % zero".to_owned()],
        ),
        (
            reading(DATASET, NOW, "<throttle>${1 % zero}</throttle>"),
            vec!["H0725 1 % zero".to_owned()],
        ),
    ] {
        let text = document.text();
        assert_eq!(findings(&text, &given(&properties)), expected, "{text}");
    }
}

#[test]
fn nothing_is_said_of_what_is_unknown() {
    let text = reading(DATASET, "<instance>${day}</instance>", THROTTLE).text();
    for (properties, expected) in [
        (&[][..], &[][..]),
        (&[("day", "${other}")], &[]),
        (
            &[("day", "${other}"), ("other", "2026-01-01")],
            &["H0725 ${day}"],
        ),
        // Whether it is read depends on the zone of the server.
        (&[("day", "2026-01-01T00:00+0530")], &[]),
    ] {
        let given = JobProperties {
            is_complete: false,
            ..given(properties)
        };
        assert_eq!(findings(&text, &given), expected, "{properties:?}");
    }
}
