//! The clock of a coordinator or a bundle: the machine's, or a faster one (`run --speed`).

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use hpdlc_host::clock;
use serde::{Deserialize, Serialize};

/// A clock. It is stored with the job, so that a recovered one continues by it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    scale: Option<ClockScale>,
}

/// A clock that runs `speed` times as fast as the machine's since these times of both, in milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct ClockScale {
    speed: u32,
    real: i64,
    shown: i64,
}

/// The longest sleep, since the machine's clock may be set meanwhile.
const LONGEST_SLEEP: Duration = Duration::from_secs(30);

impl Clock {
    /// A clock that shows `start` now, and runs `speed` times as fast.
    pub fn scaled(speed: u32, start: DateTime<Utc>) -> Clock {
        Clock {
            scale: Some(ClockScale {
                speed: speed.max(1),
                real: clock::now_millis(),
                shown: start.timestamp_millis(),
            }),
        }
    }

    /// The stored clock; the machine's if none is stored.
    pub fn stored(text: Option<&str>) -> Clock {
        text.and_then(|text| serde_json::from_str(text).ok())
            .unwrap_or_default()
    }

    /// The text for the store.
    pub fn to_text(self) -> Option<String> {
        self.scale
            .map(|_| serde_json::to_string(&self).expect("numbers are JSON"))
    }

    pub fn now(self) -> DateTime<Utc> {
        self.shown_at(clock::now_millis())
    }

    fn shown_at(self, real: i64) -> DateTime<Utc> {
        let shown = match self.scale {
            None => real,
            Some(scale) => real
                .saturating_sub(scale.real)
                .saturating_mul(i64::from(scale.speed))
                .saturating_add(scale.shown),
        };
        DateTime::from_timestamp_millis(shown).unwrap_or(DateTime::<Utc>::MAX_UTC)
    }

    /// The time of the machine's clock, in milliseconds since 1970, when this one shows `shown`.
    pub fn real(self, shown: i64) -> i64 {
        match self.scale {
            None => shown,
            Some(scale) => shown
                .saturating_sub(scale.shown)
                .div_euclid(i64::from(scale.speed))
                .saturating_add(scale.real),
        }
    }

    /// How long it takes until the clock shows `time`, at most [`LONGEST_SLEEP`].
    pub fn until(self, time: DateTime<Utc>) -> Duration {
        let left = time - self.now();
        let speed = self.scale.map_or(1, |scale| scale.speed);
        let left = left.max(TimeDelta::zero()).to_std().unwrap_or_default() / speed;
        // A clock has a resolution of milliseconds.
        (left + Duration::from_millis(1)).min(LONGEST_SLEEP)
    }

    pub fn speed(self) -> Option<u32> {
        self.scale.map(|scale| scale.speed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scaled_clock_starts_where_it_was_set_and_goes_faster() {
        let clock = Clock {
            scale: Some(ClockScale {
                speed: 60,
                real: 1_000,
                shown: 0,
            }),
        };
        let shown = |real| clock.shown_at(real).timestamp_millis();
        assert_eq!(shown(1_000), 0);
        assert_eq!(shown(2_000), 60_000);
        assert_eq!(clock.real(60_000), 2_000);
        let stored = Clock::stored(clock.to_text().as_deref());
        assert_eq!(stored, clock);
    }

    #[test]
    fn the_machines_clock_needs_no_room_in_the_store() {
        assert_eq!(Clock::default().to_text(), None);
        assert_eq!(Clock::stored(None), Clock::default());
        assert_eq!(Clock::default().shown_at(5).timestamp_millis(), 5);
    }
}
