//! Adds days and months as Java's `GregorianCalendar` does, including its handling of clock changes.

use chrono::{DateTime, Datelike, Duration, Months, NaiveDate, NaiveTime, Utc};

use crate::time::Zone;

/// A unit of time; the first two have a fixed length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TimeUnit {
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

/// The end of a day, week or month that an instant is aligned to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EndOf {
    Day,
    /// Weeks begin on Sunday, as in the locale of Oozie's servers.
    Week,
    Month,
}

impl TimeUnit {
    pub const ALL: [TimeUnit; 6] = [
        TimeUnit::Minute,
        TimeUnit::Hour,
        TimeUnit::Day,
        TimeUnit::Week,
        TimeUnit::Month,
        TimeUnit::Year,
    ];

    /// As in Oozie's functions (`TimeUnit`): upper case only.
    pub fn name(self) -> &'static str {
        match self {
            TimeUnit::Minute => "MINUTE",
            TimeUnit::Hour => "HOUR",
            TimeUnit::Day => "DAY",
            TimeUnit::Week => "WEEK",
            TimeUnit::Month => "MONTH",
            TimeUnit::Year => "YEAR",
        }
    }
}

/// `instant` plus `n` units. Days, weeks, months and years are those of `zone`; days that a month does not have become its last
/// day.
///
/// If clock changes in `zone` skip the result, days and weeks end up before the gap by as much, months and years after it. If the
/// local time occurs twice, days keep the original offset, months use standard time. `None` if the result is beyond the range of
/// the calendar.
pub fn add(instant: DateTime<Utc>, n: i64, unit: TimeUnit, zone: Zone) -> Option<DateTime<Utc>> {
    match unit {
        TimeUnit::Minute => instant.checked_add_signed(Duration::try_minutes(n)?),
        TimeUnit::Hour => instant.checked_add_signed(Duration::try_hours(n)?),
        TimeUnit::Day => add_days(instant, n, zone),
        TimeUnit::Week => add_days(instant, n.checked_mul(7)?, zone),
        TimeUnit::Month => add_months(instant, n, zone),
        TimeUnit::Year => add_months(instant, n.checked_mul(12)?, zone),
    }
}

fn add_days(instant: DateTime<Utc>, n: i64, zone: Zone) -> Option<DateTime<Utc>> {
    let wanted = zone
        .local(instant)
        .checked_add_signed(Duration::try_days(n)?)?;
    let offset = zone.offset_at(instant);
    let with_old_offset = wanted.checked_sub_offset(offset)?.and_utc();
    let moved = offset.local_minus_utc() - zone.offset_at(with_old_offset).local_minus_utc();
    let corrected = with_old_offset + Duration::seconds(i64::from(moved));
    // The correction must not change the day: midnight may not exist.
    if zone.local(corrected).date() == wanted.date() {
        Some(corrected)
    } else {
        Some(with_old_offset)
    }
}

fn add_months(instant: DateTime<Utc>, n: i64, zone: Zone) -> Option<DateTime<Utc>> {
    let local = zone.local(instant);
    let months = Months::new(u32::try_from(n.unsigned_abs()).ok()?);
    let wanted = if n < 0 {
        local.checked_sub_months(months)?
    } else {
        local.checked_add_months(months)?
    };
    Some(zone.resolve_local(wanted))
}

/// The next start of a day, week or month strictly after `instant`, in local time of `zone`.
pub fn end_of(instant: DateTime<Utc>, end: EndOf, zone: Zone) -> Option<DateTime<Utc>> {
    let date = match end {
        EndOf::Day => zone.local(add(instant, 1, TimeUnit::Day, zone)?).date(),
        EndOf::Week => {
            let date = zone.local(add(instant, 1, TimeUnit::Week, zone)?).date();
            let days = i64::from(date.weekday().num_days_from_sunday());
            date.checked_sub_signed(Duration::days(days))?
        }
        EndOf::Month => {
            let date = zone.local(add(instant, 1, TimeUnit::Month, zone)?).date();
            NaiveDate::from_ymd_opt(date.year(), date.month(), 1)?
        }
    };
    Some(zone.resolve_local(date.and_time(NaiveTime::MIN)))
}
