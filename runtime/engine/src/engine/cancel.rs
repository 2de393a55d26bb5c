//! Cancels what an attempt may have started, and waits for retries.

use std::{
    fs, io,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use hpdlc_core::definition::NodeId;
use hpdlc_host::settings::Settings;
use hpdlc_launcher::Attempt;

use crate::engine::{Engine, Incoming, environment::AttemptStop, secrets};

impl Engine {
    /// Stops an attempt, by SIGTERM first and then by force; reports [`Incoming::Canceled`] when nothing of it runs any more.
    pub(super) fn cancel(&mut self, id: &str, node: NodeId, attempt: u32) {
        let Some(job) = self.jobs.get_mut(id) else {
            return;
        };
        job.cancellation(node).store(true, Ordering::Relaxed);
        let files = job.attempt(&self.home, node, attempt);
        let settings = Settings {
            conf: &job.view.conf,
            site: &self.site,
        };
        let work = job.work(node).map(|work| {
            // What it has started elsewhere is ended as well as that is possible without.
            let read = secrets::with_secrets(&work, settings).ok().flatten();
            read.map_or(work, Arc::new)
        });
        let is_local = work.as_ref().is_some_and(|work| work.is_process());
        let elsewhere = work.filter(|work| work.executor().may_go_on_elsewhere());
        let canceled = Incoming::Canceled(id.to_owned(), node);
        if !is_local {
            // In-process work stops at its next operation; the engine waits for it.
            return self.environment.soon(canceled);
        }
        self.let_go(&(id.to_owned(), node, attempt));
        let Some(settings) = self.settings(id) else {
            return;
        };
        let is_urgent = self.signals_seen > 1;
        let grace = if is_urgent {
            Duration::ZERO
        } else {
            settings.kill_grace()
        };
        // Before any process is ended, since its end makes room at the launcher for an attempt that is to be stopped too.
        match keep_from_starting(&files) {
            Ok(true) if !files.has_been_forgotten() => self.environment.soon(canceled),
            Ok(true | false) => self.environment.stop(AttemptStop {
                job: id.to_owned(),
                node,
                attempt: files,
                grace,
                elsewhere,
            }),
            Err(error) => self
                .environment
                .soon(Incoming::Machine(format!("cannot stop a process: {error}"))),
        }
    }

    /// Reports a retry at the time recorded in the row of the node.
    pub(super) fn wait(&mut self, id: &str, node: NodeId) {
        let Some(job) = self.jobs.get(id) else { return };
        let attempt = job.state.nodes.get(&node).map_or(0, |state| state.attempt);
        let row = job.stored_row(node);
        let due = row.and_then(|row| row.due).unwrap_or_default();
        let left = due.saturating_sub(self.now());
        // If the wall clock was set back meanwhile, the wait is no longer than intended.
        let longest = row.and_then(|row| row.retry_wait).unwrap_or(left);
        let millis = u64::try_from(left.min(longest)).unwrap_or_default();
        self.timers.begin(id);
        let due = Incoming::RetryDue(id.to_owned(), node, attempt);
        self.environment.later(Duration::from_millis(millis), due);
    }
}

/// Claims the attempt, so that no launcher can start it; `false` if one already has.
fn keep_from_starting(attempt: &Attempt) -> io::Result<bool> {
    let claim = || -> io::Result<bool> {
        if let Some(folder) = attempt.folder().parent() {
            fs::create_dir_all(folder)?;
        }
        Ok(attempt.claim()?.is_some())
    };
    match claim() {
        // A launcher has just removed the folder, which it had prepared and was told to forget.
        Err(error) if error.kind() == io::ErrorKind::NotFound => claim(),
        claimed => claimed,
    }
}
