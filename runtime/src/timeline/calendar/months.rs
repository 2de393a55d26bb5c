//! The actions of a calendar by month, day and time of day.

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, Timelike, Utc};
use hpdlc_core::time::ProcessingZone;

use super::{CalendarEntry, CalendarMark, SLOTS};

/// If there are more months, only the last ones are drawn.
pub(super) const MOST_MONTHS: usize = 24;

/// Months, each with the marks of its days by slot.
pub(super) type Months = BTreeMap<(i32, u32), BTreeMap<u32, BTreeMap<u32, CalendarMark>>>;

/// The actions by month, and the number of earlier ones that are left out.
pub(super) fn months(
    zone: ProcessingZone,
    entries: impl IntoIterator<Item = CalendarEntry>,
) -> (Months, usize) {
    let mut months = Months::new();
    let mut n_left_out = 0;
    for entry in entries {
        let time = local(zone, entry.nominal);
        let slot = time.num_seconds_from_midnight() * SLOTS / 86_400;
        let days = months.entry((time.year(), time.month())).or_default();
        let marks = days.entry(time.day()).or_default();
        marks.entry(slot).or_default().push(entry);
        if months.len() > MOST_MONTHS
            && let Some((_, days)) = months.pop_first()
        {
            let marks = days.values().flat_map(BTreeMap::values);
            n_left_out += marks.map(Vec::len).sum::<usize>();
        }
    }
    (months, n_left_out)
}

pub(super) fn by_day(
    zone: ProcessingZone,
    notes: &[(DateTime<Utc>, String)],
) -> BTreeMap<NaiveDate, Vec<&str>> {
    let mut by_day: BTreeMap<NaiveDate, Vec<&str>> = BTreeMap::new();
    for (time, note) in notes {
        let day = local(zone, *time).date();
        by_day.entry(day).or_default().push(note);
    }
    by_day
}

pub(super) fn local(zone: ProcessingZone, time: DateTime<Utc>) -> NaiveDateTime {
    time.with_timezone(&zone.offset()).naive_local()
}

/// The first day of a month.
pub(super) fn first_of((year, month): (i32, u32)) -> Option<NaiveDate> {
    NaiveDate::from_ymd_opt(year, month, 1)
}

pub(super) fn days_of(month: (i32, u32)) -> Vec<NaiveDate> {
    let first = first_of(month).into_iter();
    let days = first.flat_map(|first| first.iter_days().take(31));
    days.take_while(|day| day.month() == month.1).collect()
}

/// The row of a day in its month.
pub(super) fn week_of(day: NaiveDate) -> u32 {
    let first = day.with_day(1).unwrap_or(day);
    (first.weekday().num_days_from_monday() + day.day0()) / 7
}
