//! Stopping what an attempt may have started, and waiting for retries.

use std::{
    fs, io,
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use hpdlc_core::definition::NodeId;
use rustix::process::Signal;

use crate::{
    clock,
    engine::{Engine, Incoming},
    executors::Work,
    launcher::{Attempt, ClaimRecord, Found, Group},
};

/// How often a claim is looked at whose process has not been recorded yet.
const LOOK_AGAIN: Duration = Duration::from_millis(5);

impl Engine {
    /// Stops an attempt, politely and then firmly; reports [`Incoming::Canceled`] when nothing of it runs any more.
    pub(super) fn cancel(&mut self, id: &str, node: NodeId, attempt: u32) {
        let Some(job) = self.jobs.get_mut(id) else {
            return;
        };
        job.cancellation(node).store(true, Ordering::Relaxed);
        let files = job.attempt(&self.home, node, attempt);
        let is_local = matches!(
            job.work(node).as_deref(),
            Some(Work::Shell(_) | Work::Java(_))
        );
        let outbox = self.outbox.clone();
        let canceled = Incoming::Canceled(id.to_owned(), node);
        if !is_local {
            // Work of this process stops at its next operation; the engine waits for it.
            let _ = outbox.send(canceled);
            return;
        }
        self.let_go(&(id.to_owned(), node, attempt));
        let Some(settings) = self.settings(id) else {
            return;
        };
        let grace = settings.kill_grace();
        let is_urgent = self.signals_seen > 1;
        let outcome = move |problem: io::Result<()>| match problem {
            Ok(()) => canceled,
            Err(error) => Incoming::Machine(format!("cannot stop a process: {error}")),
        };
        // Before any process is ended: its end makes room at the launcher for what is to be stopped too.
        match keep_from_starting(&files) {
            Ok(false) => {}
            Ok(true) => return drop(outbox.send(outcome(Ok(())))),
            Err(error) => return drop(outbox.send(outcome(Err(error)))),
        }
        tokio::task::spawn_local(async move {
            let problem = stop(files, if is_urgent { Duration::ZERO } else { grace }).await;
            let _ = outbox.send(outcome(problem));
        });
    }

    /// Reports a retry at the time that the row of the node says.
    pub(super) fn wait(&mut self, id: &str, node: NodeId) {
        let Some(job) = self.jobs.get(id) else { return };
        let attempt = job.state.nodes.get(&node).map_or(0, |state| state.attempt);
        let row = job.stored_row(node);
        let due = row.and_then(|row| row.due).unwrap_or_default();
        let left = due.saturating_sub(clock::now_millis());
        // A wall clock that was set back meanwhile makes nobody wait longer than was meant.
        let longest = row.and_then(|row| row.retry_wait).unwrap_or(left);
        let millis = u64::try_from(left.min(longest)).unwrap_or_default();
        let outbox = self.outbox.clone();
        let id = id.to_owned();
        self.timers.begin(&id);
        tokio::task::spawn_local(async move {
            tokio::time::sleep(Duration::from_millis(millis)).await;
            let _ = outbox.send(Incoming::RetryDue(id, node, attempt));
        });
    }
}

/// A claim of our own keeps every launcher from starting what it has not begun; `false` where one has begun.
fn keep_from_starting(attempt: &Attempt) -> io::Result<bool> {
    if let Some(folder) = attempt.folder().parent() {
        fs::create_dir_all(folder)?;
    }
    Ok(attempt.claim()?.is_some())
}

/// Returns when no process of a claimed attempt runs and none can be started any more.
async fn stop(attempt: Attempt, grace: Duration) -> io::Result<()> {
    let group = loop {
        match attempt.inspect()? {
            Found::Unclaimed => return Ok(()),
            // The process is gone, but perhaps not all that it started.
            Found::Exited(_) => {
                if let Some(group) = attempt.claim_record().and_then(ClaimRecord::group) {
                    group.signal(Signal::TERM);
                    end_group(group, grace).await;
                }
                return Ok(());
            }
            Found::Lost(claim) => {
                if let Some(group) = claim.and_then(ClaimRecord::group) {
                    end_group(group, Duration::ZERO).await;
                }
                return Ok(());
            }
            Found::Running => match attempt.claim_record().and_then(ClaimRecord::group) {
                Some(group) => break group,
                // It is being spawned at this very moment.
                None => tokio::time::sleep(LOOK_AGAIN).await,
            },
        }
    };
    let begun = Instant::now();
    let files = attempt.clone();
    let mut ended = tokio::task::spawn_blocking(move || files.wait());
    group.signal(Signal::TERM);
    if tokio::time::timeout(grace, &mut ended).await.is_err() {
        group.signal(Signal::KILL);
        // The launcher reaps it and lets go of the claim.
        let _ = ended.await;
    }
    end_group(group, grace.saturating_sub(begun.elapsed())).await;
    Ok(())
}

/// Waits until nothing is left of what a process started, and ends by force what is still there after `grace`.
async fn end_group(group: Group, grace: Duration) {
    let begun = Instant::now();
    while group.is_alive() {
        if begun.elapsed() >= grace {
            group.signal(Signal::KILL);
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}
