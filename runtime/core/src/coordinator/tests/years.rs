//! A year of each frequency in five zones with clock changes: by an hour at night, at midnight, by half an hour, and by a whole
//! day, where a zone crosses the date line.

use crate::time::Zone;

use super::*;

/// Generated with Java's `GregorianCalendar`, which Oozie uses: zone, frequency and start; the first time, and the
/// run-length-encoded minutes from each to the next.
const YEARS: &str = include_str!("years.txt");

fn schedule(frequency: &str, zone: &str, start: &str) -> Schedule {
    let mut definition = definition(
        ("1", "UTC", "2000-01-01T00:00"),
        InstanceTexts::Each(Vec::new()),
    );
    definition.frequency = template(&format!("${{{frequency}}}"));
    definition.timezone = template(zone);
    definition.start = template(&format!("{start}Z"));
    let end = instant(start) + chrono::Duration::days(366);
    definition.end = template(&format!("{}Z", written(end)));
    let coordinator = definition.resolve(job(&[])).expect("is sound");
    coordinator.schedule
}

fn gaps(times: &[DateTime<Utc>]) -> String {
    let mut runs: Vec<(i64, usize)> = Vec::new();
    for pair in times.windows(2) {
        let gap = (pair[1] - pair[0]).num_minutes();
        match runs.last_mut() {
            Some((last, n)) if *last == gap => *n += 1,
            Some(_) | None => runs.push((gap, 1)),
        }
    }
    let runs: Vec<String> = runs
        .into_iter()
        .map(|(gap, n)| {
            if n == 1 {
                gap.to_string()
            } else {
                format!("{n}*{gap}")
            }
        })
        .collect();
    runs.join(" ")
}

#[test]
fn years_are_those_of_java() {
    assert_eq!(YEARS.lines().count(), 40);
    for line in YEARS.lines() {
        let (what, expected) = line.split_once(": ").expect("two parts");
        let [zone, frequency, start] = what.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let schedule = schedule(frequency, zone, start);
        let times: Vec<DateTime<Utc>> = schedule.actions().map(|action| action.time).collect();
        let found = format!("{} {}", written(times[0]), gaps(&times));
        assert_eq!(found, expected, "{what}");
    }
}

/// Starting from a later time yields the same actions as iteration from the start.
#[test]
fn later_actions_are_found_without_the_earlier_ones() {
    for line in YEARS.lines() {
        let what: Vec<&str> = line.split([' ', ':']).collect();
        let (zone, frequency, start) = (
            what[0],
            format!("{}:{}", what[1], what[2]),
            format!("{}:{}", what[3], what[4]),
        );
        let schedule = schedule(&frequency, zone, &start);
        assert!(Zone::parse(zone).is_ok());
        let all: Vec<NominalAction> = schedule.actions().collect();
        for at in [0, 1, 3, all.len() / 3, all.len() / 2, all.len() - 1] {
            let Some(action) = all.get(at) else { continue };
            for (minutes, first) in [(0, at), (-1, at), (1, at + 1)] {
                let from = action.time + chrono::Duration::minutes(minutes);
                let first = match all.get(first) {
                    // If a day is repeated, two actions have the same time.
                    Some(_) => all.iter().find(|later| later.time >= from).copied(),
                    None => None,
                };
                assert_eq!(
                    schedule.actions_from(from).next(),
                    first,
                    "{line} from {from}"
                );
                let before = all.iter().filter(|earlier| earlier.time < from).count();
                assert_eq!(
                    schedule.count_before(from),
                    before as u64,
                    "{line} before {from}"
                );
            }
        }
    }
}
