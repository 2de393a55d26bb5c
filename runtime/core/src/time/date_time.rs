//! Dates and times as text, in the processing time zone (`DateUtils.parseDateOozieTZ`).

use std::fmt;

use chrono::{DateTime, Datelike, FixedOffset, NaiveDate, Offset, Timelike, Utc};

use crate::{java, time::zone};

/// The zone that dates are written in: `oozie.processing.timezone`, which is UTC or `GMT+hhmm`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessingZone {
    offset: FixedOffset,
    is_utc: bool,
}

/// A parsed date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadDateTime {
    /// In whole minutes: seconds are dropped.
    pub instant: DateTime<Utc>,
    /// Each number has its full width, as in `2009-01-02T08:00Z`.
    pub is_padded: bool,
    /// Set if Oozie refuses this form.
    pub extension: Option<DateExtension>,
}

/// A date format that is accepted here and that Oozie refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateExtension {
    /// `24:00`, the next day's `00:00`: used in examples of the specification, but refused by Oozie's own parser.
    Hour24,
    /// Seconds after the minutes.
    Seconds,
}

/// Why a text is not a date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DateTimeError {
    /// Not `yyyy-MM-ddTHH:mm` with a zone suffix.
    Shape,
    /// The zone suffix is missing or that of another zone.
    Ending,
    /// Not an existing day: `2009-02-30`.
    NoSuchDay,
    /// Hour, minute or second too large.
    NoSuchTime,
}

impl Default for ProcessingZone {
    fn default() -> ProcessingZone {
        ProcessingZone::UTC
    }
}

impl ProcessingZone {
    pub const UTC: ProcessingZone = ProcessingZone {
        offset: match FixedOffset::east_opt(0) {
            Some(offset) => offset,
            None => panic!("no offset is an offset"),
        },
        is_utc: true,
    };

    /// `UTC`, `GMT+hhmm` or `GMT-hhmm`. Oozie's server does not start with anything else.
    pub fn parse(name: &str) -> Option<ProcessingZone> {
        if name == "UTC" {
            return Some(ProcessingZone::UTC);
        }
        let is_short = name.len() == "GMT+0000".len();
        let offset = zone::gmt_offset(name).filter(|_| is_short)?;
        Some(ProcessingZone {
            offset,
            is_utc: false,
        })
    }

    /// The zone of a date that ends with `+hhmm` or `-hhmm`.
    pub fn of_ending(date: &str) -> Option<ProcessingZone> {
        let date = date.trim();
        let ending = date.get(date.len().checked_sub("+0000".len())?..)?;
        ProcessingZone::parse(&format!("GMT{ending}"))
    }

    /// In the form that [`ProcessingZone::parse`] accepts.
    pub fn name(self) -> String {
        if self.is_utc {
            return "UTC".to_owned();
        }
        let minutes = self.offset.local_minus_utc() / 60;
        let sign = if minutes < 0 { '-' } else { '+' };
        let minutes = minutes.abs();
        format!("GMT{sign}{:02}{:02}", minutes / 60, minutes % 60)
    }

    pub fn is_utc(self) -> bool {
        self.is_utc
    }

    pub fn offset(self) -> FixedOffset {
        self.offset
    }

    /// The suffix of a date: `Z` or `+hhmm`.
    pub fn ending(self) -> String {
        if self.is_utc {
            return "Z".to_owned();
        }
        let minutes = self.offset.fix().local_minus_utc() / 60;
        let sign = if minutes < 0 { '-' } else { '+' };
        format!("{sign}{:02}{:02}", minutes.abs() / 60, minutes.abs() % 60)
    }

    /// Parses a date. Surrounding blanks and missing leading zeros are accepted, as in Oozie, and also the formats of
    /// [`DateExtension`].
    ///
    /// # Errors
    ///
    /// Why it is not a date.
    pub fn read(self, text: &str) -> Result<ReadDateTime, DateTimeError> {
        let text = java::trim(text);
        let mut reader = Reader {
            rest: text,
            is_padded: true,
        };
        let year = reader.number(4)?;
        reader.skip('-')?;
        let month = reader.number(2)?;
        reader.skip('-')?;
        let day = reader.number(2)?;
        reader.skip('T')?;
        let hour = reader.number(2)?;
        reader.skip(':')?;
        let minute = reader.number(2)?;
        let second = match reader.rest.strip_prefix(':') {
            Some(rest) => {
                reader.rest = rest;
                Some(reader.number(2)?)
            }
            None => None,
        };
        if reader.rest != self.ending() {
            return Err(DateTimeError::Ending);
        }
        let year = i32::try_from(year).map_err(|_| DateTimeError::NoSuchDay)?;
        let date = NaiveDate::from_ymd_opt(year, month, day)
            .filter(|_| year > 0)
            .ok_or(DateTimeError::NoSuchDay)?;
        let is_end_of_day = (hour, minute, second.unwrap_or(0)) == (24, 0, 0);
        let (date, hour) = if is_end_of_day {
            (date.succ_opt().ok_or(DateTimeError::NoSuchDay)?, 0)
        } else {
            (date, hour)
        };
        let local = date
            .and_hms_opt(hour, minute, 0)
            .filter(|_| second.is_none_or(|second| second < 60))
            .ok_or(DateTimeError::NoSuchTime)?;
        let instant = local
            .checked_sub_offset(self.offset)
            .ok_or(DateTimeError::NoSuchDay)?
            .and_utc();
        Ok(ReadDateTime {
            instant,
            is_padded: reader.is_padded,
            extension: match second {
                _ if is_end_of_day => Some(DateExtension::Hour24),
                Some(_) => Some(DateExtension::Seconds),
                None => None,
            },
        })
    }

    /// Formats an instant, in whole minutes.
    pub fn write(self, instant: DateTime<Utc>) -> String {
        let mut text = String::with_capacity("2009-01-02T08:00+0000".len());
        self.write_to(&mut text, instant);
        text
    }

    /// As [`ProcessingZone::write`], appended to `text`.
    pub fn write_to(self, text: &mut String, instant: DateTime<Utc>) {
        let local = instant.with_timezone(&self.offset);
        // The general formatter would dominate the time of a long schedule.
        match u32::try_from(local.year()) {
            Ok(year @ ..10_000) => {
                push_two_digits(text, year / 100);
                push_two_digits(text, year % 100);
            }
            Ok(_) | Err(_) => text.push_str(&local.format("%Y").to_string()),
        }
        for (sign, number) in [
            ('-', local.month()),
            ('-', local.day()),
            ('T', local.hour()),
            (':', local.minute()),
        ] {
            text.push(sign);
            push_two_digits(text, number);
        }
        if self.is_utc {
            text.push('Z');
        } else {
            text.push_str(&self.ending());
        }
    }
}

/// Formats a number below 100.
pub(crate) fn push_two_digits(text: &mut String, number: u32) {
    for digit in [number / 10 % 10, number % 10] {
        text.push(char::from_digit(digit, 10).unwrap_or('0'));
    }
}

struct Reader<'a> {
    rest: &'a str,
    is_padded: bool,
}

impl Reader<'_> {
    /// Parses the next digits, whose usual number is `width`.
    fn number(&mut self, width: usize) -> Result<u32, DateTimeError> {
        let end = self
            .rest
            .find(|char: char| !char.is_ascii_digit())
            .unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        self.is_padded &= digits.len() == width;
        if digits.is_empty() {
            return Err(DateTimeError::Shape);
        }
        // A number that is too large is neither a day nor an hour.
        Ok(digits.parse().unwrap_or(u32::MAX))
    }

    fn skip(&mut self, sign: char) -> Result<(), DateTimeError> {
        self.rest = self.rest.strip_prefix(sign).ok_or(DateTimeError::Shape)?;
        Ok(())
    }
}

impl fmt::Display for DateTimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DateTimeError::Shape => "it has not the form of a date and time",
            DateTimeError::Ending => {
                "it does not end with the processing time zone (`oozie.processing.timezone`: `Z` for UTC, `+0800` for `GMT+0800`)"
            }
            DateTimeError::NoSuchDay => "there is no such day",
            DateTimeError::NoSuchTime => "there is no such time of day",
        })
    }
}

impl std::error::Error for DateTimeError {}
