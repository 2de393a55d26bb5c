//! How long a process may run. The launcher sees to it, so that a limit holds whether the owner of the job lives or not.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde::{Deserialize, Serialize};

use crate::ProcessGroup;

/// What an attempt is given (`hpdl.action.timeout`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeLimit {
    /// Seconds that the process may run.
    pub seconds: u64,
    /// Seconds that it may take to end when it is asked to.
    pub grace: u64,
}

/// The limit of a process that runs, by a clock that nobody sets.
#[derive(Debug)]
pub(super) struct Deadline {
    limit: TimeLimit,
    group: ProcessGroup,
    begun: Instant,
    stage: Stage,
    /// A process of the group that was seen last.
    seen: Option<u32>,
}

#[derive(Debug)]
enum Stage {
    Runs,
    /// It has been asked to end.
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

    /// The time until it must be looked at again.
    pub(super) fn rest(&self) -> Option<Duration> {
        let (since, seconds) = match self.stage {
            Stage::Runs => (self.begun, self.limit.seconds),
            Stage::Asked(since) => (since, self.limit.grace),
            Stage::Forced => return None,
        };
        Some(Duration::from_secs(seconds).saturating_sub(since.elapsed()))
    }

    /// Asks what still runs to end, or ends it, where that is due.
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

    /// The seconds that were over when the process was asked to end; `None` where it ended by itself.
    pub(super) fn exceeded(&self) -> Option<u64> {
        match self.stage {
            Stage::Runs => None,
            Stage::Asked(_) | Stage::Forced => Some(self.limit.seconds),
        }
    }

    /// Whether anything runs that the process has started.
    pub(super) fn is_group_alive(&mut self) -> bool {
        self.group.is_any_alive(&mut self.seen)
    }
}
