//! The matching days of a month (Quartz's `CronExpression.getTimeAfter`).

use chrono::{Datelike, NaiveDate, Weekday};

use crate::cron::field::FieldValues;

/// The day-of-month field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MonthDays {
    bits: u64,
    last_day_offset: Option<u32>,
    is_nearest_weekday: bool,
}

/// The day-of-week field, 1 for Sunday.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WeekDays {
    bits: u64,
    is_last_of_month: bool,
    nth_of_month: Option<u32>,
}

impl MonthDays {
    pub(super) fn new(values: &FieldValues) -> MonthDays {
        MonthDays {
            bits: values.bits,
            last_day_offset: values.last_day_offset,
            is_nearest_weekday: values.is_nearest_weekday,
        }
    }

    /// The days as bits, how many days before the last one it is, and whether the nearest weekday is meant.
    pub(super) fn parts(&self) -> (u64, Option<u32>, bool) {
        (self.bits, self.last_day_offset, self.is_nearest_weekday)
    }

    /// The days of a month, as bits. `None` beyond the range of the calendar.
    pub(super) fn in_month(&self, year: i32, month: u32) -> Option<u64> {
        let first = NaiveDate::from_ymd_opt(year, month, 1)?;
        let length = days_in(year, month)?;
        let day = match (self.last_day_offset, self.is_nearest_weekday) {
            (None, false) => return Some(self.bits & ((1 << (length + 1)) - 1)),
            (None, true) => self.bits.trailing_zeros(),
            (Some(offset), _) if offset < length => length - offset,
            // The month is too short.
            (Some(_), _) => return Some(0),
        };
        if !self.is_nearest_weekday {
            return Some(1 << day);
        }
        let day = nearest_weekday(first, day, length);
        Some(if (1..=length).contains(&day) {
            1 << day
        } else {
            0
        })
    }
}

/// The weekday (Monday to Friday) nearest to `day` within the month. A day beyond the end of the month overflows into the next
/// one, and comes back only from its Saturday.
fn nearest_weekday(first: NaiveDate, day: u32, length: u32) -> u32 {
    let days_on = (first.weekday().num_days_from_monday() + day - 1) % 7;
    match days_on {
        // Saturday.
        5 if day == 1 => day + 2,
        5 => day - 1,
        // Sunday.
        6 if day == length => day - 2,
        6 => day + 1,
        _ => day,
    }
}

impl WeekDays {
    pub(super) fn new(values: &FieldValues) -> WeekDays {
        WeekDays {
            bits: values.bits,
            is_last_of_month: values.is_last_of_month,
            nth_of_month: values.nth_of_month,
        }
    }

    /// The days as bits, whether the last such day of the month is meant, and which one otherwise.
    pub(super) fn parts(&self) -> (u64, bool, Option<u32>) {
        (self.bits, self.is_last_of_month, self.nth_of_month)
    }

    /// The days of a month, as bits. `None` beyond the range of the calendar.
    pub(super) fn in_month(&self, year: i32, month: u32) -> Option<u64> {
        let first = NaiveDate::from_ymd_opt(year, month, 1)?;
        let length = days_in(year, month)?;
        if !self.is_last_of_month && self.nth_of_month.is_none() {
            let mut days = 0;
            for day in 1..=length {
                let weekday = (sunday_first(first.weekday()) + day - 2) % 7 + 1;
                if self.bits >> weekday & 1 == 1 {
                    days |= 1 << day;
                }
            }
            return Some(days);
        }
        // Only the smallest day counts.
        let weekday = self.bits.trailing_zeros();
        let first_such = (weekday + 7 - sunday_first(first.weekday())) % 7 + 1;
        let day = match self.nth_of_month {
            Some(nth) if !self.is_last_of_month => first_such + 7 * (nth - 1),
            Some(_) | None => first_such + (length - first_such) / 7 * 7,
        };
        Some(if day <= length { 1 << day } else { 0 })
    }
}

/// 1 for Sunday.
fn sunday_first(weekday: Weekday) -> u32 {
    weekday.num_days_from_sunday() + 1
}

fn days_in(year: i32, month: u32) -> Option<u32> {
    let (next_year, next_month) = if month == 12 {
        (year.checked_add(1)?, 1)
    } else {
        (year, month + 1)
    };
    let next = NaiveDate::from_ymd_opt(next_year, next_month, 1)?;
    Some(next.pred_opt()?.day())
}
