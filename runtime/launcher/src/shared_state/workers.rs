//! What workers do with the state: they take attempts, and report how they go.

use std::{
    io::{self, Write},
    sync::PoisonError,
    thread,
    time::{Duration, Instant},
};

use super::{
    EndReport, InHand, Lingering, SharedState, TELL_TIME, path_of, unrecorded::EndedAttempt,
};
use crate::{
    attempt::{Attempt, ExitRecord},
    claim::Claim,
    limits::Deadline,
    prepared::{Opened, PreparedAttempt, Start},
    protocol::ReportEvent,
    reused_folder::{Again, ReusedFolder},
};

/// Waits for the end of this process.
fn park() -> ! {
    loop {
        thread::park();
    }
}

impl SharedState {
    /// Called when a worker has started.
    pub(crate) fn enter(&self) {
        self.lock().n_opening -= 1;
    }

    /// The next attempt for a worker, after waiting at most `patience`; `None` if the worker is not needed.
    pub(crate) fn next(&self, patience: Duration) -> Option<PreparedAttempt> {
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

    /// Called before the process of a claimed attempt is started. If the host may count as gone, it never returns: the first thread ends
    /// everything.
    pub(crate) fn expect_host_for(&self, attempt: &Attempt) {
        let fence = self.fence.as_ref();
        if fence.is_none_or(|fence| !fence.rest().is_zero()) {
            return;
        }
        let mut state = self.lock();
        state.in_hand.remove(&*path_of(attempt));
        self.ring(&mut state);
        drop(state);
        park()
    }

    /// Called when a process has ended. If it was ended because the host counts as gone, it never returns: the attempt is lost.
    pub(crate) fn expect_no_fence(&self) {
        if self.lock().is_fenced {
            park()
        }
    }

    /// Called when the taken attempt is claimed, or will not be.
    pub(crate) fn begun(&self) {
        let mut state = self.lock();
        state.n_beginning -= 1;
        if !state.is_open {
            self.changed.notify_all();
        }
    }

    /// Called when a worker is done with an attempt.
    pub(crate) fn finished(&self) {
        let mut state = self.lock();
        state.n_busy -= 1;
        if !state.is_open {
            self.ring(&mut state);
        }
    }

    /// Called when the process of an attempt has been started.
    pub(crate) fn runs(&self, attempt: &Attempt, pid: u32, deadline: Option<Deadline>) {
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
    pub(crate) fn deadline_of(&self, attempt: &Attempt) -> Option<Deadline> {
        let mut state = self.lock();
        state.in_hand.get_mut(&*path_of(attempt))?.deadline.take()
    }

    /// Adds an attempt whose descendants have to end with it.
    pub(crate) fn linger(&self, lingering: Lingering) {
        let mut state = self.lock();
        state.in_hand.remove(&*path_of(&lingering.attempt));
        state.lingering.push(lingering);
        self.ring(&mut state);
    }

    /// Reports why an attempt that was taken does not run.
    pub(crate) fn give_up(&self, attempt: &Attempt, event: ReportEvent) {
        let mut state = self.lock();
        let path = path_of(attempt);
        state.in_hand.remove(&*path);
        state.queue.take_follower(&path);
        state.reports.add(&path, event);
        self.send_reports(&mut state);
    }

    /// Reports an end, so that the owner can go on.
    pub(crate) fn tell_end(
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
    pub(crate) fn record(&self, attempt: &Attempt, mut claim: Claim, record: &ExitRecord) -> bool {
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
    pub(crate) fn recorded(&self, told: EndReport, used: Option<ReusedFolder>) {
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
    pub(crate) fn may_use_again(&self, start: &Start) -> Option<Again> {
        self.lock().folder_pool.as_ref()?.look_after(start)
    }

    pub(crate) fn not_again(&self, again: Again) {
        if let Some(pool) = &mut self.lock().folder_pool {
            pool.give_up(again);
        }
    }

    /// A pooled folder, as that of the attempt that is to be started.
    pub(crate) fn use_again(&self, start: &Start) -> Option<(Opened, Again)> {
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
}
