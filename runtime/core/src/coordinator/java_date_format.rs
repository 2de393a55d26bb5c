//! Date patterns of Java's `SimpleDateFormat`, in English and with weeks as in the United States, as on Oozie's servers.

use chrono::{DateTime, Datelike, Duration, NaiveDate, NaiveDateTime, Timelike, Utc};

use crate::time::{
    ProcessingZone,
    names::{MONTHS, WEEKDAYS},
};

/// The maximum field width; Java has no limit.
const MAX_WIDTH: usize = 1000;

/// Formats an instant with a pattern.
///
/// # Errors
///
/// The fault in the pattern.
pub(super) fn format(
    instant: DateTime<Utc>,
    pattern: &str,
    zone: ProcessingZone,
) -> Result<String, String> {
    let local = instant.with_timezone(&zone.offset()).naive_local();
    let mut text = String::new();
    let mut rest = pattern.chars().peekable();
    while let Some(char) = rest.next() {
        match char {
            '\'' if rest.next_if_eq(&'\'').is_some() => text.push('\''),
            '\'' => loop {
                match rest.next() {
                    Some('\'') if rest.next_if_eq(&'\'').is_some() => text.push('\''),
                    Some('\'') => break,
                    Some(char) => text.push(char),
                    None => return Err(format!("a quote of the pattern `{pattern}` has no end")),
                }
            },
            letter if letter.is_ascii_alphabetic() => {
                let mut width = 1;
                while rest.next_if_eq(&letter).is_some() {
                    width += 1;
                }
                if width > MAX_WIDTH {
                    return Err(format!("more than {MAX_WIDTH} times `{letter}`"));
                }
                field(&mut text, letter, width, local, zone)?;
            }
            other => text.push(other),
        }
    }
    Ok(text)
}

fn field(
    text: &mut String,
    letter: char,
    width: usize,
    local: NaiveDateTime,
    zone: ProcessingZone,
) -> Result<(), String> {
    let date = local.date();
    match letter {
        'G' => text.push_str("AD"),
        'y' => year(text, date.year(), width),
        'Y' => year(text, week(date).0, width),
        'M' | 'L' => {
            let month = date.month();
            match width {
                1 | 2 => number(text, month, width),
                _ => name(text, &MONTHS, month - 1, width),
            }
        }
        'w' => number(text, week(date).1, width),
        'W' => {
            let first = days_from_sunday(date - Duration::days(i64::from(date.day0())));
            number(text, (date.day0() + first) / 7 + 1, width);
        }
        'D' => number(text, date.ordinal(), width),
        'd' => number(text, date.day(), width),
        'F' => number(text, date.day0() / 7 + 1, width),
        'E' => name(text, &WEEKDAYS, days_from_sunday(date), width),
        'u' => number(text, date.weekday().number_from_monday(), width),
        'a' => text.push_str(if local.hour() < 12 { "AM" } else { "PM" }),
        'H' => number(text, local.hour(), width),
        'k' => number(text, (local.hour() + 23) % 24 + 1, width),
        'K' => number(text, local.hour() % 12, width),
        'h' => number(text, (local.hour() + 11) % 12 + 1, width),
        'm' => number(text, local.minute(), width),
        's' => number(text, local.second(), width),
        'S' => number(text, local.nanosecond() / 1_000_000, width),
        'z' => zone_name(text, zone, width),
        'Z' => {
            let (sign, hours, minutes) = offset(zone);
            text.push_str(&format!("{sign}{hours:02}{minutes:02}"));
        }
        'X' => {
            let (sign, hours, minutes) = offset(zone);
            match width {
                1..=3 if hours == 0 && minutes == 0 => text.push('Z'),
                1 => text.push_str(&format!("{sign}{hours:02}")),
                2 => text.push_str(&format!("{sign}{hours:02}{minutes:02}")),
                3 => text.push_str(&format!("{sign}{hours:02}:{minutes:02}")),
                _ => return Err("more than three times `X`".to_owned()),
            }
        }
        other => return Err(format!("`{other}` is no letter of patterns")),
    }
    Ok(())
}

fn number(text: &mut String, number: u32, width: usize) {
    text.push_str(&format!("{number:0width$}"));
}

/// With a width of two, the last two digits.
fn year(text: &mut String, year: i32, width: usize) {
    if width == 2 {
        number(text, year.rem_euclid(100).unsigned_abs(), 2);
    } else {
        number(text, year.unsigned_abs(), width);
    }
}

/// Up to three letters: the abbreviated name.
fn name(text: &mut String, names: &[&str], at: u32, width: usize) {
    let full = usize::try_from(at).ok().and_then(|at| names.get(at));
    let full = full.copied().unwrap_or_default();
    text.push_str(if width < 4 { &full[..3] } else { full });
}

fn days_from_sunday(date: NaiveDate) -> u32 {
    date.weekday().num_days_from_sunday()
}

/// The year and number of a week. Weeks begin on Sunday, and the first one contains January 1.
fn week(date: NaiveDate) -> (i32, u32) {
    let saturday = date + Duration::days(6 - i64::from(days_from_sunday(date)));
    if saturday.year() > date.year() {
        return (saturday.year(), 1);
    }
    (date.year(), saturday.ordinal0() / 7 + 1)
}

fn zone_name(text: &mut String, zone: ProcessingZone, width: usize) {
    let (sign, hours, minutes) = offset(zone);
    match (zone.is_utc(), width) {
        (true, 1..=3) => text.push_str("UTC"),
        (true, _) => text.push_str("Coordinated Universal Time"),
        (false, _) => text.push_str(&format!("GMT{sign}{hours:02}:{minutes:02}")),
    }
}

/// Sign, hours and minutes.
fn offset(zone: ProcessingZone) -> (char, i32, i32) {
    let minutes = zone.offset().local_minus_utc() / 60;
    let sign = if minutes < 0 { '-' } else { '+' };
    (sign, minutes.abs() / 60, minutes.abs() % 60)
}
