//! Compares the packed database with chrono-tz, from which it is generated.

use std::{collections::BTreeMap, fmt::Write};

use chrono::{DateTime, Duration, MappedLocalTime, NaiveDate, Offset, TimeZone, Utc};
use chrono_tz::{TZ_VARIANTS, Tz};
use expect_test::expect_file;

use super::*;

/// First offset and changes: seconds since the last one, change of the offset in seconds.
type Moves = (i32, Vec<(i64, i32)>);

/// Shared endings shorter than this are not referenced.
const SHORTEST_SHARED: usize = 3;

fn offset_in(zone: Tz, utc: DateTime<Utc>) -> i32 {
    zone.offset_from_utc_datetime(&utc.naive_utc())
        .fix()
        .local_minus_utc()
}

fn year(year: i32) -> DateTime<Utc> {
    let day = NaiveDate::from_ymd_opt(year, 1, 1).expect("is a day");
    day.and_time(chrono::NaiveTime::MIN).and_utc()
}

/// The first instant of each new offset. No zone has changed its clocks twice in a week.
fn changes(zone: Tz) -> Vec<DateTime<Utc>> {
    let mut changes = Vec::new();
    let (mut now, end) = (year(1840), year(2102));
    let mut current = offset_in(zone, now);
    while now < end {
        let next = now + Duration::days(1);
        let new = offset_in(zone, next);
        if new != current {
            let (mut old, mut changed) = (now, next);
            while changed - old > Duration::seconds(1) {
                let middle = old + Duration::seconds((changed - old).num_seconds() / 2);
                if offset_in(zone, middle) == current {
                    old = middle;
                } else {
                    changed = middle;
                }
            }
            changes.push(changed);
            current = new;
        }
        now = next;
    }
    changes
}

fn moves(zone: Tz, changes: &[DateTime<Utc>]) -> Moves {
    let (mut time, mut current) = (0, offset_in(zone, year(1840)));
    let first = current;
    let moves = changes.iter().map(|change| {
        let offset = offset_in(zone, *change);
        let moved = (change.timestamp() - time, offset - current);
        (time, current) = (change.timestamp(), offset);
        moved
    });
    (first, moves.collect())
}

/// The longest ending that `moves` shares with one of `earlier`; the first change of a history counts from 1970, so it is never
/// shared.
fn shared_ending(moves: &[(i64, i32)], earlier: &[Vec<(i64, i32)>]) -> Option<(usize, usize)> {
    let shared = |other: &[(i64, i32)]| {
        let own = moves.iter().skip(1).rev();
        own.zip(other.iter().skip(1).rev())
            .take_while(|(own, other)| own == other)
            .count()
    };
    let (line, n_changes) = earlier
        .iter()
        .enumerate()
        .map(|(line, other)| (line, shared(other)))
        .rev()
        .max_by_key(|(_, n_changes)| *n_changes)?;
    (n_changes >= SHORTEST_SHARED).then_some((line, n_changes))
}

fn base_36(number: i64) -> String {
    let mut digits = Vec::new();
    let mut rest = number.unsigned_abs();
    loop {
        let digit = u32::try_from(rest % u64::from(RADIX)).expect("is a digit");
        digits.push(char::from_digit(digit, RADIX).expect("is a digit"));
        rest /= u64::from(RADIX);
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        digits.push('-');
    }
    digits.iter().rev().collect()
}

fn packed(zones: &[(Tz, Vec<DateTime<Utc>>)]) -> String {
    let mut places: BTreeMap<Moves, Vec<&str>> = BTreeMap::new();
    for (zone, changes) in zones {
        places
            .entry(moves(*zone, changes))
            .or_default()
            .push(zone.name());
    }
    let mut lines: Vec<(Vec<&str>, Moves)> = places
        .into_iter()
        .map(|(moves, names)| (names, moves))
        .collect();
    for (names, _) in &mut lines {
        names.sort_unstable_by_key(|name| (*name != "UTC", *name));
    }
    lines.sort_unstable_by_key(|(names, _)| (names[0] != "UTC", names[0]));
    let mut text = String::new();
    let mut earlier = Vec::new();
    for (names, (first, moves)) in lines {
        write!(text, "{}|{}|", names.join(" "), base_36(first.into())).expect("writes");
        let shared = shared_ending(&moves, &earlier);
        let n_own = moves.len() - shared.map_or(0, |(_, n_changes)| n_changes);
        let own = moves[..n_own]
            .iter()
            .map(|(seconds, by)| format!("{}:{}", base_36(*seconds), base_36((*by).into())));
        let shared = shared.map(|(line, n_changes)| format!(">{line}:{n_changes}"));
        text.push_str(&own.chain(shared).collect::<Vec<_>>().join(" "));
        text.push('\n');
        earlier.push(moves);
    }
    text
}

#[test]
fn places_are_those_of_chrono_tz() {
    let zones: Vec<(Tz, Vec<DateTime<Utc>>)> = TZ_VARIANTS
        .iter()
        .map(|zone| (*zone, changes(*zone)))
        .collect();
    expect_file!["places.txt"].assert_eq(&packed(&zones));

    assert_eq!(ZonePlace::find("UTC"), Some(ZonePlace::UTC));
    assert_eq!(ZonePlace::names().count(), zones.len());
    for (zone, changes) in zones {
        let place = ZonePlace::find(zone.name()).expect("every zone is packed");
        let beside = [-1, 0, 1].map(Duration::seconds);
        for utc in changes
            .iter()
            .flat_map(|change| beside.map(|by| *change + by))
            .chain([year(1700), year(2009), year(2101), year(9999)])
        {
            let expected = offset_in(zone, utc);
            let found = place.offset_at(utc.naive_utc()).local_minus_utc();
            assert_eq!(found, expected, "{zone} {utc}");

            for around in [
                -86_400, -7_200, -3_600, -1_800, 0, 1_800, 3_600, 7_200, 86_400,
            ] {
                let local = utc.naive_utc() + Duration::seconds((expected + around).into());
                let known = match zone.offset_from_local_datetime(&local) {
                    MappedLocalTime::Single(offset) | MappedLocalTime::Ambiguous(_, offset) => {
                        Some(offset.fix())
                    }
                    MappedLocalTime::None => None,
                };
                assert_eq!(place.offset_of_local(local), known, "{zone} {local}");
            }
        }
    }
}
