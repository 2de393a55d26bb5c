//! The state that the threads of a launcher share, behind one mutex.
//!
//! The first thread handles requests, prepares attempts, and checks the clock. The *workers* take attempts that may start from here, one at
//! a time each, and report their ends: no worker waits for another one, and short processes follow each other on a worker without a detour
//! over the first thread.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    io,
    os::{fd::OwnedFd, unix::net::UnixStream},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use rustix::event::{EventfdFlags, eventfd};

use crate::{
    attempt::{Attempt, ExitRecord},
    claim::Claim,
    fence::Fence,
    folder_pool::{self, FolderPool},
    limits::Deadline,
    prepared::PreparedAttempt,
    queue::Queue,
    reports::{self, Reports},
};

mod first_thread;
mod unrecorded;
mod workers;

use self::unrecorded::EndedAttempt;

/// How long a process has run when it is reported to the owner as running.
const TELL_TIME: Duration = Duration::from_millis(20);

pub(super) struct SharedState {
    state: Mutex<LauncherState>,
    /// Notified when there may be work for a worker; or, once the owner is gone, when a worker has started what it took.
    changed: Condvar,
    /// Wakes the first thread.
    bell: OwnedFd,
    socket: UnixStream,
    /// Set if other hosts take over what this one drives once it counts as gone.
    fence: Option<Fence>,
}

/// The state of the launcher.
pub(super) struct LauncherState {
    pub(super) queue: Queue,
    /// How many processes may run at once.
    pub(super) at_most: usize,
    /// Attempts of workers, by their path as in requests: from the queue until their end is reported.
    pub(super) in_hand: BTreeMap<String, InHand>,
    /// Workers with an attempt, until its end is recorded.
    n_busy: usize,
    n_idle: usize,
    /// Workers that are being started.
    n_opening: usize,
    /// Attempts that may be claimed at this moment.
    n_beginning: usize,
    pub(super) reports: Reports,
    /// Ended attempts whose exit file could not be written so far.
    pub(super) unrecorded: Vec<EndedAttempt>,
    /// Attempts that exceeded their limit, and whose descendants still run.
    pub(super) lingering: Vec<Lingering>,
    pub(super) is_open: bool,
    /// Everything is being ended, since the host counts as gone: ends are not recorded any more.
    is_fenced: bool,
    /// When the first thread wakes up without the bell; `None` is never.
    looks: Option<Instant>,
    is_rung: bool,
    /// Counts short processes that succeeded.
    n_short: u32,
    /// Counts ends that were reported.
    n_ends: u64,
    /// Set while there are many of them.
    pub(super) folder_pool: Option<FolderPool>,
}

/// An attempt of a worker.
#[derive(Default)]
pub(super) struct InHand {
    /// Set once it is spawned.
    pid: Option<u32>,
    /// When it was started, until its start or end is reported.
    untold: Option<Instant>,
    pub(super) deadline: Option<Deadline>,
}

pub(super) struct Lingering {
    pub(super) attempt: Attempt,
    pub(super) claim: Claim,
    pub(super) pid: u32,
    pub(super) record: ExitRecord,
    pub(super) deadline: Deadline,
}

/// An end that is reported to the owner.
pub(super) struct EndReport {
    /// The number of the report.
    pub(super) number: u64,
    /// The attempt that may start once the end is recorded.
    pub(super) follower: Option<String>,
    /// It succeeded before its start was reported.
    pub(super) is_short: bool,
}

impl SharedState {
    /// `socket` is connected to the owner.
    ///
    /// # Errors
    ///
    /// The limit of open files is reached.
    pub(super) fn new(socket: UnixStream, fence: Option<Fence>) -> io::Result<SharedState> {
        Ok(SharedState {
            state: Mutex::new(LauncherState {
                queue: Queue::default(),
                at_most: usize::MAX,
                in_hand: BTreeMap::new(),
                n_busy: 0,
                n_idle: 0,
                n_opening: 0,
                n_beginning: 0,
                reports: Reports::default(),
                unrecorded: Vec::new(),
                lingering: Vec::new(),
                is_open: true,
                is_fenced: false,
                looks: None,
                is_rung: false,
                n_short: 0,
                n_ends: 0,
                folder_pool: None,
            }),
            changed: Condvar::new(),
            bell: eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?,
            socket,
            fence,
        })
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, LauncherState> {
        // A thread that panics ends the process.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Called by workers.
impl SharedState {
    /// Sends the reports, or has the first thread do so in a moment: several ends at a time.
    pub(super) fn send_reports(&self, state: &mut LauncherState) {
        let n_to_come = state.queue.n_to_come();
        let gather_time = state.gather_time();
        state.reports.send(&self.socket, n_to_come, gather_time);
        if let Some(due) = state.reports_due() {
            self.look_by(state, due);
        }
    }

    /// Has the first thread wake up by then.
    fn look_by(&self, state: &mut LauncherState, due: Instant) {
        if state.looks.is_none_or(|looks| looks > due) {
            self.ring(state);
        }
    }

    fn ring(&self, state: &mut LauncherState) {
        if !std::mem::replace(&mut state.is_rung, true) {
            let _ = rustix::io::write(&self.bell, &1_u64.to_ne_bytes());
        }
    }
}

impl LauncherState {
    fn begin_next(&mut self) -> Option<PreparedAttempt> {
        if self.n_busy >= self.at_most {
            return None;
        }
        let prepared = self.queue.next()?;
        self.n_busy += 1;
        self.n_beginning += 1;
        let path = path_of(&prepared.start.attempt);
        self.in_hand.insert(path.into_owned(), InHand::default());
        Some(prepared)
    }

    /// The owner is gone, and there is nothing left to do for its successor.
    pub(super) fn is_over(&self) -> bool {
        !self.is_open && self.n_busy == 0 && self.lingering.is_empty() && self.unrecorded.is_empty()
    }

    /// The processes that run.
    pub(super) fn processes(&self) -> impl Iterator<Item = u32> {
        let in_hand = self.in_hand.values().filter_map(|in_hand| in_hand.pid);
        in_hand.chain(self.lingering.iter().map(|lingering| lingering.pid))
    }

    /// Notes why the attempts in hand end.
    fn mark_fenced(&self) {
        let lingering = self.lingering.iter().map(|it| it.attempt.clone());
        let in_hand = self.in_hand.keys().map(Attempt::new);
        in_hand.chain(lingering).for_each(|it| it.mark_fenced());
    }

    /// Whether every attempt in hand has its process recorded.
    pub(super) fn has_recorded_all(&self) -> bool {
        self.in_hand.values().all(|in_hand| in_hand.pid.is_some())
    }

    pub(super) fn is_busy(&self) -> bool {
        self.n_busy > 0
    }

    /// Whether so many short processes have ended that the folder pool is worthwhile.
    pub(super) fn nears_folder_pool(&self) -> bool {
        self.is_open && self.n_short >= folder_pool::ENOUGH
    }

    /// When the batched reports are sent at the latest.
    pub(super) fn reports_due(&self) -> Option<Instant> {
        self.reports.due(self.gather_time())
    }

    fn gather_time(&self) -> Duration {
        if self.folder_pool.is_some() {
            reports::GATHER_TIME_IN_RUSH
        } else {
            reports::GATHER_TIME
        }
    }

    /// Whether the end of an attempt is still to come.
    pub(super) fn has(&self, attempt: &str) -> bool {
        self.queue.has(attempt) || self.in_hand.contains_key(attempt)
    }

    /// When the next running process has to be reported.
    pub(super) fn tells(&self) -> Option<Instant> {
        let untold = self.in_hand.values().filter_map(|in_hand| in_hand.untold);
        untold.min().map(|since| since + TELL_TIME)
    }
}

/// The path as in requests and reports.
pub(super) fn path_of(attempt: &Attempt) -> Cow<'_, str> {
    attempt.folder().to_string_lossy()
}
