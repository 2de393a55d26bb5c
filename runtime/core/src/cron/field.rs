//! Parser of one field of a cron expression, like Quartz's `CronExpression.storeExpressionVals`.

use std::ops::Range;

use crate::cron::{CronError, CronOddity};

/// Which of the five fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldKind {
    Minute,
    Hour,
    DayOfMonth,
    Month,
    DayOfWeek,
}

const MONTHS: [&str; 12] = [
    "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC",
];
const DAYS: [&str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

impl FieldKind {
    fn name(self) -> &'static str {
        match self {
            FieldKind::Minute => "minute",
            FieldKind::Hour => "hour",
            FieldKind::DayOfMonth => "day of month",
            FieldKind::Month => "month",
            FieldKind::DayOfWeek => "day of week",
        }
    }

    fn min(self) -> u32 {
        match self {
            FieldKind::Minute | FieldKind::Hour => 0,
            FieldKind::DayOfMonth | FieldKind::Month | FieldKind::DayOfWeek => 1,
        }
    }

    fn max(self) -> u32 {
        match self {
            FieldKind::Minute => 59,
            FieldKind::Hour => 23,
            FieldKind::DayOfMonth => 31,
            FieldKind::Month => 12,
            FieldKind::DayOfWeek => 7,
        }
    }

    fn names(self) -> &'static [&'static str] {
        match self {
            FieldKind::Month => &MONTHS,
            FieldKind::DayOfWeek => &DAYS,
            FieldKind::Minute | FieldKind::Hour | FieldKind::DayOfMonth => &[],
        }
    }

    fn is_of_days(self) -> bool {
        matches!(self, FieldKind::DayOfMonth | FieldKind::DayOfWeek)
    }
}

/// The parsed values of a field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FieldValues {
    pub(super) kind: Option<FieldKind>,
    /// A bit for each value.
    pub(super) bits: u64,
    /// `?`.
    pub(super) is_unspecified: bool,
    /// `L` in days of month, and how many days before the last.
    pub(super) last_day_offset: Option<u32>,
    /// `W` in days of month.
    pub(super) is_nearest_weekday: bool,
    /// `nL` in days of week.
    pub(super) is_last_of_month: bool,
    /// `n#k` in days of week.
    pub(super) nth_of_month: Option<u32>,
}

impl FieldValues {
    /// Whether the field contains every value and nothing special.
    pub(super) fn is_every(&self) -> bool {
        self.kind.is_some_and(|kind| {
            (kind.min()..=kind.max()).all(|value| self.bits >> value & 1 == 1)
                && !self.is_nearest_weekday
                && !self.is_last_of_month
                && self.nth_of_month.is_none()
        })
    }
}

/// Parses a field that starts at byte `start` of the expression.
pub(super) fn read(
    kind: FieldKind,
    field: &str,
    start: usize,
    oddities: &mut Vec<CronOddity>,
) -> Result<FieldValues, CronError> {
    let range = start..start + field.len();
    let upper = field.to_ascii_uppercase();
    let has_list = upper.contains(',');
    if kind == FieldKind::DayOfMonth && upper.contains('L') && has_list {
        return Err(CronError::new(range, "`L` beside other days of the month"));
    }
    if kind == FieldKind::DayOfWeek && upper.contains('L') && has_list {
        return Err(CronError::new(range, "`L` beside other days of the week"));
    }
    if kind == FieldKind::DayOfWeek && upper.matches('#').count() > 1 {
        return Err(CronError::new(range, "more than one `#`"));
    }
    let mut values = FieldValues {
        kind: Some(kind),
        ..FieldValues::default()
    };
    let mut at = start;
    let mut n_items = 0;
    for item in upper.split(',') {
        // Java's tokenizer skips empty items.
        if !item.is_empty() {
            n_items += 1;
            CronItem {
                kind,
                text: item.as_bytes(),
                at: 0,
                start: at,
                values: &mut values,
                oddities,
            }
            .read()?;
        }
        at += item.len() + 1;
    }
    if n_items == 0 {
        return Err(CronError::new(
            range,
            format!("the field `{}` is empty", kind.name()),
        ));
    }
    if values.is_unspecified && n_items > 1 {
        return Err(CronError::new(range, "`?` beside other days")
            .with_help("`?` must be alone: it leaves the days to the other field of days"));
    }
    if !kind.is_of_days() && values.bits == 0 {
        return Err(CronError::new(
            range,
            format!("`L` in the field `{}`", kind.name()),
        ));
    }
    let has_mark =
        values.is_nearest_weekday || values.is_last_of_month || values.nth_of_month.is_some();
    if has_mark && values.last_day_offset.is_none() && values.bits.count_ones() > 1 {
        oddities.push(CronOddity {
            range,
            message: "`W`, `L` and `#` count for the smallest day alone, and the other days are passed over".to_owned(),
        });
    }
    Ok(values)
}

/// One item of a list.
struct CronItem<'a> {
    kind: FieldKind,
    /// In upper case.
    text: &'a [u8],
    at: usize,
    /// Offset of the item in the expression.
    start: usize,
    values: &'a mut FieldValues,
    oddities: &'a mut Vec<CronOddity>,
}

impl CronItem<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn range(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    fn rest(&self) -> &str {
        std::str::from_utf8(self.text.get(self.at..).unwrap_or_default()).unwrap_or_default()
    }

    fn written(&self) -> &str {
        std::str::from_utf8(self.text).unwrap_or_default()
    }

    fn error(&self, message: impl Into<String>) -> CronError {
        CronError::new(self.range(), message)
    }

    fn odd(&mut self, message: String) {
        self.oddities.push(CronOddity {
            range: self.range(),
            message,
        });
    }

    fn read(mut self) -> Result<(), CronError> {
        match self.peek() {
            Some(b'?') => self.unspecified()?,
            Some(b'*' | b'/') => self.every()?,
            Some(b'L') if self.is_last() => self.last()?,
            Some(first) if first.is_ascii_alphabetic() => self.names()?,
            Some(first) if first.is_ascii_digit() => self.numbers()?,
            Some(_) | None => {
                return Err(self.error(format!(
                    "`{}` is no value of the field `{}`",
                    self.written(),
                    self.kind.name()
                )));
            }
        }
        if self.at < self.text.len() {
            let read = self.written()[..self.at].to_owned();
            let message = format!("`{}` is read as `{read}`", self.written());
            self.odd(message);
        }
        Ok(())
    }

    /// `L`, `LW`, `L-n` and `L-nW`.
    fn is_last(&self) -> bool {
        let text = self.written();
        text == "L"
            || text == "LW"
            || text.strip_prefix("L-").is_some_and(|rest| {
                rest.strip_suffix('W')
                    .unwrap_or(rest)
                    .bytes()
                    .all(|byte| byte.is_ascii_digit())
            })
    }

    fn unspecified(&mut self) -> Result<(), CronError> {
        if !self.kind.is_of_days() {
            return Err(self
                .error(format!("`?` in the field `{}`", self.kind.name()))
                .with_help("`?` is for the fields of days; elsewhere `*` is every value"));
        }
        if self.text.len() > 2 {
            return Err(self.error("something follows `?`"));
        }
        self.at += 1;
        self.values.is_unspecified = true;
        Ok(())
    }

    fn every(&mut self) -> Result<(), CronError> {
        if self.text == b"*" || self.text == b"**" {
            self.at = self.text.len();
            return self.add(None, None, 1);
        }
        if self.peek() == Some(b'*') {
            self.at += 1;
        }
        if self.peek() != Some(b'/') {
            return self.add(None, None, 1);
        }
        self.at += 1;
        let step: u32 = match self.rest().parse() {
            Ok(step) => step,
            Err(_) => return Err(self.error("a number must follow `/`, and nothing else")),
        };
        self.at = self.text.len();
        self.check_step(step)?;
        if step == 0 {
            let message = format!("`{}` is read as `*`", self.written());
            self.odd(message);
        }
        self.add(None, None, step.max(1))
    }

    fn last(&mut self) -> Result<(), CronError> {
        self.at += 1;
        match self.kind {
            FieldKind::DayOfMonth => {
                let mut offset = 0;
                if self.peek() == Some(b'-') {
                    self.at += 1;
                    offset = match self.digits() {
                        Some(offset) => offset,
                        None => return Err(self.error("a number must follow `L-`")),
                    };
                    if offset > 30 {
                        return Err(self.error("no month has a day that far before its last"));
                    }
                }
                if self.peek() == Some(b'W') {
                    self.at += 1;
                    self.values.is_nearest_weekday = true;
                }
                self.values.last_day_offset = Some(offset);
                Ok(())
            }
            FieldKind::DayOfWeek => self.add(Some(7), None, 0),
            // Quartz skips it; alone it leaves no values.
            FieldKind::Minute | FieldKind::Hour | FieldKind::Month => {
                let message = format!("`L` is no value of the field `{}`", self.kind.name());
                self.odd(message);
                Ok(())
            }
        }
    }

    /// A three-letter month or day name; further letters are skipped.
    fn name(&mut self) -> Result<u32, CronError> {
        let word = self.rest();
        let letters = word.get(..3).unwrap_or(word);
        let names = self.kind.names();
        let Some(position) = names.iter().position(|name| *name == letters) else {
            let error = self.error(format!(
                "`{letters}` is no value of the field `{}`",
                self.kind.name()
            ));
            return Err(match self.kind {
                FieldKind::Month => error.with_help("the months are JAN to DEC, or 1 to 12"),
                FieldKind::DayOfWeek => {
                    error.with_help("the days are SUN to SAT, or 1 for Sunday to 7")
                }
                FieldKind::Minute | FieldKind::Hour | FieldKind::DayOfMonth => error,
            });
        };
        self.at += 3;
        Ok(u32::try_from(position).unwrap_or(0) + 1)
    }

    fn names(&mut self) -> Result<(), CronError> {
        let first = self.name()?;
        let mut last = None;
        match (self.peek(), self.kind) {
            (Some(b'-'), _) => {
                self.at += 1;
                last = Some(self.name()?);
            }
            (Some(b'#'), FieldKind::DayOfWeek) => self.nth()?,
            (Some(b'L'), FieldKind::DayOfWeek) => {
                self.at += 1;
                self.values.is_last_of_month = true;
            }
            (Some(_) | None, _) => {}
        }
        // SUNDAY and January: only three letters are significant.
        if self.rest().bytes().all(|byte| byte.is_ascii_alphabetic()) {
            self.at = self.text.len();
        }
        self.add(Some(first), last, if last.is_some() { 1 } else { 0 })
    }

    /// The `k` of `n#k`.
    fn nth(&mut self) -> Result<(), CronError> {
        self.at += 1;
        match self.rest().parse::<u32>() {
            Ok(nth @ 1..=5) => {
                self.at = self.text.len();
                self.values.nth_of_month = Some(nth);
                Ok(())
            }
            Ok(_) | Err(_) => Err(self.error("a number from 1 to 5 must follow `#`")),
        }
    }

    fn digits(&mut self) -> Option<u32> {
        let rest = self.rest();
        let end = rest
            .find(|char: char| !char.is_ascii_digit())
            .unwrap_or(rest.len());
        // Larger than any value of any field.
        let value = (end > 0).then(|| rest[..end].parse().unwrap_or(u32::MAX));
        self.at += end;
        value
    }

    fn numbers(&mut self) -> Result<(), CronError> {
        let first = self.digits();
        match (self.peek(), self.kind) {
            (Some(b'L'), FieldKind::DayOfWeek) => {
                self.at += 1;
                self.values.is_last_of_month = true;
                self.add(first, None, 0)
            }
            (Some(b'W'), FieldKind::DayOfMonth) => {
                self.at += 1;
                self.values.is_nearest_weekday = true;
                self.add(first, None, 0)
            }
            (Some(b'#'), FieldKind::DayOfWeek) => {
                self.nth()?;
                self.add(first, None, 0)
            }
            (Some(mark @ (b'L' | b'W' | b'#')), _) => Err(self.error(format!(
                "`{}` in the field `{}`",
                char::from(mark),
                self.kind.name()
            ))),
            (Some(b'-'), _) => {
                self.at += 1;
                let Some(last) = self.digits() else {
                    return Err(self.error("a number must follow `-`"));
                };
                let mut step = 1;
                if self.peek() == Some(b'/') {
                    self.at += 1;
                    step = match self.digits() {
                        Some(step) => step,
                        None => return Err(self.error("a number must follow `/`")),
                    };
                }
                self.add(first, Some(last), step)
            }
            (Some(b'/'), _) => {
                self.at += 1;
                let step = self.digits();
                let (Some(step), None) = (step, self.peek()) else {
                    return Err(self.error("a number must follow `/`, and nothing else"));
                };
                self.check_step(step)?;
                self.add(first, Some(self.kind.max()), step)
            }
            (Some(_) | None, _) => self.add(first, None, 0),
        }
    }

    fn check_step(&self, step: u32) -> Result<(), CronError> {
        // Quartz compares with the largest value, of minutes and hours too.
        if step > self.kind.max() {
            return Err(self
                .error(format!(
                    "a step of {step} is too large for the field `{}`",
                    self.kind.name()
                ))
                .with_help(format!("the largest step is {}", self.kind.max())));
        }
        Ok(())
    }

    /// Adds `first` to `last` (the whole field if `first` is `None`) in steps; without a step, only `first`.
    fn add(&mut self, first: Option<u32>, last: Option<u32>, step: u32) -> Result<(), CronError> {
        let (min, max) = (self.kind.min(), self.kind.max());
        if first.is_some_and(|first| first < min || first > max)
            || last.is_some_and(|last| last > max)
        {
            return Err(self
                .error(format!(
                    "`{}` is out of the range of the field `{}`",
                    self.written(),
                    self.kind.name()
                ))
                .with_help(match self.kind {
                    FieldKind::DayOfWeek => "days of the week go from 1, Sunday, to 7".to_owned(),
                    FieldKind::Minute
                    | FieldKind::Hour
                    | FieldKind::DayOfMonth
                    | FieldKind::Month => {
                        format!("the values go from {min} to {max}")
                    }
                }));
        }
        let start = first.unwrap_or(min);
        if step == 0 {
            self.values.bits |= 1 << start;
            return Ok(());
        }
        let stop = last.unwrap_or(max);
        // A range that ends before it starts wraps around; this is the length of the cycle.
        let cycle = if min == 0 { max + 1 } else { max };
        let stop = if stop < start { stop + cycle } else { stop };
        let mut value = start;
        while value <= stop {
            let wrapped = if value <= max { value } else { value - cycle };
            self.values.bits |= 1 << wrapped;
            value = value.saturating_add(step);
        }
        Ok(())
    }
}
