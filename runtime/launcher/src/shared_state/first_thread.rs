//! What the first thread does with the state.

use std::{
    io,
    os::fd::{AsFd, BorrowedFd},
    process::Child,
    sync::PoisonError,
    thread,
    time::{Duration, Instant},
};

use super::{LauncherState, SharedState, TELL_TIME, path_of};
use crate::{fence::Fence, out_of_resources, protocol::ReportEvent, queue::Queue};

/// How long a worker may take to record a process that it has started.
const RECORD_PATIENCE: Duration = Duration::from_secs(1);
const LOOK_AGAIN: Duration = Duration::from_millis(2);

impl SharedState {
    /// Readable once it is rung.
    pub(crate) fn bell(&self) -> BorrowedFd<'_> {
        self.bell.as_fd()
    }

    /// Called when the thread is awake: it handles everything before it checks the clock again.
    pub(crate) fn awake(&self) {
        let mut state = self.lock();
        if std::mem::take(&mut state.is_rung) {
            let _ = rustix::io::read(&self.bell, &mut [0; 8]);
        }
        state.looks = Some(Instant::now());
    }

    /// Ends everything if nothing may run on this host any more.
    pub(crate) fn expect_host(&self) {
        if self
            .fence_due(&self.lock())
            .is_none_or(|rest| !rest.is_zero())
        {
            return;
        }
        let begun = Instant::now();
        loop {
            let mut state = self.lock();
            state.is_fenced = true;
            state.mark_fenced();
            Fence::end(state.processes());
            // A worker may have started one that it has not recorded yet.
            if state.has_recorded_all() || begun.elapsed() > RECORD_PATIENCE {
                Fence::exit();
            }
            drop(state);
            thread::sleep(LOOK_AGAIN);
        }
    }

    /// The time until the host may count as gone; `None` if that does not matter.
    pub(crate) fn fence_due(&self, state: &LauncherState) -> Option<Duration> {
        let fence = self.fence.as_ref()?;
        let matters = state.is_busy() || !state.lingering.is_empty();
        matters.then(|| fence.rest())
    }

    /// Readable once the host may count as gone; `None` if that does not matter.
    pub(crate) fn alarm(&self, state: &LauncherState) -> Option<BorrowedFd<'_>> {
        let rest = self.fence_due(state)?;
        self.fence.as_ref()?.alarm(rest)
    }

    /// See [`Fence::keeper`].
    pub(crate) fn keeper(&self) -> Option<Child> {
        self.fence.as_ref()?.keeper()
    }

    /// Called before it sleeps until then.
    pub(crate) fn sleeps(state: &mut LauncherState, until: Option<Instant>) {
        state.looks = until;
    }

    /// Wakes workers for attempts that may start; returns whether another one is needed, which then counts as being started.
    pub(crate) fn needs_worker(&self) -> bool {
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
    pub(crate) fn lacks_worker(&self, error: &io::Error) {
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
    pub(crate) fn close(&self) {
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
    pub(crate) fn end_folder_pool(&self) {
        if let Some(pool) = self.lock().folder_pool.take() {
            pool.end();
        }
    }

    /// Reports the processes that have been running for a while.
    pub(crate) fn tell_of_started(&self) {
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
