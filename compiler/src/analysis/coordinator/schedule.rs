//! When a coordinator runs: start, end, time zone and frequency. Also what they share with datasets.

use chrono::{DateTime, Duration, Utc};
use hpdlc_core::{
    frequency::{Frequency, FrequencyError, Interval},
    time::{DateTimeError, ProcessingZone, TimeUnit, Zone},
};

use crate::{
    analysis::known::{KnownJob, Unknown},
    diagnostics::Sink,
    lints::{
        cron_in_processing_zone::CronInProcessingZone, day_long_minutes::DayLongMinutes,
        extended_dates::ExtendedDate, frequencies_below_limit::FrequencyBelowLimit,
        numbered_weekdays::NumberedWeekdays, odd_cron_fields::OddCronField,
        other_processing_time_zones::OtherProcessingTimeZone,
        three_letter_timezones::ThreeLetterTimezone, unpadded_dates::UnpaddedDate,
    },
    model::{CoordinatorApp, Template},
    source::Span,
};

pub(super) mod invalid_cron_expression;
pub(super) mod invalid_date_time;
pub(super) mod invalid_frequency;
pub(super) mod invalid_timezone;
pub(super) mod never_firing_frequency;
pub(super) mod start_not_before_end;

use self::{
    invalid_cron_expression::InvalidCronExpression,
    invalid_date_time::InvalidDateTime,
    invalid_frequency::InvalidFrequency,
    invalid_timezone::InvalidTimezone,
    never_firing_frequency::{NeverFiring, NeverFiringFrequency},
    start_not_before_end::StartNotBeforeEnd,
};

/// The processing time zone: the default, as no document specifies that of the server.
const PROCESSING_ZONE: ProcessingZone = ProcessingZone::UTC;

pub(super) fn check(app: &CoordinatorApp, known: &KnownJob<'_>, sink: &mut Sink) {
    let start = date(&app.start, "the start", known, sink);
    let end = date(&app.end, "the end", known, sink);
    if let (Some(start), Some(end)) = (start, end)
        && end <= start
    {
        sink.emit(StartNotBeforeEnd {
            start: app.start.span,
            end: app.end.span,
            is_same: start == end,
            origins: [&app.start, &app.end].map(|text| known.origin(text)),
        });
    }
    let zone = timezone(&app.timezone, known, sink);
    match frequency(&app.frequency, Takes::Cron, known, sink) {
        Some(Frequency::Every(interval)) => {
            check_interval(&app.frequency, interval, zone, start, sink);
            if interval.is_below_limit() {
                sink.emit(FrequencyBelowLimit {
                    place: app.frequency.span,
                    minutes: interval.n,
                });
            }
        }
        Some(Frequency::Cron(cron)) => {
            for oddity in cron.oddities() {
                sink.emit(OddCronField {
                    place: place_in(&app.frequency, oddity.range.clone()),
                    message: oddity.message.clone(),
                });
            }
            if let Some(found) = numbered_weekdays(&app.frequency, cron.text()) {
                sink.emit(found);
            }
            let from = start.unwrap_or(DateTime::UNIX_EPOCH);
            let of_start = || ProcessingZone::of_ending(&known.text(&app.start)?.value);
            let other_zone = match known.zone() {
                Some(zone) => Some(zone).filter(|zone| !zone.is_utc()),
                None => of_start(),
            };
            let processing_zone = other_zone.unwrap_or(PROCESSING_ZONE);
            let first = cron.first_from(from, processing_zone);
            let problem = match (first, end) {
                (None, _) => Some(NeverFiring::Never),
                (Some(_), _) if cron.has_impossible_half() => Some(NeverFiring::ImpossibleHalf),
                (Some(first), Some(end))
                    if start.is_some_and(|start| start < end) && first >= end =>
                {
                    Some(NeverFiring::AfterEnd {
                        first: processing_zone.write(first),
                        end: app.end.span,
                    })
                }
                (Some(_), Some(_) | None) => None,
            };
            if let Some(problem) = problem {
                sink.emit(NeverFiringFrequency {
                    place: app.frequency.span,
                    problem,
                });
            }
            if let Some(zone) = zone
                && other_zone.is_none()
                && !is_always_utc(zone, from)
                && !is_every_hour(cron.text())
            {
                sink.emit(CronInProcessingZone {
                    place: app.frequency.span,
                    timezone: app.timezone.span,
                    name: app.timezone.text.as_str().to_owned(),
                });
            }
        }
        None => {}
    }
}

/// Whether a cron expression restricts minutes alone, so that it is the same in every zone.
fn is_every_hour(cron: &str) -> bool {
    let mut hours_and_days = cron.split_whitespace().skip(1);
    hours_and_days.all(|field| matches!(field, "*" | "?"))
}

/// Reports an interval in hours that stands for days, in a zone with daylight saving time.
fn check_interval(
    template: &Template,
    interval: Interval,
    zone: Option<Zone>,
    start: Option<DateTime<Utc>>,
    sink: &mut Sink,
) {
    const DAY: i64 = 1440;
    if let Some(zone) = zone
        && let Some(place) = zone.place()
        && interval.unit == TimeUnit::Minute
        && interval.n % DAY == 0
        && has_summer_time(zone, start)
    {
        sink.emit(DayLongMinutes {
            place: template.span,
            days: interval.n / DAY,
            zone: place.to_owned(),
        });
    }
}

fn has_summer_time(zone: Zone, start: Option<DateTime<Utc>>) -> bool {
    let from = start.unwrap_or_else(|| DateTime::UNIX_EPOCH + Duration::days(50 * 365));
    zone.has_changes(from, from + Duration::days(366))
}

pub(super) fn is_always_utc(zone: Zone, from: DateTime<Utc>) -> bool {
    zone.offset_at(from).local_minus_utc() == 0 && !has_summer_time(zone, Some(from))
}

/// The instant of a date, if it is known. What is wrong with it has been reported.
pub(super) fn instant(template: &Template, known: &KnownJob<'_>) -> Option<DateTime<Utc>> {
    let zone = known.zone().unwrap_or(PROCESSING_ZONE);
    let read = zone.read(&known.text(template)?.value).ok()?;
    Some(read.instant)
}

/// Parses a date, if it is known. `what` says what it is for.
pub(in crate::analysis) fn date(
    template: &Template,
    what: &'static str,
    known: &KnownJob<'_>,
    sink: &mut Sink,
) -> Option<DateTime<Utc>> {
    let text = known.text(template)?;
    let zone = known.zone().unwrap_or(PROCESSING_ZONE);
    match zone.read(&text.value) {
        Ok(read) => {
            if !read.is_padded && text.origin.is_none() && template.literal().is_some() {
                sink.emit(UnpaddedDate {
                    place: trimmed(template),
                    padded: zone.write(read.instant),
                });
            }
            if let Some(extension) = read.extension {
                sink.emit(ExtendedDate {
                    place: template.span,
                    extension,
                    written: zone.write(read.instant),
                    is_literal: text.origin.is_none() && template.literal().is_some(),
                    origin: text.origin,
                });
            }
            Some(read.instant)
        }
        // A server with another processing time zone expects other endings.
        Err(DateTimeError::Ending)
            if known.zone().is_none() && ProcessingZone::of_ending(&text.value).is_some() =>
        {
            let other = ProcessingZone::of_ending(&text.value)?;
            let read = other.read(&text.value).ok()?;
            sink.emit(OtherProcessingTimeZone {
                place: template.span,
                zone: other.name(),
            });
            Some(read.instant)
        }
        Err(error) => {
            sink.emit(InvalidDateTime {
                place: template.span,
                what,
                suggestion: likely_date(&text.value, &error, zone),
                needs: other_or_utc(&text.value).map(ProcessingZone::name),
                error,
                zone,
                origin: text.origin,
            });
            None
        }
    }
}

/// The processing time zone in which a date is well-formed.
fn other_or_utc(text: &str) -> Option<ProcessingZone> {
    let zone = ProcessingZone::of_ending(text).unwrap_or(ProcessingZone::UTC);
    zone.read(text).is_ok().then_some(zone)
}

/// The date that was probably meant.
fn likely_date(text: &str, error: &DateTimeError, zone: ProcessingZone) -> Option<String> {
    let text = text.trim();
    let written = |zone: ProcessingZone, text: &str| {
        let read = zone.read(text).ok()?;
        Some(read.instant)
    };
    // The same instant, written in the zone.
    if let Some(other) = other_or_utc(text) {
        return written(other, text).map(|instant| zone.write(instant));
    }
    let candidate = match error {
        DateTimeError::Ending => format!("{}Z", text.trim_end_matches(['z', 'Z'])),
        DateTimeError::Shape => {
            let text = text.replacen(' ', "T", 1);
            let text = text.trim_end_matches('Z');
            match text.matches(':').count() {
                0 => format!("{text}T00:00Z"),
                _ => format!("{text}Z"),
            }
        }
        DateTimeError::NoSuchDay | DateTimeError::NoSuchTime => return None,
    };
    let zone = if candidate.ends_with('Z') {
        ProcessingZone::UTC
    } else {
        zone
    };
    written(zone, &candidate).map(|instant| zone.write(instant))
}

/// Looks up the name of a time zone, if it is known.
pub(super) fn timezone(template: &Template, known: &KnownJob<'_>, sink: &mut Sink) -> Option<Zone> {
    let text = known.text(template)?;
    // Oozie trims it.
    let name = text.value.trim();
    match Zone::parse(name) {
        Ok(zone) => {
            if Zone::is_old_name(name) {
                sink.emit(ThreeLetterTimezone {
                    place: template.span,
                    name: name.to_owned(),
                    zone: zone.place(),
                });
            }
            Some(zone)
        }
        Err(error) => {
            let meant = error.meant.or_else(|| known.nearest(name, Zone::names()));
            sink.emit(InvalidTimezone {
                place: template.span,
                name: name.to_owned(),
                meant,
                origin: text.origin,
            });
            None
        }
    }
}

/// Which kinds of frequency are allowed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    Cron,
    /// That of a dataset.
    IntervalOnly,
}

/// Parses a frequency, if it is known.
pub(super) fn frequency(
    template: &Template,
    takes: Takes,
    known: &KnownJob<'_>,
    sink: &mut Sink,
) -> Option<Frequency> {
    if let Some((name, value)) = known.only_property(template)
        && value.contains("${coord:")
    {
        sink.emit(InvalidFrequency {
            place: template.span,
            problem: format!("`{name}` is `{value}`, which is not evaluated again"),
            help: Some(format!(
                "give `{name}` the number alone, and write `${{coord:days({name})}}` here"
            )),
            origin: known.origin(template),
        });
        return None;
    }
    let (text, origin) = match known.frequency(template) {
        Ok(known) => known,
        Err(Unknown::Open) => return None,
        Err(Unknown::Failure(error)) => {
            let place = match error.range {
                Some(range) => template.text.span_of(range.start..range.end),
                None => template.span,
            };
            sink.emit(InvalidFrequency {
                place,
                problem: error.message,
                help: error.help,
                origin: None,
            });
            return None;
        }
    };
    let value = text.text.trim().to_owned();
    let wrong = |problem: String, help: Option<&str>| InvalidFrequency {
        place: template.span,
        problem,
        help: help.map(str::to_owned),
        origin,
    };
    match text.read() {
        Ok(Frequency::Cron(_)) if takes == Takes::IntervalOnly => {
            sink.emit(wrong(
                format!("`{value}` is a cron expression, and a dataset's frequency a number"),
                Some("write a number of minutes, or a function such as `${coord:days(1)}`"),
            ));
            None
        }
        Ok(frequency) => Some(frequency),
        Err(FrequencyError::NotPositive(n)) => {
            sink.emit(wrong(format!("{n} is not above 0"), None));
            None
        }
        Err(FrequencyError::Cron(error))
            if takes == Takes::Cron
                && (value.contains(' ') || value.contains('*'))
                && interval_call(&value).is_none() =>
        {
            let place = if template.literal().is_some() {
                place_in(template, error.range)
            } else {
                template.span
            };
            sink.emit(InvalidCronExpression {
                place,
                message: error.message,
                help: error.help,
                origin,
            });
            None
        }
        Err(FrequencyError::Cron(error)) => {
            let problem = match (value.is_empty(), takes) {
                (true, _) => "there is none".to_owned(),
                (false, Takes::Cron) => {
                    format!("`{value}` is neither a number nor a cron expression")
                }
                (false, Takes::IntervalOnly) => format!("`{value}` is not a number"),
            };
            let help = match value.strip_prefix('@') {
                Some(_) => error.help,
                None if frequency_call(&value) => Some(format!(
                    "put a function between `${{` and `}}`: `${{{value}}}`"
                )),
                None => interval_call(&value).map(|call| format!("write `${{{call}}}`")),
            };
            sink.emit(wrong(problem, help.as_deref()));
            None
        }
    }
}

/// The function that was meant by an interval such as `6h` or `2 days`.
fn interval_call(value: &str) -> Option<String> {
    let digits = value.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = value.split_at(digits);
    let number: u32 = number.parse().ok().filter(|number| *number > 0)?;
    let function = match unit.trim().to_ascii_lowercase().as_str() {
        "m" | "min" | "mins" | "minute" | "minutes" => "minutes",
        "h" | "hr" | "hrs" | "hour" | "hours" => "hours",
        "d" | "day" | "days" => "days",
        "mon" | "month" | "months" => "months",
        _ => return None,
    };
    Some(format!("coord:{function}({number})"))
}

fn frequency_call(value: &str) -> bool {
    value.starts_with("coord:") && value.ends_with(')')
}

/// The span of a part of a literal text, given in bytes of its trimmed form.
fn place_in(template: &Template, range: std::ops::Range<usize>) -> Span {
    if template.literal().is_none() {
        return template.span;
    }
    let text = template.text.as_str();
    let blank = text.len() - text.trim_start().len();
    template
        .text
        .span_of(blank + range.start..blank + range.end)
}

/// The span of a literal text without the blanks around it.
fn trimmed(template: &Template) -> Span {
    place_in(template, 0..template.text.as_str().trim().len())
}

/// The days of the week of a cron expression, if they are numbers alone: 1 to 7, with ranges and lists.
fn numbered_weekdays(frequency: &Template, cron: &str) -> Option<NumberedWeekdays> {
    const DAYS: [&str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
    let field = cron.split_whitespace().nth(4)?;
    let start = field.as_ptr() as usize - cron.as_ptr() as usize;
    let is_number = |text: &str| matches!(text, "1" | "2" | "3" | "4" | "5" | "6" | "7");
    let mut numbers = field.split([',', '-']);
    if !numbers.all(is_number) {
        return None;
    }
    // `first` is the number of Sunday.
    let named = |first: usize| -> String {
        field
            .chars()
            .map(|c| match c.to_digit(10) {
                Some(number) => DAYS[(number as usize + 7 - first) % 7].to_owned(),
                None => c.to_string(),
            })
            .collect()
    };
    Some(NumberedWeekdays {
        place: place_in(frequency, start..start + field.len()),
        written: field.to_owned(),
        here: named(1),
        in_crontab: named(0),
    })
}
