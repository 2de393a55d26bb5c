//! Cron expressions of coordinators: Quartz's grammar with five fields, and Oozie's rule for the two day fields.
//!
//! Input that Quartz accepts but reads differently than written, such as `1.5` as `1`, is accepted in the same way and listed in
//! [`Cron::oddities`]. Days beyond a week before a `#` and `0W` are refused: on most of them Quartz loops forever.

use std::fmt;

use chrono::{DateTime, Datelike, Duration, NaiveDate, NaiveDateTime, Timelike, Utc};

use crate::time::ProcessingZone;

mod count;
mod days;
mod field;
mod words;

#[cfg(test)]
mod tests;

use self::{
    days::{MonthDays, WeekDays},
    field::FieldKind,
};

/// How many years ahead to search for a matching time (Quartz's `MAX_YEAR`).
const MAX_YEARS_AHEAD: i32 = 100;

/// A parsed expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cron {
    text: String,
    minutes: u64,
    hours: u64,
    months: u64,
    days: Days,
    oddities: Vec<CronOddity>,
}

/// Which days match (`CoordUtils.getNextValidActionTimeForCronFrequency`).
#[derive(Clone, Debug, PartialEq, Eq)]
enum Days {
    OfMonth(MonthDays),
    OfWeek(WeekDays),
    /// Both fields are restricted: a day that matches either.
    Either(MonthDays, WeekDays),
}

/// Part of an expression that is not interpreted as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CronOddity {
    /// Byte range in the text.
    pub range: std::ops::Range<usize>,
    pub message: String,
}

/// Why a text is not a cron expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CronError {
    /// Byte range in the text.
    pub range: std::ops::Range<usize>,
    pub message: String,
    pub help: Option<String>,
}

impl CronError {
    fn new(range: std::ops::Range<usize>, message: impl Into<String>) -> CronError {
        CronError {
            range,
            message: message.into(),
            help: None,
        }
    }

    fn with_help(mut self, help: impl Into<String>) -> CronError {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for CronError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CronError {}

impl Cron {
    /// Parses `minute hour day-of-month month day-of-week`, without surrounding blanks.
    ///
    /// # Errors
    ///
    /// What Oozie refuses at submission, with its position in `text`.
    pub fn parse(text: &str) -> Result<Cron, CronError> {
        let fields = split(text)?;
        let mut oddities = Vec::new();
        let mut read = |kind: FieldKind, at: usize| {
            let (start, field) = fields[at];
            field::read(kind, field, start, &mut oddities)
        };
        let minutes = read(FieldKind::Minute, 0)?;
        let hours = read(FieldKind::Hour, 1)?;
        let days_of_month = read(FieldKind::DayOfMonth, 2)?;
        let months = read(FieldKind::Month, 3)?;
        let days_of_week = read(FieldKind::DayOfWeek, 4)?;
        let (day_start, day_text) = fields[2];
        let (week_start, week_text) = fields[4];
        let days = match (days_of_month.is_unspecified, days_of_week.is_unspecified) {
            (true, true) => {
                return Err(CronError::new(
                    week_start..week_start + week_text.len(),
                    "`?` in both fields of days",
                )
                .with_help("write `*` in one of them"));
            }
            (true, false) => Days::OfWeek(WeekDays::new(&days_of_week)),
            (false, true) => Days::OfMonth(MonthDays::new(&days_of_month)),
            (false, false) if day_text == "*" => Days::OfWeek(WeekDays::new(&days_of_week)),
            (false, false) if week_text == "*" => Days::OfMonth(MonthDays::new(&days_of_month)),
            (false, false) => {
                for (start, field, values) in [
                    (day_start, day_text, &days_of_month),
                    (week_start, week_text, &days_of_week),
                ] {
                    if values.is_every() {
                        oddities.push(CronOddity {
                            range: start..start + field.len(),
                            message: format!(
                                "`{field}` has every day, and the other field of days is then of no effect; only `*` alone leaves it to the other"
                            ),
                        });
                    }
                }
                Days::Either(MonthDays::new(&days_of_month), WeekDays::new(&days_of_week))
            }
        };
        Ok(Cron {
            text: text.to_owned(),
            minutes: minutes.bits,
            hours: hours.bits,
            months: months.bits,
            days,
            oddities,
        })
    }

    /// The source text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The parts that are not interpreted as written, in text order.
    pub fn oddities(&self) -> &[CronOddity] {
        &self.oddities
    }

    /// Whether both day fields are restricted and one of them matches no day in any year, as in `0 0 30 2 MON`: Oozie fails on it
    /// at submission.
    pub fn has_impossible_half(&self) -> bool {
        match &self.days {
            Days::OfMonth(_) | Days::OfWeek(_) => false,
            Days::Either(of_month, of_week) => {
                let alone = |days| Cron {
                    days,
                    ..self.clone()
                };
                let halves = [
                    alone(Days::OfMonth(of_month.clone())),
                    alone(Days::OfWeek(of_week.clone())),
                ];
                let start = DateTime::UNIX_EPOCH;
                halves
                    .iter()
                    .any(|half| half.next_after(start, ProcessingZone::UTC).is_none())
            }
        }
    }

    /// The first time after `instant`. The fields are those of the processing time zone, never of the coordinator's own.
    ///
    /// `None` if there is none within a century.
    pub fn next_after(
        &self,
        instant: DateTime<Utc>,
        processing_zone: ProcessingZone,
    ) -> Option<DateTime<Utc>> {
        let offset = processing_zone.offset();
        let local = instant.with_timezone(&offset).naive_local();
        let next_minute = local
            .checked_add_signed(Duration::minutes(1))?
            .with_second(0)?
            .with_nanosecond(0)?;
        Some(
            self.at_or_after(next_minute)?
                .checked_sub_offset(offset)?
                .and_utc(),
        )
    }

    /// The first time at or after `instant`: the first action of a coordinator that starts then.
    pub fn first_from(
        &self,
        instant: DateTime<Utc>,
        processing_zone: ProcessingZone,
    ) -> Option<DateTime<Utc>> {
        self.next_after(
            instant.checked_sub_signed(Duration::minutes(1))?,
            processing_zone,
        )
    }

    fn at_or_after(&self, from: NaiveDateTime) -> Option<NaiveDateTime> {
        let today = from.date();
        let (mut year, mut month) = (today.year(), today.month());
        let mut first_day = today.day();
        let last_year = year.saturating_add(MAX_YEARS_AHEAD);
        // The time of day matters only on the first day.
        let mut first_time = self.time_at_or_after(from.hour(), from.minute());
        if first_time.is_none() {
            first_day += 1;
        }
        while year <= last_year {
            if has(self.months, month) {
                let days = self.days_of(year, month)? & (u64::MAX << first_day);
                if days != 0 {
                    let day = days.trailing_zeros();
                    let date = NaiveDate::from_ymd_opt(year, month, day)?;
                    let (hour, minute) = match first_time {
                        Some(time) if date == today => time,
                        Some(_) | None => self.time_at_or_after(0, 0)?,
                    };
                    return date.and_hms_opt(hour, minute, 0);
                }
            }
            first_day = 1;
            first_time = None;
            month += 1;
            if month > 12 {
                month = 1;
                year += 1;
            }
        }
        None
    }

    /// The first matching time of day at or after `hour`:`minute`.
    fn time_at_or_after(&self, hour: u32, minute: u32) -> Option<(u32, u32)> {
        if has(self.hours, hour) {
            let later = self.minutes & (u64::MAX << minute);
            if later != 0 {
                return Some((hour, later.trailing_zeros()));
            }
        }
        let later = self.hours & (u64::MAX << (hour + 1));
        (later != 0).then(|| (later.trailing_zeros(), self.minutes.trailing_zeros()))
    }

    /// The matching days of a month, as bits.
    fn days_of(&self, year: i32, month: u32) -> Option<u64> {
        Some(match &self.days {
            Days::OfMonth(days) => days.in_month(year, month)?,
            Days::OfWeek(days) => days.in_month(year, month)?,
            Days::Either(of_month, of_week) => {
                of_month.in_month(year, month)? | of_week.in_month(year, month)?
            }
        })
    }
}

fn has(bits: u64, value: u32) -> bool {
    bits >> value & 1 == 1
}

/// The five fields and their start offsets.
fn split(text: &str) -> Result<Vec<(usize, &str)>, CronError> {
    let mut fields = Vec::new();
    let mut start: usize = 0;
    for field in text.split(' ') {
        if field.is_empty() {
            return Err(CronError::new(
                start.saturating_sub(1)..start + 1,
                "more than one blank between two fields",
            )
            .with_help("Oozie splits the fields at single blanks"));
        }
        if let Some(at) = field.find(char::is_whitespace) {
            return Err(CronError::new(
                start + at..start + at + 1,
                "fields are separated by something else than a blank",
            )
            .with_help("Oozie splits the fields at single blanks"));
        }
        fields.push((start, field));
        start += field.len() + 1;
    }
    if fields.len() == 5 {
        return Ok(fields);
    }
    let error = CronError::new(
        0..text.len(),
        format!("expected 5 fields, found {}", fields.len()),
    );
    Err(match text.strip_prefix('@') {
        Some(_) => {
            error.with_help("there are no names for times such as `@daily`: write `0 0 * * *`")
        }
        None => {
            error.with_help("the fields are minute, hour, day of month, month, and day of week")
        }
    })
}
