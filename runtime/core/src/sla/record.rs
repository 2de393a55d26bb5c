//! The SLA record, built from the texts of an SLA block.

use std::fmt;

use crate::{
    java,
    sla::{SlaEvent, SlaTexts, alert_events},
    time::{DateTimeError, ProcessingZone},
};

const MILLIS_PER_MINUTE: f64 = 60_000.0;

/// The expectations for a job or an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlaRecord {
    /// The time from which `should-start` and `should-end` count.
    pub nominal: i64,
    pub expected_start: Option<i64>,
    pub expected_end: i64,
    /// Milliseconds. If only a start is expected, the time from that to the end, as in Oozie.
    pub expected_duration: Option<i64>,
    /// The events that cause alerts; if absent, the site's default applies.
    pub alert_events: Option<Vec<SlaEvent>>,
    /// Addresses, separated by commas.
    pub alert_contact: Option<String>,
    pub notification_message: Option<String>,
    pub upstream_apps: Option<String>,
}

/// An invalid text in a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    pub element: &'static str,
    pub text: String,
    pub fault: SlaFault,
}

/// What is wrong with it. Oozie's code for all of them is E0302.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SlaFault {
    Date(DateTimeError),
    /// Not a number of minutes.
    Minutes,
    /// Minutes before the nominal time.
    Negative,
    /// Beyond the range of the calendar.
    TooFar,
}

impl SlaRecord {
    /// Builds the record of a block with evaluated texts.
    ///
    /// # Errors
    ///
    /// Every invalid time.
    pub fn read(texts: &SlaTexts<String>) -> Result<SlaRecord, Vec<Mistake>> {
        let mut mistakes = Vec::new();
        let mut mistake = |element: &'static str, text: &str, fault| {
            mistakes.push(Mistake {
                element,
                text: text.to_owned(),
                fault,
            });
        };
        let nominal_text = trimmed(&texts.nominal_time).unwrap_or_default();
        let nominal = nominal_time(nominal_text).unwrap_or_else(|fault| {
            mistake("nominal-time", nominal_text, fault);
            0
        });
        let mut after_nominal = |element: &'static str, text: &str| {
            let read = minutes(text).and_then(|millis| match millis {
                ..0 => Err(SlaFault::Negative),
                _ => nominal.checked_add(millis).ok_or(SlaFault::TooFar),
            });
            read.map_err(|fault| mistake(element, text, fault)).ok()
        };
        let expected_start =
            trimmed(&texts.should_start).and_then(|text| after_nominal("should-start", text));
        let should_end = trimmed(&texts.should_end).unwrap_or_default();
        let expected_end = after_nominal("should-end", should_end);
        let longest = filled(&texts.max_duration);
        let expected_duration = match longest.map(|text| (text, minutes(text))) {
            Some((_, Ok(millis))) => Some(millis),
            Some((text, Err(fault))) => {
                mistake("max-duration", text, fault);
                None
            }
            None => expected_start
                .zip(expected_end)
                .map(|(start, end)| end - start),
        };
        let Some(expected_end) = expected_end.filter(|_| mistakes.is_empty()) else {
            return Err(mistakes);
        };
        let owned = |text| filled(text).map(str::to_owned);
        Ok(SlaRecord {
            nominal,
            expected_start,
            expected_end,
            // Zero or less means no limit.
            expected_duration: expected_duration.filter(|millis| *millis > 0),
            alert_events: trimmed(&texts.alert_events).map(alert_events),
            alert_contact: owned(&texts.alert_contact),
            notification_message: owned(&texts.notification_msg),
            upstream_apps: owned(&texts.upstream_apps),
        })
    }
}

/// The text without blanks around it.
fn trimmed(text: &Option<String>) -> Option<&str> {
    text.as_deref().map(java::trim)
}

/// The same, unless nothing is left.
fn filled(text: &Option<String>) -> Option<&str> {
    trimmed(text).filter(|text| !text.is_empty())
}

/// A date such as `2026-11-20T00:00Z`, or with an offset such as `+0530` in place of the `Z`.
///
/// Oozie accepts only the suffix of its own processing time zone. Here the suffix is interpreted in either case.
///
/// # Errors
///
/// If it is not a date.
pub fn nominal_time(text: &str) -> Result<i64, SlaFault> {
    let text = java::trim(text);
    let zone = text
        .len()
        .checked_sub("+0000".len())
        .and_then(|at| ProcessingZone::parse(&format!("GMT{}", text.get(at..)?)))
        .unwrap_or(ProcessingZone::UTC);
    match zone.read(text) {
        Ok(read) => Ok(read.instant.timestamp_millis()),
        Err(error) => Err(SlaFault::Date(error)),
    }
}

/// A number of minutes, fractions allowed, in milliseconds.
///
/// # Errors
///
/// If it is not a number, or out of range.
pub fn minutes(text: &str) -> Result<i64, SlaFault> {
    let minutes = java::parse_double(java::trim(text)).ok_or(SlaFault::Minutes)?;
    if !minutes.is_finite() {
        return Err(SlaFault::Minutes);
    }
    let millis = minutes * MILLIS_PER_MINUTE;
    // A tenth of the range, so that sums fit too.
    if millis.abs() > 9.0e17 {
        return Err(SlaFault::TooFar);
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "cut off as Java does, and compared with the limit above"
    )]
    let millis = millis as i64;
    // Any negative fraction is before the nominal time.
    Ok(if minutes < 0.0 {
        millis.min(-1)
    } else {
        millis
    })
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mistake {
            element,
            text,
            fault,
        } = self;
        write!(f, "{element} is `{text}`: {fault}")
    }
}

impl fmt::Display for SlaFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SlaFault::Date(error) => write!(f, "{error}, such as 2026-11-20T00:00Z"),
            SlaFault::Minutes => f.write_str("it is no number of minutes"),
            SlaFault::Negative => f.write_str("it lies before the nominal time"),
            SlaFault::TooFar => f.write_str("it is beyond the calendar"),
        }
    }
}

impl std::error::Error for Mistake {}
