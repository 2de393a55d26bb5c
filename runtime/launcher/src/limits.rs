//! Time limits of processes. The launcher enforces them, so that a limit holds whether the owner of the job is alive or not.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde::{Deserialize, Serialize};

use crate::ProcessGroup;

/// The limit of an attempt (`hpdl.action.timeout`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeLimit {
    /// Seconds that the process may run.
    pub seconds: u64,
    /// Seconds between SIGTERM and SIGKILL.
    pub grace: u64,
}

/// The deadline of a running process, by the monotonic clock.
#[derive(Debug)]
pub(super) struct Deadline {
    limit: TimeLimit,
    group: ProcessGroup,
    begun: Instant,
    stage: Stage,
    /// The process of the group that was found last.
    seen: Option<u32>,
}

#[derive(Debug)]
enum Stage {
    Runs,
    /// SIGTERM was sent.
    Asked(Instant),
    Forced,
}

impl Deadline {
    pub(super) fn new(limit: TimeLimit, group: ProcessGroup) -> Deadline {
        Deadline {
            limit,
            group,
            begun: Instant::now(),
            stage: Stage::Runs,
            seen: None,
        }
    }

    /// The time until the next check.
    pub(super) fn rest(&self) -> Option<Duration> {
        let (since, seconds) = match self.stage {
            Stage::Runs => (self.begun, self.limit.seconds),
            Stage::Asked(since) => (since, self.limit.grace),
            Stage::Forced => return None,
        };
        Some(Duration::from_secs(seconds).saturating_sub(since.elapsed()))
    }

    /// Sends SIGTERM or SIGKILL to the group, if that is due.
    pub(super) fn enforce(&mut self) {
        if self.rest().is_none_or(|rest| !rest.is_zero()) {
            return;
        }
        let (signal, stage) = match self.stage {
            Stage::Runs => (Signal::TERM, Stage::Asked(Instant::now())),
            Stage::Asked(_) | Stage::Forced => (Signal::KILL, Stage::Forced),
        };
        self.group.signal(signal);
        self.stage = stage;
    }

    /// The time limit in seconds, if the process was signaled for exceeding it; `None` if it ended by itself.
    pub(super) fn exceeded(&self) -> Option<u64> {
        match self.stage {
            Stage::Runs => None,
            Stage::Asked(_) | Stage::Forced => Some(self.limit.seconds),
        }
    }

    /// Whether any process of the group is alive.
    pub(super) fn is_group_alive(&mut self) -> bool {
        self.group.is_any_alive(&mut self.seen)
    }
}
