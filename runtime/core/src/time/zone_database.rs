//! The time zone database: the UTC offsets of every location, from the first record until the year 2100.
//!
//! It is derived from chrono-tz and packed to a fourteenth of its size: chrono-tz's tables alone would be a tenth of every
//! executable. The tests write `zone_database/places.txt`, and compare it with chrono-tz.
//!
//! A line of the file is a history with the names of the locations that share it: `Asia/Kolkata Asia/Calcutta|first
//! offset|changes`. A change is `seconds since the last change:change of the offset in seconds`, in base 36; the first counts
//! from 1970. A history may end with `>line:n`, the last `n` changes of an earlier line, counted from 0: locations with the same
//! clock change rules differ only in their offset.

use std::sync::{LazyLock, OnceLock};

use chrono::{FixedOffset, NaiveDateTime};

#[cfg(test)]
mod tests;

const RADIX: u32 = 36;

/// A location of the zone database.
#[derive(Clone, Copy, Debug)]
pub struct ZonePlace {
    name: &'static str,
    history: &'static ZoneHistory,
}

impl PartialEq for ZonePlace {
    fn eq(&self, other: &ZonePlace) -> bool {
        self.name == other.name
    }
}

impl Eq for ZonePlace {}

/// The database, with its histories parsed lazily.
struct ZoneDatabase {
    /// Each location's name and the number of its line.
    names: Vec<(&'static str, usize)>,
    histories: Vec<(&'static str, OnceLock<ZoneHistory>)>,
}

/// The UTC offsets of a location, in seconds.
#[derive(Debug)]
struct ZoneHistory {
    /// Before the first change.
    first: i32,
    /// Each change in seconds since 1970, and the new offset.
    changes: Vec<(i64, i32)>,
}

static PLACES: LazyLock<ZoneDatabase> = LazyLock::new(|| {
    let mut places = ZoneDatabase {
        names: Vec::new(),
        histories: Vec::new(),
    };
    for (number, line) in include_str!("zone_database/places.txt").lines().enumerate() {
        let (names, history) = line.split_once('|').unwrap_or_default();
        places
            .names
            .extend(names.split(' ').map(|name| (name, number)));
        places.histories.push((history, OnceLock::new()));
    }
    places
});

impl ZonePlace {
    /// Usable without the database.
    pub const UTC: ZonePlace = ZonePlace {
        name: "UTC",
        history: &ZoneHistory {
            first: 0,
            changes: Vec::new(),
        },
    };

    /// The location of that name, case-sensitive.
    pub fn find(name: &str) -> Option<ZonePlace> {
        let mut names = PLACES.names.iter();
        let (name, line) = names.find(|(known, _)| *known == name)?;
        Some(ZonePlace {
            name,
            history: history(*line),
        })
    }

    /// Every name of the database.
    pub fn names() -> impl Iterator<Item = &'static str> {
        PLACES.names.iter().map(|(name, _)| *name)
    }

    pub fn name(self) -> &'static str {
        self.name
    }

    /// The offset at the UTC time `utc`.
    pub fn offset_at(self, utc: NaiveDateTime) -> FixedOffset {
        offset(self.history.at(utc.and_utc().timestamp()))
    }

    /// The offset at the local time `local`: of two the later one; `None` if that time does not exist.
    pub fn offset_of_local(self, local: NaiveDateTime) -> Option<FixedOffset> {
        self.history
            .of_local(local.and_utc().timestamp())
            .map(offset)
    }
}

impl ZoneHistory {
    fn at(&self, utc: i64) -> i32 {
        self.span(self.changes.partition_point(|(from, _)| *from <= utc))
    }

    /// The offset between change `number`, 1-based, and the next.
    fn span(&self, number: usize) -> i32 {
        match number.checked_sub(1) {
            Some(change) => self.changes[change].1,
            None => self.first,
        }
    }

    fn of_local(&self, local: i64) -> Option<i32> {
        // No offset is larger: changes further away cannot affect this local time.
        const FURTHEST: i64 = 30 * 3_600;
        let first = self
            .changes
            .partition_point(|(from, _)| *from <= local - FURTHEST);
        let near = self.changes[first..]
            .iter()
            .take_while(|(from, _)| *from <= local + FURTHEST);
        let last = first + near.count();
        (first..=last).rev().find_map(|number| {
            let offset = self.span(number);
            let utc = local - i64::from(offset);
            let has_begun = number == 0 || self.changes[number - 1].0 <= utc;
            let is_over = self.changes.get(number).is_some_and(|(end, _)| *end <= utc);
            (has_begun && !is_over).then_some(offset)
        })
    }
}

/// The history of that line, parsed at first use.
fn history(number: usize) -> &'static ZoneHistory {
    let (text, history) = &PLACES.histories[number];
    history.get_or_init(|| {
        read(text).unwrap_or_else(|| unreachable!("the tests have read line {number}"))
    })
}

fn read(text: &str) -> Option<ZoneHistory> {
    let (first, changes) = text.split_once('|')?;
    let first = i32::from_str_radix(first, RADIX).ok()?;
    let mut history = ZoneHistory {
        first,
        changes: Vec::new(),
    };
    let (mut time, mut current) = (0, first);
    let mut change = |seconds: i64, by: i32| {
        time += seconds;
        current += by;
        history.changes.push((time, current));
    };
    for word in changes.split_ascii_whitespace() {
        match word.strip_prefix('>') {
            Some(shared) => {
                let (line, n_changes) = shared.split_once(':')?;
                let other = self::history(line.parse().ok()?);
                let n_changes: usize = n_changes.parse().ok()?;
                let from = other.changes.len().checked_sub(n_changes)?;
                for number in from..other.changes.len() {
                    let before = number.checked_sub(1)?;
                    change(
                        other.changes[number].0 - other.changes[before].0,
                        other.span(number + 1) - other.span(number),
                    );
                }
            }
            None => {
                let (seconds, by) = word.split_once(':')?;
                change(
                    i64::from_str_radix(seconds, RADIX).ok()?,
                    i32::from_str_radix(by, RADIX).ok()?,
                );
            }
        }
    }
    Some(history)
}

fn offset(seconds: i32) -> FixedOffset {
    FixedOffset::east_opt(seconds).expect("the database has no offset of a day")
}
