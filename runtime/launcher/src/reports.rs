//! What the owner is to be told, gathered for a moment while enough waits to be started without it.

use std::{
    io::Write,
    os::unix::net::UnixStream,
    time::{Duration, Instant},
};

use crate::protocol::{Report, ReportEvent};

/// With so many to come, nobody waits for the end of another: the owner is told of several at a time.
const ENOUGH_TO_COME: usize = 4;

/// How long the owner may be left untold of an end.
pub(super) const GATHER_TIME: Duration = Duration::from_millis(4);

/// How long while many short processes run: each time costs it a transaction.
pub(super) const GATHER_TIME_IN_RUSH: Duration = Duration::from_millis(16);

/// Lines that have not been sent.
#[derive(Default)]
pub(super) struct Reports {
    unsent: Vec<u8>,
    since: Option<Instant>,
}

impl Reports {
    /// Puts a report among those that [`Reports::send`] sends.
    pub(super) fn add(&mut self, attempt: &str, event: ReportEvent) {
        let report = Report {
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

    /// When they are sent, whatever comes, after they have been gathered so long; `None` where there are none.
    pub(super) fn due(&self, gather_time: Duration) -> Option<Instant> {
        self.since.map(|since| since + gather_time)
    }

    /// Tells the owner, unless so many attempts start without it that more can come in. An owner that is gone reads the files
    /// instead.
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
