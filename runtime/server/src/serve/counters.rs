//! What the server counts about itself, for `admin/metrics`.

use std::{collections::BTreeMap, time::Duration};

/// Requests since the start.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) by_status: BTreeMap<u16, u64>,
    pub(crate) by_method: BTreeMap<String, Timer>,
}

/// How long requests took.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timer {
    pub(crate) n: u64,
    pub(crate) total: Duration,
    pub(crate) min: Option<Duration>,
    pub(crate) max: Duration,
}

impl Counters {
    pub(crate) fn add(&mut self, method: &str, status: u16, took: Duration) {
        // Methods are a client's words.
        let method = match method {
            "GET" | "POST" | "PUT" => method,
            _ => "other",
        };
        *self.by_status.entry(status).or_default() += 1;
        let timer = self.by_method.entry(method.to_owned()).or_default();
        timer.n += 1;
        timer.total += took;
        timer.min = Some(timer.min.map_or(took, |min| min.min(took)));
        timer.max = timer.max.max(took);
    }
}
