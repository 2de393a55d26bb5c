//! A cron expression in words: `at 12:00 on Sunday to Thursday`.

use super::{
    Cron, Days,
    days::{MonthDays, WeekDays},
};
use crate::time::names::{MONTHS, WEEKDAYS};

const MINUTES_OF_HOUR: u32 = 60;
const HOURS_OF_DAY: u32 = 24;

/// The most times of day that are listed one by one.
const MOST_TIMES: u32 = 4;

impl Cron {
    /// What it means, without its time zone.
    pub fn words(&self) -> String {
        let mut words = times_of_day(self.minutes, self.hours);
        let days = match &self.days {
            Days::OfMonth(days) => days_of_month(days),
            Days::OfWeek(days) => days_of_week(days),
            Days::Either(of_month, of_week) => {
                match (days_of_month(of_month), days_of_week(of_week)) {
                    (Some(of_month), Some(of_week)) => Some(format!("{of_month} or {of_week}")),
                    // Every day is one of the two.
                    (_, _) => None,
                }
            }
        };
        let months = values(self.months);
        if let Some(days) = &days {
            words.push_str(&format!(" on {days}"));
        } else if months.len() < MONTHS.len() {
            words.push_str(" on each day");
        }
        if months.len() < MONTHS.len() {
            let names = months.iter().map(|month| name(&MONTHS, *month));
            let list = spans(&months, &names.collect::<Vec<_>>());
            words.push_str(&format!(" in {list}"));
        }
        words
    }
}

fn times_of_day(minutes: u64, hours: u64) -> String {
    let (minutes, hours) = (values(minutes), values(hours));
    let is_every_hour = hours.len() == HOURS_OF_DAY as usize;
    if let ([minute], false) = (minutes.as_slice(), is_every_hour)
        && let Some(step) = step(&hours, HOURS_OF_DAY)
    {
        return format!("every {step} hours at minute {minute}");
    }
    let n_times = minutes.len() * hours.len();
    if n_times <= MOST_TIMES as usize {
        let times = hours.iter().flat_map(|hour| {
            minutes
                .iter()
                .map(move |minute| format!("{hour:02}:{minute:02}"))
        });
        return format!("at {}", list(&times.collect::<Vec<_>>()));
    }
    let of_hour = match minutes.as_slice() {
        all if all.len() == MINUTES_OF_HOUR as usize => "every minute".to_owned(),
        [0] if is_every_hour => return "every hour".to_owned(),
        some => match step(some, MINUTES_OF_HOUR) {
            Some(step) => format!("every {step} minutes"),
            None => {
                let word = if some.len() == 1 { "minute" } else { "minutes" };
                format!("at {word} {}", spans(some, &numbers(some)))
            }
        },
    };
    if is_every_hour {
        if of_hour.starts_with("at ") {
            return format!("{of_hour} of each hour");
        }
        return of_hour;
    }
    let word = if hours.len() == 1 { "hour" } else { "hours" };
    format!("{of_hour} in {word} {}", spans(&hours, &numbers(&hours)))
}

/// The days of a month in words; `None` for all.
fn days_of_month(days: &MonthDays) -> Option<String> {
    let (bits, last_day_offset, is_nearest_weekday) = days.parts();
    let day = match last_day_offset {
        Some(0) => "the last day of the month".to_owned(),
        Some(1) => "the day before the last of the month".to_owned(),
        Some(n) => format!("the day {n} days before the last of the month"),
        None => {
            let days = values(bits);
            if days.len() == 31 {
                return None;
            }
            let word = if days.len() == 1 { "day" } else { "days" };
            format!("{word} {} of the month", spans(&days, &numbers(&days)))
        }
    };
    Some(if is_nearest_weekday {
        format!("the weekday nearest to {day}")
    } else {
        day
    })
}

/// The days of a week in words; `None` for all.
fn days_of_week(days: &WeekDays) -> Option<String> {
    let (bits, is_last_of_month, nth_of_month) = days.parts();
    let days = values(bits);
    let names: Vec<&str> = days.iter().map(|day| name(&WEEKDAYS, *day)).collect();
    let first = names.first()?;
    // Only the smallest day counts.
    if is_last_of_month {
        return Some(format!("the last {first} of the month"));
    }
    if let Some(nth) = nth_of_month {
        return Some(format!("{first} number {nth} of the month"));
    }
    (days.len() < WEEKDAYS.len()).then(|| spans(&days, &names))
}

/// The name of a value that is counted from 1.
fn name(names: &[&'static str], value: u32) -> &'static str {
    let at = value.saturating_sub(1) as usize;
    names.get(at).copied().unwrap_or_default()
}

fn values(bits: u64) -> Vec<u32> {
    (0..u64::BITS).filter(|bit| bits >> bit & 1 == 1).collect()
}

fn numbers(values: &[u32]) -> Vec<String> {
    values.iter().map(u32::to_string).collect()
}

/// The step if the values are those from 0 on with a step that divides the whole.
fn step(values: &[u32], whole: u32) -> Option<u32> {
    let [0, step, ..] = *values else { return None };
    let expected = (0..whole).step_by(step as usize);
    (whole.is_multiple_of(step) && expected.eq(values.iter().copied())).then_some(step)
}

/// `1, 3 to 5 and 9`: runs of three or more by their ends.
fn spans(values: &[u32], names: &[impl AsRef<str>]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut at = 0;
    while at < values.len() {
        let run = values[at..]
            .windows(2)
            .take_while(|two| two[0] + 1 == two[1]);
        let last = at + run.count();
        if last >= at + 2 {
            parts.push(format!(
                "{} to {}",
                names[at].as_ref(),
                names[last].as_ref()
            ));
            at = last + 1;
        } else {
            parts.push(names[at].as_ref().to_owned());
            at += 1;
        }
    }
    list(&parts)
}

fn list(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}
