//! Adding days and months as Java's `GregorianCalendar` does it, with its ways around changes of the clock.

use chrono::{DateTime, Datelike, Duration, Months, NaiveDate, NaiveTime, Utc};

use crate::time::Zone;

/// A unit of time; the first two are of fixed length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

/// The end of a day, week or month that an instant is moved to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EndOf {
    Day,
    /// Weeks begin on Sunday, as in the locale that Oozie's servers run in.
    Week,
    Month,
}

impl Unit {
    pub const ALL: [Unit; 6] = [
        Unit::Minute,
        Unit::Hour,
        Unit::Day,
        Unit::Week,
        Unit::Month,
        Unit::Year,
    ];

    /// As Oozie's functions are told (`TimeUnit`): in capitals, and no other way.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Minute => "MINUTE",
            Unit::Hour => "HOUR",
            Unit::Day => "DAY",
            Unit::Week => "WEEK",
            Unit::Month => "MONTH",
            Unit::Year => "YEAR",
        }
    }
}

/// `instant` and `n` units more. Days, weeks, months and years are those of `zone`; a month's last day stands for those that
/// the month does not have.
///
/// Where the clocks of `zone` skip the result, days and weeks end up before the gap by as much, months and years behind
/// it. Where they show it twice, days keep the offset they came with, months take standard time. Nothing where the
/// result is beyond the calendar.
pub fn add(instant: DateTime<Utc>, n: i64, unit: Unit, zone: Zone) -> Option<DateTime<Utc>> {
    match unit {
        Unit::Minute => instant.checked_add_signed(Duration::try_minutes(n)?),
        Unit::Hour => instant.checked_add_signed(Duration::try_hours(n)?),
        Unit::Day => add_days(instant, n, zone),
        Unit::Week => add_days(instant, n.checked_mul(7)?, zone),
        Unit::Month => add_months(instant, n, zone),
        Unit::Year => add_months(instant, n.checked_mul(12)?, zone),
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
    // The correction may not leave the day: midnight can be missing.
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

/// The next start of a day, week or month after `instant`, by the clocks of `zone`: forward even from one of them.
pub fn end_of(instant: DateTime<Utc>, end: EndOf, zone: Zone) -> Option<DateTime<Utc>> {
    let date = match end {
        EndOf::Day => zone.local(add(instant, 1, Unit::Day, zone)?).date(),
        EndOf::Week => {
            let date = zone.local(add(instant, 1, Unit::Week, zone)?).date();
            let days = i64::from(date.weekday().num_days_from_sunday());
            date.checked_sub_signed(Duration::days(days))?
        }
        EndOf::Month => {
            let date = zone.local(add(instant, 1, Unit::Month, zone)?).date();
            NaiveDate::from_ymd_opt(date.year(), date.month(), 1)?
        }
    };
    Some(zone.resolve_local(date.and_time(NaiveTime::MIN)))
}
