//! Counts the times of an expression between two instants, without visiting them.

use chrono::{DateTime, Datelike, NaiveDateTime, Timelike, Utc};

use crate::{
    cron::{Cron, has},
    time::ProcessingZone,
};

impl Cron {
    /// The number of times from `from`, inclusive, until `until`, exclusive.
    pub fn count_between(
        &self,
        from: DateTime<Utc>,
        until: DateTime<Utc>,
        processing_zone: ProcessingZone,
    ) -> u64 {
        let offset = processing_zone.offset();
        let local = |instant: DateTime<Utc>| ceiling(instant.with_timezone(&offset).naive_local());
        let (from, until) = (local(from), local(until));
        if until <= from {
            return 0;
        }
        let (year, month) = (from.year(), from.month());
        self.count_since(year, month, until) - self.count_since(year, month, from)
    }

    /// The number of times from the start of a month to before `until`.
    fn count_since(&self, mut year: i32, mut month: u32, until: NaiveDateTime) -> u64 {
        let a_day = u64::from(self.hours.count_ones()) * u64::from(self.minutes.count_ones());
        let mut n_days = 0;
        while (year, month) < (until.year(), until.month()) {
            n_days += u64::from(self.days_that_count(year, month).count_ones());
            month += 1;
            if month > 12 {
                month = 1;
                year += 1;
            }
        }
        let days = self.days_that_count(year, month);
        n_days += u64::from((days & below(until.day())).count_ones());
        let rest = if has(days, until.day()) {
            self.times_before(until.hour(), until.minute())
        } else {
            0
        };
        n_days * a_day + rest
    }

    /// The matching days of a month, as bits; none in a month that does not match.
    fn days_that_count(&self, year: i32, month: u32) -> u64 {
        if has(self.months, month) {
            self.days_of(year, month).unwrap_or(0)
        } else {
            0
        }
    }

    /// The number of times of a day before `hour`:`minute`.
    fn times_before(&self, hour: u32, minute: u32) -> u64 {
        let hours = u64::from((self.hours & below(hour)).count_ones());
        let minutes = if has(self.hours, hour) {
            u64::from((self.minutes & below(minute)).count_ones())
        } else {
            0
        };
        hours * u64::from(self.minutes.count_ones()) + minutes
    }
}

/// The bits below `bit`.
fn below(bit: u32) -> u64 {
    (1 << bit) - 1
}

/// The first whole minute at or after `time`.
fn ceiling(time: NaiveDateTime) -> NaiveDateTime {
    let floor = time
        .with_second(0)
        .and_then(|time| time.with_nanosecond(0))
        .unwrap_or(time);
    if floor == time {
        time
    } else {
        floor
            .checked_add_signed(chrono::Duration::minutes(1))
            .unwrap_or(floor)
    }
}
