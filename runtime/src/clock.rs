//! The only source of time.

use chrono::{DateTime, SecondsFormat, Utc};

/// The wall clock.
pub fn now() -> DateTime<Utc> {
    Utc::now()
}

/// Milliseconds since 1970, the form in which the store keeps times.
pub fn now_millis() -> i64 {
    now().timestamp_millis()
}

/// `2026-11-20T09:30:00.123Z`, the form of every time in JSON; `None` for a number that is no date.
pub fn format_millis(millis: i64) -> Option<String> {
    DateTime::from_timestamp_millis(millis)
        .map(|time| time.to_rfc3339_opts(SecondsFormat::Millis, true))
}
