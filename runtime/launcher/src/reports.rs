//! Batches reports to the owner for a moment while enough attempts can start without it.

use std::{
    io::Write,
    os::unix::net::UnixStream,
    time::{Duration, Instant},
};

use crate::protocol::{LauncherReport, ReportEvent};

/// With this many to come, the owner need not be notified of each end at once: several are reported at a time.
const ENOUGH_TO_COME: usize = 4;

/// How long a report of an end may be delayed.
pub(super) const GATHER_TIME: Duration = Duration::from_millis(4);

/// The same while many short processes run: each report costs the owner a transaction.
pub(super) const GATHER_TIME_IN_RUSH: Duration = Duration::from_millis(16);

/// Lines that have not been sent.
#[derive(Default)]
pub(super) struct Reports {
    unsent: Vec<u8>,
    since: Option<Instant>,
}

impl Reports {
    /// Adds a report to those that [`Reports::send`] sends.
    pub(super) fn add(&mut self, attempt: &str, event: ReportEvent) {
        let report = LauncherReport {
            attempt: attempt.to_owned(),
            event,
        };
        let Ok(mut line) = serde_json::to_vec(&report) else {
            return;
        };
        line.push(b'\n');
        self.unsent.append(&mut line);
        self.since.get_or_insert_with(Instant::now);
    }

    /// When they are sent at the latest, with this delay; `None` if there are none.
    pub(super) fn due(&self, gather_time: Duration) -> Option<Instant> {
        self.since.map(|since| since + gather_time)
    }

    /// Sends the reports, unless so many attempts can start without it that more will follow. If the owner is gone, its successor reads the
    /// files instead.
    pub(super) fn send(
        &mut self,
        mut socket: &UnixStream,
        n_to_come: usize,
        gather_time: Duration,
    ) {
        let Some(since) = self.since else {
            return;
        };
        if n_to_come < ENOUGH_TO_COME || since.elapsed() >= gather_time {
            let _ = socket.write_all(&self.unsent);
            self.unsent.clear();
            self.since = None;
        }
    }
}
