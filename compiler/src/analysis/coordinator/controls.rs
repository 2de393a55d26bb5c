//! The values of `controls`.

use hpdlc_core::{
    coordinator::{THROTTLE_SETTINGS, TIMEOUT_SETTING},
    time::TimeUnit,
};

use crate::{
    analysis::known::{KnownJob, KnownText, Unknown},
    diagnostics::{Sink, nearest},
    lints::{capped_controls::CappedControl, zero_concurrency::ZeroConcurrency},
    model::{Template, coordinator::Controls},
};

pub(super) mod invalid_control;

use self::invalid_control::InvalidControl;

/// The longest timeout, in minutes.
const MAX_TIMEOUT: i64 = 86_400;

const EXECUTIONS: [&str; 4] = ["FIFO", "LIFO", "LAST_ONLY", "NONE"];

pub(super) fn check(controls: &Controls, known: &KnownJob<'_>, sink: &mut Sink) {
    if let Some(timeout) = &controls.timeout {
        check_timeout(timeout, known, sink);
    }
    if let Some(concurrency) = &controls.concurrency
        && let Some(0) = integer(concurrency, "concurrency", known, sink)
    {
        sink.emit(ZeroConcurrency {
            place: concurrency.span,
        });
    }
    let max_throttle = i64::from(known.control_settings().max_throttle);
    if let Some(throttle) = &controls.throttle
        && let Some(value) = integer(throttle, "throttle", known, sink)
        && !(1..=max_throttle).contains(&value)
    {
        sink.emit(CappedControl {
            place: throttle.span,
            control: "throttle",
            value: value.to_string(),
            effective: max_throttle.to_string(),
            settings: &THROTTLE_SETTINGS,
        });
    }
    if let Some(execution) = &controls.execution
        && let Some(text) = known.text(execution)
        && !EXECUTIONS.contains(&text.value.as_str())
    {
        let same = EXECUTIONS
            .into_iter()
            .find(|name| name.eq_ignore_ascii_case(text.value.trim()));
        let squeezed = text.value.to_ascii_uppercase();
        let similar = same.or_else(|| nearest(&squeezed, EXECUTIONS)).or_else(|| {
            EXECUTIONS
                .into_iter()
                .find(|name| name.replace('_', "") == squeezed)
        });
        sink.emit(invalid(
            execution,
            "execution",
            "`FIFO`, `LIFO`, `LAST_ONLY`, or `NONE`",
            text,
            similar,
        ));
    }
}

fn check_timeout(timeout: &Template, known: &KnownJob<'_>, sink: &mut Sink) {
    let (text, origin) = match known.frequency(timeout) {
        Ok(known) => known,
        Err(Unknown::Open) => return,
        Err(Unknown::Failure(error)) => {
            let text = KnownText {
                value: error.message,
                origin: None,
            };
            sink.emit(invalid(
                timeout,
                "timeout",
                "a number of minutes",
                text,
                None,
            ));
            return;
        }
    };
    let Some(n) = text.number() else {
        let text = KnownText {
            value: text.text,
            origin,
        };
        sink.emit(invalid(
            timeout,
            "timeout",
            "a number of minutes",
            text,
            None,
        ));
        return;
    };
    let minutes = match text.unit {
        TimeUnit::Minute => n,
        TimeUnit::Hour => n.saturating_mul(60),
        TimeUnit::Day => n.saturating_mul(1440),
        TimeUnit::Week => n.saturating_mul(7 * 1440),
        // Months of 30 days.
        TimeUnit::Month | TimeUnit::Year => n.saturating_mul(30 * 1440),
    };
    let max = known.control_settings().max_timeout;
    if minutes > max {
        sink.emit(CappedControl {
            place: timeout.span,
            control: "timeout",
            value: minutes.to_string(),
            effective: match max {
                MAX_TIMEOUT => format!("{max} minutes, 60 days"),
                max => format!("{max} minutes"),
            },
            settings: &[TIMEOUT_SETTING],
        });
    }
}

/// A whole number, if it is known. An empty element means the default.
fn integer(
    template: &Template,
    control: &'static str,
    known: &KnownJob<'_>,
    sink: &mut Sink,
) -> Option<i64> {
    let text = known.text(template)?;
    if text.value.is_empty() {
        return None;
    }
    match text.value.trim().parse::<i32>() {
        Ok(number) => Some(i64::from(number)),
        Err(_) => {
            sink.emit(invalid(template, control, "a whole number", text, None));
            None
        }
    }
}

fn invalid(
    template: &Template,
    control: &'static str,
    expected: &'static str,
    text: KnownText,
    similar: Option<&'static str>,
) -> InvalidControl {
    InvalidControl {
        place: template.span,
        control,
        expected,
        found: text.value,
        similar: similar.map(str::to_owned),
        origin: text.origin,
    }
}
