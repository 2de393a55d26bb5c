//! The instance requests in texts, and the instances that they resolve to for an action.

use std::{fmt, ops::RangeInclusive};

use chrono::{DateTime, Datelike, Duration, NaiveDate, NaiveTime, Timelike, Utc};

use crate::{
    coordinator::{Dataset, Search, arguments::whole_number, dates},
    el::error::ElError,
    time::{self, DateTimeError, EndOf, ProcessingZone, TimeUnit, Zone},
};

/// The most instances that an event can have. Oozie is limited only by memory.
pub const MAX_INSTANCES: i64 = 1_000_000;

/// The request of an instance function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum InstanceRequest {
    /// `start` to `end` relative to the current instance.
    Current {
        start: i64,
        end: i64,
    },
    /// The current instance plus an offset, rounded down to an instance.
    Offset {
        n: i64,
        unit: TimeUnit,
    },
    Search(Search),
    Absolute(DateTime<Utc>),
    /// The start of a period, counted from the one after that of the nominal time.
    EndOf {
        n: i64,
        end: EndOf,
    },
}

/// The result of the text of an `instance`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NamedInstance {
    Asked(InstanceRequest),
    Date(DateTime<Utc>),
    Nothing,
}

/// The instances of an event for one action.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventInstances {
    /// Determined by the nominal time alone, in Oozie's order: a range starts with its newest instance.
    pub fixed: Vec<DateTime<Utc>>,
    /// To be searched for among those that exist, once the fixed ones are available.
    pub searches: Vec<Search>,
}

impl EventInstances {
    /// The URIs, if they do not depend on data.
    pub fn uris(&self, dataset: &Dataset) -> Option<Vec<String>> {
        self.searches
            .is_empty()
            .then(|| self.fixed.iter().map(|time| dataset.uri(*time)).collect())
    }
}

/// Why the instances of an event cannot be determined.
#[derive(Clone, Debug, PartialEq)]
pub enum InstanceError {
    El(ElError),
    /// An `instance` that is neither a function's result nor a date.
    NoInstance {
        text: String,
        error: DateTimeError,
    },
    /// Two ends that do not match, or a misplaced function.
    Range(String),
    /// More than [`MAX_INSTANCES`].
    TooMany(i64),
}

impl InstanceError {
    /// Oozie's code.
    pub fn oozie_code(&self) -> &'static str {
        match self {
            InstanceError::El(_) => "E1004",
            InstanceError::NoInstance { .. } => "E1012",
            InstanceError::Range(_) | InstanceError::TooMany(_) => "E1010",
        }
    }
}

impl fmt::Display for InstanceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InstanceError::El(error) => error.fmt(f),
            InstanceError::NoInstance { text, error } => {
                write!(f, "`{text}` is no instance: {error}")
            }
            InstanceError::Range(problem) => f.write_str(problem),
            InstanceError::TooMany(n) => {
                write!(f, "{n} instances, and at most {MAX_INSTANCES} are possible")
            }
        }
    }
}

impl std::error::Error for InstanceError {}

impl From<ElError> for InstanceError {
    fn from(error: ElError) -> InstanceError {
        InstanceError::El(error)
    }
}

impl InstanceRequest {
    /// Reads a call of an instance function; `None` if it is another function.
    pub(super) fn read(
        name: &str,
        args: &[String],
        zone: ProcessingZone,
    ) -> Option<Result<InstanceRequest, ElError>> {
        let numbers = || -> Result<Vec<i64>, ElError> {
            args.iter().map(|arg| whole_number(name, arg)).collect()
        };
        let end_of = |end| numbers().map(|numbers| InstanceRequest::EndOf { n: numbers[0], end });
        Some(match name {
            "current" => numbers().map(|numbers| InstanceRequest::Current {
                start: numbers[0],
                end: numbers[0],
            }),
            "currentRange" => numbers().map(|numbers| InstanceRequest::Current {
                start: numbers[0],
                end: numbers[1],
            }),
            "offset" => {
                let unit = dates::unit("coord:offset", &args[1]);
                whole_number(name, &args[0])
                    .and_then(|n| unit.map(|unit| InstanceRequest::Offset { n, unit }))
            }
            "latest" | "latestRange" => numbers().and_then(|numbers| {
                let (start, end) = (numbers[0], numbers[numbers.len() - 1]);
                match [start, end].into_iter().find(|n| *n > 0) {
                    Some(n) => Err(ElError::function(
                        &format!("coord:{name}"),
                        format_args!("expected 0 or below, found {n}"),
                    )),
                    None => Ok(InstanceRequest::Search(Search::Latest { start, end })),
                }
            }),
            "future" | "futureRange" => numbers().and_then(|numbers| {
                let (start, end) = (numbers[0], numbers[numbers.len() - 2]);
                let limit = numbers[numbers.len() - 1];
                if start < 0 || end < 0 || limit <= 0 {
                    return Err(ElError::function(
                        &format!("coord:{name}"),
                        "expected 0 or above, and a limit above 0",
                    ));
                }
                Ok(InstanceRequest::Search(Search::Future {
                    start,
                    end,
                    limit,
                }))
            }),
            "absolute" => {
                dates::read("coord:absolute", &args[0], zone).map(InstanceRequest::Absolute)
            }
            "endOfDays" => end_of(EndOf::Day),
            "endOfWeeks" => end_of(EndOf::Week),
            "endOfMonths" => end_of(EndOf::Month),
            _ => return None,
        })
    }

    fn function(&self) -> &'static str {
        match self {
            InstanceRequest::Current { .. } => "coord:current",
            InstanceRequest::Offset { .. } => "coord:offset",
            InstanceRequest::Search(Search::Latest { .. }) => "coord:latest",
            InstanceRequest::Search(Search::Future { .. }) => "coord:future",
            InstanceRequest::Absolute(_) => "coord:absolute",
            InstanceRequest::EndOf { end, .. } => match end {
                EndOf::Day => "coord:endOfDays",
                EndOf::Week => "coord:endOfWeeks",
                EndOf::Month => "coord:endOfMonths",
            },
        }
    }
}

/// The values from which the instances of an action are computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct InstanceScope<'a> {
    pub(super) dataset: &'a Dataset,
    pub(super) nominal: DateTime<Utc>,
    /// The time zone of the coordinator.
    pub(super) job_zone: Zone,
}

impl InstanceScope<'_> {
    /// The instances of an `instance` element.
    pub(super) fn add(
        &self,
        named: &NamedInstance,
        found: &mut EventInstances,
    ) -> Result<(), InstanceError> {
        match named {
            NamedInstance::Nothing => Ok(()),
            NamedInstance::Date(date) => {
                found.fixed.push(*date);
                Ok(())
            }
            NamedInstance::Asked(InstanceRequest::Search(search)) => {
                let (Search::Latest { start, end } | Search::Future { start, end, .. }) = search;
                check_order(InstanceRequest::Search(*search).function(), *start, *end)?;
                found.searches.push(*search);
                Ok(())
            }
            NamedInstance::Asked(InstanceRequest::Current { start, end }) => {
                check_order("coord:current", *start, *end)?;
                match self.dataset.current(self.nominal) {
                    Some(current) => self.push(current + start..=current + end, found),
                    None => Ok(()),
                }
            }
            NamedInstance::Asked(InstanceRequest::Offset { n, unit }) => {
                let number = self
                    .moved(*n, *unit)
                    .and_then(|time| self.dataset.current(time));
                match number {
                    Some(number) => self.push(number..=number, found),
                    None => Ok(()),
                }
            }
            NamedInstance::Asked(
                asked @ (InstanceRequest::Absolute(_) | InstanceRequest::EndOf { .. }),
            ) => Err(InstanceError::Range(format!(
                "`{}` is for a `start-instance` alone",
                asked.function()
            ))),
        }
    }

    /// The instances from `start-instance` to `end-instance`.
    pub(super) fn add_range(
        &self,
        start: &NamedInstance,
        end: &NamedInstance,
        found: &mut EventInstances,
    ) -> Result<(), InstanceError> {
        let (NamedInstance::Asked(start), NamedInstance::Asked(end)) = (start, end) else {
            return Err(InstanceError::Range(
                "a range goes from one function of instances to another".to_owned(),
            ));
        };
        match (start, end) {
            (InstanceRequest::Current { start, .. }, InstanceRequest::Current { end, .. }) => self
                .add(
                    &NamedInstance::Asked(InstanceRequest::Current {
                        start: *start,
                        end: *end,
                    }),
                    found,
                ),
            (
                InstanceRequest::Search(Search::Latest { start, .. }),
                InstanceRequest::Search(Search::Latest { end, .. }),
            ) => {
                let search = Search::Latest {
                    start: *start,
                    end: *end,
                };
                self.add(
                    &NamedInstance::Asked(InstanceRequest::Search(search)),
                    found,
                )
            }
            (
                InstanceRequest::Search(Search::Future { start, .. }),
                InstanceRequest::Search(Search::Future { end, limit, .. }),
            ) => {
                let search = Search::Future {
                    start: *start,
                    end: *end,
                    limit: *limit,
                };
                self.add(
                    &NamedInstance::Asked(InstanceRequest::Search(search)),
                    found,
                )
            }
            (
                InstanceRequest::Offset { n, unit },
                InstanceRequest::Offset {
                    n: end_n,
                    unit: end_unit,
                },
            ) => {
                if self.dataset.current(self.nominal).is_none() {
                    return Ok(());
                }
                let (Some(from), Some(to)) = (self.moved(*n, *unit), self.moved(*end_n, *end_unit))
                else {
                    return Ok(());
                };
                if from > to {
                    return Err(InstanceError::Range(
                        "the range of `coord:offset` ends before it starts".to_owned(),
                    ));
                }
                match self.dataset.current(to) {
                    Some(last) => self.push(self.dataset.first_from(from)..=last, found),
                    None => Ok(()),
                }
            }
            (InstanceRequest::Absolute(time), InstanceRequest::Current { end, .. }) => {
                self.add_from(*time, *end, start.function(), found)
            }
            (InstanceRequest::EndOf { n, end: period }, InstanceRequest::Current { end, .. }) => {
                let time = self.end_of(*n, *period).ok_or_else(|| {
                    InstanceError::Range(format!("`{}` is beyond the calendar", start.function()))
                })?;
                self.add_from(time, *end, start.function(), found)
            }
            (
                InstanceRequest::Current { .. }
                | InstanceRequest::Offset { .. }
                | InstanceRequest::Search(_)
                | InstanceRequest::Absolute(_)
                | InstanceRequest::EndOf { .. },
                _,
            ) => Err(InstanceError::Range(format!(
                "a range cannot go from `{}` to `{}`",
                start.function(),
                end.function()
            ))),
        }
    }

    /// From an instance given by its time to one relative to the current one.
    fn add_from(
        &self,
        time: DateTime<Utc>,
        end: i64,
        function: &str,
        found: &mut EventInstances,
    ) -> Result<(), InstanceError> {
        let written = self.dataset.processing_zone.write(time);
        let wrong = |problem: String| {
            Err(InstanceError::Range(format!(
                "`{function}`, which is {written}, {problem}"
            )))
        };
        let Some(current) = self.dataset.current(self.nominal) else {
            return wrong("has no end: the nominal time is before the first instance".to_owned());
        };
        let Some(first) = self.dataset.number_of(time) else {
            return wrong(if time < self.dataset.first {
                "is before the first instance".to_owned()
            } else {
                "is no instance".to_owned()
            });
        };
        if first > current + end {
            return wrong(format!("is after `coord:current({end})`"));
        }
        self.push(first..=current + end, found)
    }

    /// Adds instances by number, the newest first. Those before the first one are skipped.
    fn push(
        &self,
        numbers: RangeInclusive<i64>,
        found: &mut EventInstances,
    ) -> Result<(), InstanceError> {
        let (first, last) = (*numbers.start().max(&0), *numbers.end());
        let n = last - first + 1;
        let n_before = i64::try_from(found.fixed.len()).unwrap_or(i64::MAX);
        if n.saturating_add(n_before) > MAX_INSTANCES {
            return Err(InstanceError::TooMany(n));
        }
        let times = (first..=last).rev();
        found
            .fixed
            .extend(times.filter_map(|number| self.dataset.instance(number)));
        Ok(())
    }

    /// The current instance plus `n` units. `None` before the first instance, and beyond the range of the calendar.
    fn moved(&self, n: i64, unit: TimeUnit) -> Option<DateTime<Utc>> {
        let current = self.dataset.instance(self.dataset.current(self.nominal)?)?;
        time::add(current, n, unit, self.dataset.zone)
    }

    /// The start of the period of the nominal time, plus `n + 1` periods.
    fn end_of(&self, n: i64, end: EndOf) -> Option<DateTime<Utc>> {
        let zone = self.dataset.zone;
        let date = zone.local(self.nominal).date();
        let (first, unit) = match end {
            EndOf::Day => (date, TimeUnit::Day),
            EndOf::Week => {
                let days = i64::from(date.weekday().num_days_from_sunday());
                (
                    date.checked_sub_signed(Duration::days(days))?,
                    TimeUnit::Week,
                )
            }
            EndOf::Month => (
                NaiveDate::from_ymd_opt(date.year(), date.month(), 1)?,
                TimeUnit::Month,
            ),
        };
        let start = zone.resolve_local(first.and_time(NaiveTime::MIN));
        time::add(start, n + 1, unit, zone)
    }

    /// The nominal time plus `n` times the dataset's frequency, in the dataset's local time; `None` before the first instance.
    fn period(&self, n: i64) -> Option<DateTime<Utc>> {
        if self.nominal < self.dataset.first {
            return None;
        }
        let interval = self.dataset.interval;
        let n = n.checked_mul(interval.n)?;
        time::add(self.nominal, n, interval.unit, self.dataset.zone)
    }

    /// `coord:hoursInDay(n)`: 23, 24 or 25; -1 before the first instance.
    pub(super) fn hours_in_day(&self, n: i64) -> i64 {
        let zone = self.dataset.zone;
        let Some(time) = self.period(n) else {
            return -1;
        };
        // Half an hour after midnight, and the local time a day later.
        let Some(early) = zone.local(time).date().and_hms_opt(0, 30, 0) else {
            return -1;
        };
        let later = zone.resolve_local(early) + Duration::hours(24);
        match zone.local(later).hour() {
            1 => 23,
            23 => 25,
            _ => 24,
        }
    }

    /// `coord:daysInMonth(n)`; -1 before the first instance.
    pub(super) fn days_in_month(&self, n: i64) -> i64 {
        let Some(time) = self.period(n) else {
            return -1;
        };
        let date = self.dataset.zone.local(time).date();
        i64::from(date.num_days_in_month())
    }

    /// `coord:tzOffset()`: by how many minutes the dataset's time zone is ahead of the coordinator's.
    pub(super) fn tz_offset(&self) -> i64 {
        let seconds = |zone: Zone| i64::from(zone.offset_at(self.nominal).local_minus_utc());
        (seconds(self.dataset.zone) - seconds(self.job_zone)) / 60
    }
}

fn check_order(function: &str, start: i64, end: i64) -> Result<(), InstanceError> {
    if start > end {
        return Err(InstanceError::Range(format!(
            "the range of `{function}` goes from {start} to {end}: it ends before it starts"
        )));
    }
    Ok(())
}
