//! The only source of time.

use std::{env, fs, path::PathBuf, sync::OnceLock, time::SystemTime};

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};

/// Names a file with an offset of the clock in seconds, for tests of clock changes while jobs run.
const OFFSET_FILE: &str = "HPDL_TEST_CLOCK_OFFSET";

/// The wall clock.
pub fn now() -> DateTime<Utc> {
    static OFFSET: OnceLock<Option<PathBuf>> = OnceLock::new();
    // Not `Utc::now`, which panics if the clock is before 1970.
    let now = DateTime::<Utc>::from(SystemTime::now());
    match OFFSET.get_or_init(|| env::var_os(OFFSET_FILE).map(PathBuf::from)) {
        None => now,
        Some(file) => {
            let text = fs::read_to_string(file).unwrap_or_default();
            now + TimeDelta::seconds(text.trim().parse::<i32>().unwrap_or_default().into())
        }
    }
}

/// The date for mails: the wall clock, but at least 1970, since the format has no earlier dates.
pub fn for_mail() -> SystemTime {
    SystemTime::now().max(SystemTime::UNIX_EPOCH)
}

/// Milliseconds since 1970, the format of times in the store.
pub fn now_millis() -> i64 {
    now().timestamp_millis()
}

/// `2026-11-20T09:30:00.123Z`, the format of all times in JSON; `None` if the number is out of range.
pub fn format_millis(millis: i64) -> Option<String> {
    DateTime::from_timestamp_millis(millis)
        .map(|time| time.to_rfc3339_opts(SecondsFormat::Millis, true))
}

/// `0.4s`, `12s`, `3m05s`, `2h03m`.
pub fn format_duration(millis: i64) -> String {
    let millis = millis.max(0);
    let seconds = millis / 1000;
    match seconds {
        0..10 => format!("{}.{}s", seconds, millis % 1000 / 100),
        10..60 => format!("{seconds}s"),
        60..3600 => format!("{}m{:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h{:02}m", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_as_exact_as_a_person_wants() {
        let texts = [0, 450, 9_999, 12_400, 185_000, 7_380_000].map(format_duration);
        assert_eq!(texts, ["0.0s", "0.4s", "9.9s", "12s", "3m05s", "2h03m"]);
    }
}
