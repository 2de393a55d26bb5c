//! Dates and times as text, in the processing time zone (`DateUtils.parseDateOozieTZ`).

use std::fmt;

use chrono::{DateTime, FixedOffset, NaiveDate, Offset, Utc};

use crate::{el::java, time::zone};

/// The zone that dates are written in: `oozie.processing.timezone`, which is UTC or `GMT+hhmm`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessingZone {
    offset: FixedOffset,
    is_utc: bool,
}

/// A date that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadDateTime {
    pub instant: DateTime<Utc>,
    /// Each number has all its digits, as in `2009-01-02T08:00Z`.
    pub is_padded: bool,
}

/// Why a text is no date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DateTimeError {
    /// Not `yyyy-MM-ddTHH:mm` with the ending of the zone.
    Shape,
    /// Seconds follow the minutes.
    Seconds,
    /// The ending of the zone is missing or another one.
    Ending,
    /// There is no such day: `2009-02-30`.
    NoSuchDay,
    /// `24:00` is the next day's `00:00`.
    Hour24,
    /// Hour or minute too large.
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

    pub fn offset(self) -> FixedOffset {
        self.offset
    }

    /// What a date ends with: `Z` or `+hhmm`.
    pub fn ending(self) -> String {
        if self.is_utc {
            return "Z".to_owned();
        }
        let minutes = self.offset.fix().local_minus_utc() / 60;
        let sign = if minutes < 0 { '-' } else { '+' };
        format!("{sign}{:02}{:02}", minutes.abs() / 60, minutes.abs() % 60)
    }

    /// Reads a date. Blanks around it and missing leading zeros are allowed.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
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
        if reader.rest.starts_with(':') {
            return Err(DateTimeError::Seconds);
        }
        if reader.rest != self.ending() {
            return Err(DateTimeError::Ending);
        }
        let year = i32::try_from(year).map_err(|_| DateTimeError::NoSuchDay)?;
        let date = NaiveDate::from_ymd_opt(year, month, day)
            .filter(|_| year > 0)
            .ok_or(DateTimeError::NoSuchDay)?;
        if (hour, minute) == (24, 0) {
            return Err(DateTimeError::Hour24);
        }
        let local = date
            .and_hms_opt(hour, minute, 0)
            .ok_or(DateTimeError::NoSuchTime)?;
        let instant = local
            .checked_sub_offset(self.offset)
            .ok_or(DateTimeError::NoSuchDay)?
            .and_utc();
        Ok(ReadDateTime {
            instant,
            is_padded: reader.is_padded,
        })
    }

    /// Writes an instant, to the minute.
    pub fn write(self, instant: DateTime<Utc>) -> String {
        let local = instant.with_timezone(&self.offset);
        format!("{}{}", local.format("%Y-%m-%dT%H:%M"), self.ending())
    }
}

struct Reader<'a> {
    rest: &'a str,
    is_padded: bool,
}

impl Reader<'_> {
    /// The digits that come next, whose usual number is `width`.
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
        // A number that is too large is no day and no hour.
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
            DateTimeError::Seconds => "seconds cannot be given",
            DateTimeError::Ending => "it does not end with the processing time zone",
            DateTimeError::NoSuchDay => "there is no such day",
            DateTimeError::Hour24 => "hours end at 23",
            DateTimeError::NoSuchTime => "there is no such time of day",
        })
    }
}

impl std::error::Error for DateTimeError {}
