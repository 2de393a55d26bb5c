//! Which actions a command applies to: `-action 1,3-4`, `-date 2009-01-01T00:00Z::2009-01-31T00:00Z` (`CoordUtils`).

use std::fmt;

use chrono::{DateTime, Utc};

use crate::{coordinator::machine::ActionRecord, time::ProcessingZone};

/// Actions by number or by nominal time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Ranges of numbers, inclusive.
    Numbers(Vec<(u64, u64)>),
    /// Ranges of nominal times, inclusive. If both ends are equal, there must be such an action (E0605).
    Times(Vec<(DateTime<Utc>, DateTime<Utc>)>),
}

/// A text that is not a valid scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopeError {
    /// Oozie's error code: E0302, or E0308 for a range of dates.
    pub code: &'static str,
    pub message: String,
}

impl fmt::Display for ScopeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for ScopeError {}

fn within<K: PartialOrd>(ranges: &[(K, K)], key: K) -> bool {
    let mut ranges = ranges.iter();
    ranges.any(|(first, last)| *first <= key && key <= *last)
}

fn wrong<T>(code: &'static str, message: String) -> Result<T, ScopeError> {
    Err(ScopeError { code, message })
}

impl Scope {
    /// Those of `actions` that are in the scope.
    pub fn select<'a>(
        &self,
        actions: impl IntoIterator<Item = &'a ActionRecord>,
    ) -> impl Iterator<Item = &'a ActionRecord> {
        actions.into_iter().filter(|action| match self {
            Scope::Numbers(ranges) => within(ranges, action.number),
            Scope::Times(ranges) => within(ranges, action.nominal),
        })
    }

    /// Parses numbers and ranges of numbers: `1,3-4`.
    ///
    /// # Errors
    ///
    /// An invalid number, or a range that ends before it starts.
    pub fn numbers(text: &str) -> Result<Scope, ScopeError> {
        let number = |text: &str| match text.trim().parse::<u64>() {
            Ok(n) if n > 0 => Ok(n),
            Ok(_) | Err(_) => wrong(
                "E0302",
                format!("`{}` is not the number of an action", text.trim()),
            ),
        };
        let mut ranges = Vec::new();
        for part in text.split(',') {
            let (first, last) = match part.split_once('-') {
                Some((first, last)) => (number(first)?, number(last)?),
                None => {
                    let n = number(part)?;
                    (n, n)
                }
            };
            if first > last {
                return wrong(
                    "E0302",
                    format!("the range `{}` ends before it starts", part.trim()),
                );
            }
            ranges.push((first, last));
        }
        Ok(Scope::Numbers(ranges))
    }

    /// Parses nominal times and ranges of them: `2009-01-01T00:00Z,2009-01-05T00:00Z::2009-01-08T00:00Z`.
    ///
    /// # Errors
    ///
    /// An invalid date, or a range that ends before it starts.
    pub fn times(text: &str, zone: ProcessingZone) -> Result<Scope, ScopeError> {
        let date = |code, text: &str| match zone.read(text) {
            Ok(read) => Ok(read.instant),
            Err(error) => wrong(
                code,
                format!(
                    "`{}` is no date: {error}; the form is `yyyy-MM-ddTHH:mm{}`",
                    text.trim(),
                    zone.ending()
                ),
            ),
        };
        let mut ranges = Vec::new();
        for part in text.split(',') {
            let (first, last) = match part.split_once("::") {
                Some((first, last)) => (date("E0308", first)?, date("E0308", last)?),
                None => {
                    let time = date("E0302", part)?;
                    (time, time)
                }
            };
            if first > last {
                return wrong(
                    "E0308",
                    format!("the range `{}` ends before it starts", part.trim()),
                );
            }
            ranges.push((first, last));
        }
        Ok(Scope::Times(ranges))
    }
}
