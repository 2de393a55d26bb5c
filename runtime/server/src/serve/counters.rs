//! What the server counts about itself, for `admin/metrics` and `/metrics`.

use std::{
    collections::{BTreeMap, VecDeque},
    time::{Duration, Instant},
};

use prometheus_client::metrics::{family::Family, histogram::Histogram};

/// So many of the last requests of a method are kept for distributions and rates.
const KEPT: usize = 1024;

/// The upper bounds of the durations that are counted together, in seconds.
const BOUNDS: [f64; 10] = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0];

/// How long requests took, by their method.
pub(crate) type Durations = Family<Vec<(&'static str, String)>, Histogram, fn() -> Histogram>;

/// Requests since the start.
#[derive(Debug)]
pub(crate) struct Counters {
    pub(crate) durations: Durations,
    pub(crate) by_status: BTreeMap<u16, u64>,
    pub(crate) by_method: BTreeMap<String, Timer>,
}

/// How long requests took.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timer {
    pub(crate) n: u64,
    /// When each ended, and how long it took.
    recent: VecDeque<(Instant, Duration)>,
}

impl Default for Counters {
    fn default() -> Counters {
        Counters {
            durations: Family::new_with_constructor(|| Histogram::new(BOUNDS)),
            by_status: BTreeMap::new(),
            by_method: BTreeMap::new(),
        }
    }
}

impl Counters {
    pub(crate) fn add(&mut self, method: &str, status: u16, took: Duration) {
        // Methods are a client's words.
        let method = match method {
            "GET" | "POST" | "PUT" => method,
            _ => "other",
        };
        self.durations
            .get_or_create(&vec![("method", method.to_owned())])
            .observe(took.as_secs_f64());
        *self.by_status.entry(status).or_default() += 1;
        let timer = self.by_method.entry(method.to_owned()).or_default();
        timer.n += 1;
        if timer.recent.len() == KEPT {
            timer.recent.pop_front();
        }
        timer.recent.push_back((Instant::now(), took));
    }
}

/// A distribution of times in milliseconds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Distribution {
    sorted: Vec<f64>,
}

impl Timer {
    pub(crate) fn distribution(&self) -> Distribution {
        let times = self
            .recent
            .iter()
            .map(|(_, took)| took.as_secs_f64() * 1000.0);
        let mut sorted: Vec<f64> = times.collect();
        sorted.sort_by(f64::total_cmp);
        Distribution { sorted }
    }

    /// Requests a second in the last while, as far as they are kept.
    pub(crate) fn rate(&self, within: Duration) -> f64 {
        let n = self
            .recent
            .iter()
            .filter(|(ended, _)| ended.elapsed() <= within)
            .count();
        u32::try_from(n).map_or(0.0, f64::from) / within.as_secs_f64().max(1.0)
    }
}

impl Distribution {
    /// The time that so many of a thousand requests did not exceed.
    pub(crate) fn per_mille(&self, part: usize) -> f64 {
        let last = self.sorted.len().saturating_sub(1);
        let index = (self.sorted.len() * part / 1000).min(last);
        self.sorted.get(index).copied().unwrap_or_default()
    }

    pub(crate) fn mean(&self) -> f64 {
        let n = u32::try_from(self.sorted.len())
            .map_or(1.0, f64::from)
            .max(1.0);
        self.sorted.iter().sum::<f64>() / n
    }

    pub(crate) fn deviation(&self) -> f64 {
        let mean = self.mean();
        let n = u32::try_from(self.sorted.len())
            .map_or(1.0, f64::from)
            .max(1.0);
        (self
            .sorted
            .iter()
            .map(|time| (time - mean).powi(2))
            .sum::<f64>()
            / n)
            .sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timer_knows_the_distribution_of_what_it_keeps() {
        let mut counters = Counters::default();
        assert!(counters.by_method.is_empty());
        for millis in 1..=2000 {
            counters.add("GET", 200, Duration::from_millis(millis));
        }
        counters.add("BREW", 400, Duration::ZERO);
        let timer = &counters.by_method["GET"];
        assert_eq!((timer.n, counters.by_status[&200]), (2000, 2000));
        let times = timer.distribution();
        assert!((times.per_mille(0) - 977.0).abs() < 1e-6);
        assert!((times.per_mille(1000) - 2000.0).abs() < 1e-6);
        assert!((times.mean() - 1488.5).abs() < 1e-6);
        assert!(timer.rate(Duration::from_secs(64)) > 15.0);
        assert!(Timer::default().distribution().deviation().abs() < 1e-6);
        assert!(counters.by_method.contains_key("other"));
    }
}
