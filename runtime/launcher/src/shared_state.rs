//! The state that the threads of a launcher share, behind one mutex.
//!
//! The first thread handles requests, prepares attempts, and checks the clock. The *workers* take attempts that may start from here, one at
//! a time each, and report their ends: no worker waits for another one, and short processes follow each other on a worker without a detour
//! over the first thread.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    io::{self, Write},
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::net::UnixStream,
    },
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use rustix::event::{EventfdFlags, eventfd};

use crate::{
    attempt::{Attempt, ExitRecord},
    claim::Claim,
    folder_pool::{self, FolderPool},
    limits::Deadline,
    out_of_resources,
    prepared::{Opened, PreparedAttempt, Start},
    protocol::ReportEvent,
    queue::Queue,
    reports::{self, Reports},
    reused_folder::{Again, ReusedFolder},
};

/// How long an exit file is retried if its file system seems to be gone.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a process has run when it is reported to the owner as running.
const TELL_TIME: Duration = Duration::from_millis(20);

pub(super) struct SharedState {
    state: Mutex<LauncherState>,
    /// Notified when there may be work for a worker; or, once the owner is gone, when a worker has started what it took.
    changed: Condvar,
    /// Wakes the first thread.
    bell: OwnedFd,
    socket: UnixStream,
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

pub(super) struct EndedAttempt {
    attempt: Attempt,
    /// Held until the exit file is in place.
    claim: Claim,
    record: ExitRecord,
    /// When it ended.
    since: Instant,
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
    pub(super) fn new(socket: UnixStream) -> io::Result<SharedState> {
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
                looks: None,
                is_rung: false,
                n_short: 0,
                n_ends: 0,
                folder_pool: None,
            }),
            changed: Condvar::new(),
            bell: eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?,
            socket,
        })
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, LauncherState> {
        // A thread that panics ends the process.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Called by the first thread.
impl SharedState {
    /// Readable once it is rung.
    pub(super) fn bell(&self) -> BorrowedFd<'_> {
        self.bell.as_fd()
    }

    /// Called when the thread is awake: it handles everything before it checks the clock again.
    pub(super) fn awake(&self) {
        let mut state = self.lock();
        if std::mem::take(&mut state.is_rung) {
            let _ = rustix::io::read(&self.bell, &mut [0; 8]);
        }
        state.looks = Some(Instant::now());
    }

    /// Called before it sleeps until then.
    pub(super) fn sleeps(state: &mut LauncherState, until: Option<Instant>) {
        state.looks = until;
    }

    /// Wakes workers for attempts that may start; returns whether another one is needed, which then counts as being started.
    pub(super) fn needs_worker(&self) -> bool {
        let mut state = self.lock();
        let room = state.at_most.saturating_sub(state.n_busy);
        let n_wanted = room.min(state.queue.n_queued());
        for _ in 0..n_wanted.min(state.n_idle) {
            self.changed.notify_one();
        }
        let is_needed = n_wanted > state.n_idle + state.n_opening;
        state.n_opening += usize::from(is_needed);
        is_needed
    }

    /// Called if no worker can be started. If there is none at all, an attempt that may start fails.
    pub(super) fn lacks_worker(&self, error: &io::Error) {
        let mut state = self.lock();
        state.n_opening -= 1;
        if state.n_busy + state.n_idle + state.n_opening == 0
            && let Some(prepared) = state.queue.next()
        {
            let attempt = &prepared.start.attempt;
            let problem = out_of_resources::problem(attempt.folder(), error);
            state
                .reports
                .add(&path_of(attempt), ReportEvent::Unclaimed { problem });
            self.send_reports(&mut state);
        }
    }

    /// The owner is gone, and all its requests have been carried out: its successor may rely on the claims that it finds. Held attempts are
    /// dropped, as their intent may not be on disk; waiting ones are unclaimed, and the successor starts them.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.is_open = false;
        state.queue = Queue::default();
        self.changed.notify_all();
        while state.n_beginning > 0 {
            let woken = self.changed.wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Ends the reuse of folders.
    pub(super) fn end_folder_pool(&self) {
        if let Some(pool) = self.lock().folder_pool.take() {
            pool.end();
        }
    }

    /// Reports the processes that have been running for a while.
    pub(super) fn tell_of_started(&self) {
        let mut state = self.lock();
        let LauncherState {
            in_hand, reports, ..
        } = &mut *state;
        for (path, in_hand) in in_hand {
            let is_due = |since: &mut Instant| since.elapsed() >= TELL_TIME;
            if in_hand.untold.take_if(is_due).is_some()
                && let Some(pid) = in_hand.pid
            {
                reports.add(path, ReportEvent::Started { pid });
            }
        }
        self.send_reports(&mut state);
    }
}

/// Called by workers.
impl SharedState {
    /// Called when a worker has started.
    pub(super) fn enter(&self) {
        self.lock().n_opening -= 1;
    }

    /// The next attempt for a worker, after waiting at most `patience`; `None` if the worker is not needed.
    pub(super) fn next(&self, patience: Duration) -> Option<PreparedAttempt> {
        let mut state = self.lock();
        let begun = Instant::now();
        loop {
            if let Some(prepared) = state.begin_next() {
                return Some(prepared);
            }
            let left = patience.saturating_sub(begun.elapsed());
            if left.is_zero() || !state.is_open {
                return None;
            }
            state.n_idle += 1;
            let woken = self.changed.wait_timeout(state, left);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
            state.n_idle -= 1;
        }
    }

    /// Called when the taken attempt is claimed, or will not be.
    pub(super) fn begun(&self) {
        let mut state = self.lock();
        state.n_beginning -= 1;
        if !state.is_open {
            self.changed.notify_all();
        }
    }

    /// Called when a worker is done with an attempt.
    pub(super) fn finished(&self) {
        let mut state = self.lock();
        state.n_busy -= 1;
        if !state.is_open {
            self.ring(&mut state);
        }
    }

    /// Called when the process of an attempt has been started.
    pub(super) fn runs(&self, attempt: &Attempt, pid: u32, deadline: Option<Deadline>) {
        let mut state = self.lock();
        let started = Instant::now();
        let is_limited = deadline.is_some();
        if let Some(in_hand) = state.in_hand.get_mut(&*path_of(attempt)) {
            *in_hand = InHand {
                pid: Some(pid),
                untold: Some(started),
                deadline,
            };
        }
        self.look_by(&mut state, started + TELL_TIME);
        if is_limited {
            self.ring(&mut state);
        }
    }

    /// Takes the deadline of a process that has ended, so that its group is not signaled any more.
    pub(super) fn deadline_of(&self, attempt: &Attempt) -> Option<Deadline> {
        let mut state = self.lock();
        state.in_hand.get_mut(&*path_of(attempt))?.deadline.take()
    }

    /// Adds an attempt whose descendants have to end with it.
    pub(super) fn linger(&self, lingering: Lingering) {
        let mut state = self.lock();
        state.in_hand.remove(&*path_of(&lingering.attempt));
        state.lingering.push(lingering);
        self.ring(&mut state);
    }

    /// Reports why an attempt that was taken does not run.
    pub(super) fn give_up(&self, attempt: &Attempt, event: ReportEvent) {
        let mut state = self.lock();
        let path = path_of(attempt);
        state.in_hand.remove(&*path);
        state.queue.take_follower(&path);
        state.reports.add(&path, event);
        self.send_reports(&mut state);
    }

    /// Reports an end, so that the owner can go on.
    pub(super) fn tell_end(
        &self,
        attempt: &Attempt,
        pid: Option<u32>,
        record: &ExitRecord,
    ) -> EndReport {
        let mut state = self.lock();
        let path = path_of(attempt);
        let in_hand = state.in_hand.remove(&*path);
        let is_good = record.code == Some(0) && record.exceeded.is_none();
        let is_short = is_good && in_hand.is_some_and(|in_hand| in_hand.untold.is_some());
        state.n_short = state.n_short.saturating_add(u32::from(is_short));
        let follower = state.queue.take_follower(&path).filter(|_| is_good);
        let record = record.clone();
        state
            .reports
            .add(&path, ReportEvent::Exited { pid, record });
        state.n_ends += 1;
        if follower.is_none() {
            self.send_reports(&mut state);
        } else if let Some(due) = state.reports_due() {
            // Reported with the end of the follower, or in a moment.
            self.look_by(&mut state, due);
        }
        EndReport {
            number: state.n_ends,
            follower,
            is_short,
        }
    }

    /// Writes the exit file; keeps the claim if it cannot be written.
    pub(super) fn record(&self, attempt: &Attempt, mut claim: Claim, record: &ExitRecord) -> bool {
        let Err(error) = claim.record_exit(attempt, record) else {
            return true;
        };
        let folder = attempt.folder().display();
        let _ = writeln!(
            io::stderr(),
            "launcher: {folder}: {error}; the action has ended, its exit file is tried again"
        );
        let mut state = self.lock();
        state.unrecorded.push(EndedAttempt {
            attempt: attempt.clone(),
            claim,
            record: record.clone(),
            since: Instant::now(),
        });
        self.ring(&mut state);
        false
    }

    /// The reported end is recorded: its follower may start.
    pub(super) fn recorded(&self, told: EndReport, used: Option<ReusedFolder>) {
        if told.follower.is_none() && used.is_none() {
            return;
        }
        let mut state = self.lock();
        if let Some(follower) = told.follower {
            state.queue.go_first(follower);
        }
        match (used, &mut state.folder_pool) {
            (Some(used), Some(pool)) => pool.keep(told.number, used),
            (Some(used), None) => drop(used.leave()),
            (None, _) => {}
        }
    }

    /// Starts watching the folder of an attempt that is about to run, if it may be reused.
    pub(super) fn may_use_again(&self, start: &Start) -> Option<Again> {
        self.lock().folder_pool.as_ref()?.look_after(start)
    }

    pub(super) fn not_again(&self, again: Again) {
        if let Some(pool) = &mut self.lock().folder_pool {
            pool.give_up(again);
        }
    }

    /// A pooled folder, as that of the attempt that is to be started.
    pub(super) fn use_again(&self, start: &Start) -> Option<(Opened, Again)> {
        let used = self.lock().folder_pool.as_mut()?.next()?;
        let taken = used.become_folder_of(start);
        let mut state = self.lock();
        match (taken, &mut state.folder_pool) {
            (Ok((opened, again)), pool) => {
                if let Some(pool) = pool {
                    pool.settle(&again);
                }
                Some((opened, again))
            }
            (Err(used), Some(pool)) => {
                pool.leave(used);
                None
            }
            (Err(used), None) => {
                used.leave();
                None
            }
        }
    }

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

impl EndedAttempt {
    /// Retries to write the exit file; returns whether that is settled.
    pub(super) fn record_again(&mut self) -> bool {
        let EndedAttempt {
            attempt,
            claim,
            record,
            since,
        } = self;
        if claim.is_deleted() {
            return true;
        }
        let Err(error) = claim.record_exit(attempt, record) else {
            return true;
        };
        if may_pass(error.kind()) || since.elapsed() < PATIENCE {
            return false;
        }
        let folder = attempt.folder().display();
        let _ = writeln!(
            io::stderr(),
            "launcher: {folder}: {error}; giving up on the exit file, and the action is lost"
        );
        true
    }
}

/// Whether the error may pass: space may be freed, or the disk made writable again. A file system that is gone does not come back.
fn may_pass(kind: io::ErrorKind) -> bool {
    matches!(
        kind,
        io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::ReadOnlyFilesystem
    )
}

/// The path as in requests and reports.
pub(super) fn path_of(attempt: &Attempt) -> Cow<'_, str> {
    attempt.folder().to_string_lossy()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::attempt::testing::exit;

    #[test]
    fn an_exit_file_is_given_up_where_its_file_system_does_not_come_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let node = folder.path().join("node");
        fs::create_dir(&node).expect("a folder");
        let attempt = Attempt::new(node.join("1"));
        let claim = attempt.claim().expect("claims").expect("is the first");
        // As if a mount were gone: the claim is open, and there is no folder for the exit file.
        fs::rename(&node, folder.path().join("elsewhere")).expect("moves");
        let mut ended = EndedAttempt {
            attempt,
            claim,
            record: exit(0),
            since: Instant::now(),
        };
        assert!(!ended.record_again(), "it is tried again");
        let Some(long_ago) = Instant::now().checked_sub(PATIENCE) else {
            return;
        };
        ended.since = long_ago;
        assert!(ended.record_again(), "and not for ever");
        fs::rename(folder.path().join("elsewhere"), &node).expect("moves back");
        ended.since = Instant::now();
        assert!(ended.record_again(), "written where it has come back");
        let kinds = [
            io::ErrorKind::StorageFull,
            io::ErrorKind::ReadOnlyFilesystem,
        ];
        assert!(kinds.into_iter().all(may_pass));
        let kinds = [
            io::ErrorKind::StaleNetworkFileHandle,
            io::ErrorKind::NotConnected,
        ];
        assert!(!kinds.into_iter().any(may_pass));
    }
}
