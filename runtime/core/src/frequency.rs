//! How often a coordinator runs, or a dataset gets an instance: minutes, days, months, ends of days or months, or a cron
//! expression.

use std::{cell::Cell, fmt};

use chrono::{DateTime, Utc};

use crate::{
    cron::{Cron, CronError},
    el::{
        error::{ElError, ElErrorKind},
        functions,
        phase::Phase,
        scope::{CoordinatorFacts, CoordinatorScope, NoCoordinator, Scope},
        text::TextValue,
        value::Value,
    },
    time::{self, EndOf, ProcessingZone, TimeUnit, Zone},
};

mod search;
#[cfg(test)]
mod tests;

/// An interval function of Oozie, its unit, the number of units, and the end of period that it is aligned to.
const FUNCTIONS: [(&str, TimeUnit, i64, Option<EndOf>); 7] = [
    ("minutes", TimeUnit::Minute, 1, None),
    ("hours", TimeUnit::Minute, 60, None),
    ("days", TimeUnit::Day, 1, None),
    ("months", TimeUnit::Month, 1, None),
    ("endOfDays", TimeUnit::Day, 1, Some(EndOf::Day)),
    ("endOfWeeks", TimeUnit::Week, 1, Some(EndOf::Week)),
    ("endOfMonths", TimeUnit::Month, 1, Some(EndOf::Month)),
];

/// When the next occurrence is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frequency {
    Every(Interval),
    Cron(Cron),
}

/// The distance between two occurrences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// Positive.
    pub n: i64,
    /// Minutes, days, weeks or months. `coord:hours` is in minutes, as in Oozie: 24 hours are not a day when clocks change.
    pub unit: TimeUnit,
    pub end_of: Option<EndOf>,
}

/// Why a text is not a frequency.
#[derive(Clone, Debug, PartialEq)]
pub enum FrequencyError {
    /// A number below one.
    NotPositive(i64),
    /// Neither a number nor a cron expression; the error is that of the latter.
    Cron(CronError),
}

/// The evaluated text of a frequency: Oozie reads a number in the unit of the function that was called last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrequencyText {
    pub text: String,
    pub unit: TimeUnit,
    pub end_of: Option<EndOf>,
}

/// Evaluates the text of a `frequency`. Functions other than those of frequencies are those of the scope.
///
/// # Errors
///
/// The expression that has no value.
pub fn evaluate(text: &dyn TextValue, scope: &dyn Scope) -> Result<FrequencyText, ElError> {
    let units = UnitFunctions::new(scope.coordinator());
    let text = text.value(&CoordinatorScope {
        base: scope,
        coordinator: &units,
    })?;
    let (unit, end_of) = units.last.get();
    Ok(FrequencyText { text, unit, end_of })
}

/// Evaluates the text of a `timeout`, in minutes: there days have 24 hours and months have 30 days.
///
/// # Errors
///
/// The expression that has no value.
pub fn evaluate_timeout(text: &dyn TextValue, scope: &dyn Scope) -> Result<String, ElError> {
    text.value(&CoordinatorScope {
        base: scope,
        coordinator: &MinuteFunctions,
    })
}

/// The functions of a `timeout`.
struct MinuteFunctions;

impl CoordinatorFacts for MinuteFunctions {
    fn has(&self, prefix: Option<&str>, name: &str) -> bool {
        let function = functions::find(prefix, name);
        is_function(name)
            && function.is_some_and(|function| {
                function.prefix == Some("coord") && function.phases.has(Phase::Timeout)
            })
    }

    fn call(&self, name: &str, args: &[Value]) -> Result<Value, ElError> {
        let units = UnitFunctions::new(&NoCoordinator);
        let minutes = match units.call(name, args)? {
            Value::Long(number) => number.checked_mul(match units.last.get().0 {
                TimeUnit::Minute => 1,
                TimeUnit::Hour => 60,
                TimeUnit::Day => 1_440,
                TimeUnit::Week => 7 * 1_440,
                TimeUnit::Month | TimeUnit::Year => 30 * 1_440,
            }),
            Value::Null | Value::Bool(_) | Value::Double(_) | Value::Text(_) | Value::Map(_) => {
                None
            }
        };
        minutes
            .map(Value::Long)
            .ok_or_else(|| ElError::function(&format!("coord:{name}"), "the number is too large"))
    }
}

/// Whether `coord:name` is a function of frequencies.
pub fn is_function(name: &str) -> bool {
    FUNCTIONS.iter().any(|(known, ..)| *known == name)
}

/// The functions that set the unit.
struct UnitFunctions<'a> {
    /// What the last call has set.
    last: Cell<(TimeUnit, Option<EndOf>)>,
    others: &'a dyn CoordinatorFacts,
}

impl<'a> UnitFunctions<'a> {
    fn new(others: &'a dyn CoordinatorFacts) -> UnitFunctions<'a> {
        UnitFunctions {
            last: Cell::new((TimeUnit::Minute, None)),
            others,
        }
    }
}

impl CoordinatorFacts for UnitFunctions<'_> {
    fn has(&self, prefix: Option<&str>, name: &str) -> bool {
        (prefix == Some("coord") && is_function(name)) || self.others.has(prefix, name)
    }

    fn call(&self, name: &str, args: &[Value]) -> Result<Value, ElError> {
        let Some((_, unit, factor, end_of)) = FUNCTIONS.iter().find(|(known, ..)| *known == name)
        else {
            return self.others.call(name, args);
        };
        let [n] = args else {
            return Err(ElError::new(
                ElErrorKind::UnknownFunction,
                format!("function `coord:{name}` takes one number"),
            ));
        };
        let n = n.to_long()?;
        if n <= 0 {
            return Err(ElError::function(
                &format!("coord:{name}"),
                format_args!("{n} is not above 0"),
            ));
        }
        self.last.set((*unit, *end_of));
        n.checked_mul(*factor).map(Value::Long).ok_or_else(|| {
            ElError::function(&format!("coord:{name}"), format_args!("{n} is too large"))
        })
    }
}

impl FrequencyText {
    /// A text that calls no functions.
    pub fn plain(text: &str) -> FrequencyText {
        FrequencyText {
            text: text.to_owned(),
            unit: TimeUnit::Minute,
            end_of: None,
        }
    }

    /// The number, if it is one.
    pub fn number(&self) -> Option<i64> {
        let text = self.text.trim();
        let digits = text.strip_prefix('+').unwrap_or(text);
        // Java's Integer, which rejects `++1`.
        digits
            .parse::<i32>()
            .ok()
            .filter(|_| digits.len() == text.len() || !digits.starts_with(['+', '-']))
            .map(i64::from)
    }

    /// Parses it as Oozie does: a number, otherwise a cron expression.
    ///
    /// # Errors
    ///
    /// What Oozie refuses. Its refusal of intervals under five minutes is a server setting.
    pub fn read(&self) -> Result<Frequency, FrequencyError> {
        let Some(n) = self.number() else {
            return Cron::parse(self.text.trim())
                .map(Frequency::Cron)
                .map_err(FrequencyError::Cron);
        };
        if n <= 0 {
            return Err(FrequencyError::NotPositive(n));
        }
        Ok(Frequency::Every(Interval {
            n,
            unit: self.unit,
            end_of: self.end_of,
        }))
    }
}

impl Interval {
    /// The time that occurrences are counted from: the start, or the end of the period that contains it.
    ///
    /// `None` beyond the range of the calendar.
    pub fn origin(self, start: DateTime<Utc>, zone: Zone) -> Option<DateTime<Utc>> {
        match self.end_of {
            None => Some(start),
            Some(end) => time::end_of(start, end, zone),
        }
    }

    /// The `k`-th occurrence; 0 is `origin` itself. Always computed from the origin, so that short months and clock changes do
    /// not affect later ones.
    ///
    /// `None` beyond the range of the calendar.
    pub fn occurrence(self, origin: DateTime<Utc>, k: i64, zone: Zone) -> Option<DateTime<Utc>> {
        time::add(origin, self.n.checked_mul(k)?, self.unit, zone)
    }

    /// Shorter than Oozie's default minimum of five minutes.
    pub fn is_below_limit(self) -> bool {
        self.unit == TimeUnit::Minute && self.n < 5
    }
}

impl Frequency {
    /// The times from `start` on, before any correction: the nominal times of a coordinator's actions.
    pub fn times(
        &self,
        start: DateTime<Utc>,
        zone: Zone,
        processing_zone: ProcessingZone,
    ) -> Box<dyn Iterator<Item = DateTime<Utc>> + '_> {
        match self {
            Frequency::Every(interval) => {
                let interval = *interval;
                let origin = interval.origin(start, zone);
                Box::new((0..).map_while(move |k| interval.occurrence(origin?, k, zone)))
            }
            Frequency::Cron(cron) => Box::new(std::iter::successors(
                cron.first_from(start, processing_zone),
                move |last| cron.next_after(*last, processing_zone),
            )),
        }
    }
}

/// As text: `every 2 days`, `at the end of every month`.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (n, unit) = match (self.unit, self.n) {
            (TimeUnit::Minute, n) if n % 60 == 0 => (n / 60, "hour"),
            (TimeUnit::Minute, n) => (n, "minute"),
            (TimeUnit::Hour, n) => (n, "hour"),
            (TimeUnit::Day, n) => (n, "day"),
            (TimeUnit::Week, n) => (n, "week"),
            (TimeUnit::Month, n) => (n, "month"),
            (TimeUnit::Year, n) => (n, "year"),
        };
        if self.end_of.is_some() {
            f.write_str("at the end of ")?;
        }
        match n {
            1 => write!(f, "every {unit}"),
            n => write!(f, "every {n} {unit}s"),
        }
    }
}

/// As text; a cron expression as evaluated.
impl fmt::Display for Frequency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Frequency::Every(interval) => interval.fmt(f),
            Frequency::Cron(cron) => write!(f, "`{}`, {}", cron.text(), cron.words()),
        }
    }
}

impl Frequency {
    /// The number or the cron expression, with its unit, as in Oozie's web services (`Timeunit`).
    pub fn in_units(&self) -> (String, &'static str) {
        let interval = match self {
            Frequency::Cron(cron) => return (cron.text().to_owned(), "CRON"),
            Frequency::Every(interval) => interval,
        };
        let (factor, unit) = match (interval.end_of, interval.unit) {
            (Some(EndOf::Day), _) => (1, "END_OF_DAY"),
            (Some(EndOf::Week), _) => (1, "END_OF_WEEK"),
            (Some(EndOf::Month), _) => (1, "END_OF_MONTH"),
            (None, TimeUnit::Minute) => (1, "MINUTE"),
            (None, TimeUnit::Hour) => (60, "MINUTE"),
            (None, TimeUnit::Day) => (1, "DAY"),
            (None, TimeUnit::Week) => (7, "DAY"),
            (None, TimeUnit::Month) => (1, "MONTH"),
            (None, TimeUnit::Year) => (12, "MONTH"),
        };
        (interval.n.saturating_mul(factor).to_string(), unit)
    }
}

impl fmt::Display for FrequencyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrequencyError::NotPositive(n) => write!(f, "{n} is not above 0"),
            FrequencyError::Cron(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FrequencyError {}
