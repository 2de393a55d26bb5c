//! The format of the two files that define a simulated environment: one rule per line, of which the last matching one wins.

use std::{collections::BTreeMap, fmt};

use chrono::{DateTime, Duration, Utc};

use crate::time::ProcessingZone;

/// A line that is not a valid rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError {
    /// 1-based.
    pub line: usize,
    pub message: String,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for LineError {}

/// What a rule applies to: everything, or a range of keys, inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyRange<K> {
    All,
    Range(K, K),
}

/// Rules by key, found without a scan of all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KeyedRules<K, V> {
    /// Those for a single key.
    exact: BTreeMap<K, (usize, V)>,
    others: Vec<(usize, KeyRange<K>, V)>,
    n_rules: usize,
}

impl<K, V> Default for KeyedRules<K, V> {
    fn default() -> KeyedRules<K, V> {
        KeyedRules {
            exact: BTreeMap::new(),
            others: Vec::new(),
            n_rules: 0,
        }
    }
}

impl<K: Ord + Copy, V: Copy> KeyedRules<K, V> {
    pub(super) fn add(&mut self, which: KeyRange<K>, value: V) {
        self.n_rules += 1;
        match which {
            KeyRange::Range(first, last) if first == last => {
                self.exact.insert(first, (self.n_rules, value));
            }
            KeyRange::All | KeyRange::Range(..) => self.others.push((self.n_rules, which, value)),
        }
    }

    /// The value of the last matching rule, and the index of that rule.
    pub(super) fn of(&self, key: K) -> Option<(usize, V)> {
        let exact = self.exact.get(&key).copied();
        let fits = |which: &KeyRange<K>| match which {
            KeyRange::All => true,
            KeyRange::Range(first, last) => *first <= key && key <= *last,
        };
        let mut others = self.others.iter().rev();
        let other = others
            .find(|(_, which, _)| fits(which))
            .map(|(n, _, value)| (*n, *value));
        match (exact, other) {
            (Some(exact), Some(other)) => Some(if exact.0 > other.0 { exact } else { other }),
            (exact, other) => exact.or(other),
        }
    }
}

/// The words of the rules in a text, with their line numbers. `#` begins a comment.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    text.lines().zip(1..).filter_map(|(line, number)| {
        let rule = line.split('#').next().unwrap_or_default();
        let words: Vec<&str> = rule.split_whitespace().collect();
        (!words.is_empty()).then_some((number, words))
    })
}

/// `*`, a date, or two with `::` between them.
pub(super) fn times(text: &str, zone: ProcessingZone) -> Result<KeyRange<DateTime<Utc>>, String> {
    if text == "*" {
        return Ok(KeyRange::All);
    }
    let (first, last) = text.split_once("::").unwrap_or((text, text));
    let (first, last) = (date(first, zone)?, date(last, zone)?);
    if first > last {
        return Err(format!("the range `{text}` ends before it starts"));
    }
    Ok(KeyRange::Range(first, last))
}

pub(super) fn date(text: &str, zone: ProcessingZone) -> Result<DateTime<Utc>, String> {
    zone.read(text).map(|read| read.instant).map_err(|error| {
        format!(
            "`{text}` is no date: {error}; the form is `yyyy-MM-ddTHH:mm{}`",
            zone.ending()
        )
    })
}

/// `90s`, `5m`, `2h` or `1d`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let seconds = |unit| match unit {
        "s" => Some(1),
        "m" => Some(60),
        "h" => Some(3_600),
        "d" => Some(86_400),
        _ => None,
    };
    let split = text.find(|c: char| !c.is_ascii_digit());
    let (number, unit) = text.split_at(split.unwrap_or(text.len()));
    number
        .parse::<i64>()
        .ok()
        .zip(seconds(unit))
        .and_then(|(n, seconds)| n.checked_mul(seconds))
        .and_then(Duration::try_seconds)
        .ok_or_else(|| format!("`{text}` is no duration, such as 90s, 5m, 2h or 1d"))
}
