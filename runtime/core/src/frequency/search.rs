//! Finds the occurrence of an interval before or after an instant, without counting from the first one.

use chrono::{DateTime, Datelike, Duration, Utc};

use crate::{
    frequency::Interval,
    time::{TimeUnit, Zone},
};

impl Interval {
    /// The number of the last occurrence at or before `instant`. `None` before `origin`.
    pub fn last_until(
        self,
        origin: DateTime<Utc>,
        instant: DateTime<Utc>,
        zone: Zone,
    ) -> Option<i64> {
        if instant < origin {
            return None;
        }
        let mut k = self.not_before(origin, instant, zone);
        // Occurrences are monotonic, and the estimate is at most a few too high.
        while k > 0
            && self
                .occurrence(origin, k, zone)
                .is_none_or(|time| time > instant)
        {
            k -= 1;
        }
        Some(k)
    }

    /// The number of the first occurrence at or after `instant`. Does not check that it is within the range of the calendar.
    pub fn first_from(self, origin: DateTime<Utc>, instant: DateTime<Utc>, zone: Zone) -> i64 {
        let before = instant.checked_sub_signed(Duration::nanoseconds(1));
        match before.and_then(|before| self.last_until(origin, before, zone)) {
            Some(last) => last.saturating_add(1),
            None => 0,
        }
    }

    /// An upper bound of the number of the last occurrence until `instant`, at most a few too high.
    fn not_before(self, origin: DateTime<Utc>, instant: DateTime<Utc>, zone: Zone) -> i64 {
        let elapsed = instant - origin;
        // Clocks change by at most a day, when a zone crosses the date line.
        let days = elapsed.num_days() + 2;
        let months = || {
            let (from, to) = (zone.local(origin), zone.local(instant));
            i64::from(to.year() - from.year()) * 12 + i64::from(to.month())
                - i64::from(from.month())
                + 1
        };
        match self.unit {
            TimeUnit::Minute => elapsed.num_minutes() / self.n,
            TimeUnit::Hour => elapsed.num_hours() / self.n,
            TimeUnit::Day => days / self.n + 1,
            TimeUnit::Week => days / 7 / self.n + 1,
            TimeUnit::Month => months() / self.n + 1,
            TimeUnit::Year => months() / 12 / self.n + 1,
        }
    }
}
