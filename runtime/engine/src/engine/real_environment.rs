//! Performs the engine's decisions on the real machine: launcher, threads, timers, signals to processes.

use std::{
    io,
    path::Path,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use chrono::{DateTime, Utc};
use hpdlc_executors::Work;
use hpdlc_host::{clock, home::Home, liveness};
use hpdlc_launcher::{Attempt, AttemptState, ClaimRecord, Launcher, LauncherRequest, ProcessGroup};
use hpdlc_store::hosts;
use rustix::process::Signal;
use tokio::sync::mpsc::UnboundedSender;

use crate::{
    engine::{
        AttemptKey, ForeignJobs, Incoming,
        attempts::{self, AttemptTask, TaskProgress},
        environment::{AttemptStop, Environment},
    },
    notify::NotificationSender,
    session::Session,
};

/// The polling interval for a claim whose process has not been recorded yet.
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// The longest polling interval for what is left of a process group.
const LOOK_SELDOM: Duration = Duration::from_millis(100);

/// The machine that this process runs on. Must be used inside a [`tokio::task::LocalSet`].
pub(super) struct RealEnvironment {
    /// Delivers events. An engine that has ended reads the files of its attempts when it is recovered.
    outbox: UnboundedSender<Incoming>,
    boot_id: String,
    launcher: Option<Launcher>,
    home: Home,
    root: String,
    hash: &'static str,
    /// Sends notifications; started with the first one.
    sender: Option<NotificationSender>,
    /// To find owners for other jobs, and to end their processes.
    foreign_jobs: Option<(Session, ForeignJobs)>,
}

impl RealEnvironment {
    /// `root` is the job at the top, `hash` that of its definition.
    pub(super) fn new(
        outbox: UnboundedSender<Incoming>,
        home: Home,
        root: String,
        hash: &'static str,
    ) -> RealEnvironment {
        // Without its id no job was taken.
        let host = home.host().unwrap_or_default();
        RealEnvironment {
            outbox,
            boot_id: hosts::mark_of(&liveness::boot_id(), host.as_deref()),
            launcher: None,
            home,
            root,
            hash,
            sender: None,
            foreign_jobs: None,
        }
    }

    /// Sets what is needed to find owners of other jobs.
    pub(super) fn is_of(&mut self, session: Session, foreign_jobs: ForeignJobs) {
        self.foreign_jobs = Some((session, foreign_jobs));
    }
}

/// Notifies the engine when a thread panics, which it would await for ever. This happens only in a user's program, which unwinds; our own
/// has ended by then (`panic_hook`).
struct Alarm(UnboundedSender<Incoming>);

impl Drop for Alarm {
    fn drop(&mut self) {
        if thread::panicking() {
            let problem = "internal error: a thread has panicked; this is a bug in hpdlc, please report it with what it printed";
            let _ = self.0.send(Incoming::Machine(problem.to_owned()));
        }
    }
}

impl Environment for RealEnvironment {
    fn now(&self) -> DateTime<Utc> {
        clock::now()
    }

    fn boot_id(&self) -> &str {
        &self.boot_id
    }

    fn soon(&mut self, incoming: Incoming) {
        let _ = self.outbox.send(incoming);
    }

    fn later(&mut self, delay: Duration, incoming: Incoming) {
        let outbox = self.outbox.clone();
        tokio::task::spawn_local(async move {
            tokio::time::sleep(delay).await;
            let _ = outbox.send(incoming);
        });
    }

    fn on_thread(&mut self, work: Box<dyn FnOnce() -> Incoming + Send>) {
        let outbox = self.outbox.clone();
        tokio::task::spawn_blocking(move || {
            let alarm = Alarm(outbox);
            let _ = alarm.0.send(work());
        });
    }

    fn run(&mut self, mut task: AttemptTask) {
        let outbox = self.outbox.clone();
        let may_take_long = task.may_take_long();
        let mut work = move || {
            let _alarm = Alarm(outbox.clone());
            if let Some(warning) = task.end_lost() {
                let _ = outbox.send(warning);
            }
            match task.begin() {
                TaskProgress::Came(incoming) => {
                    let _ = outbox.send(incoming);
                }
                TaskProgress::Runs(pid) => {
                    let _ = outbox.send(task.attached(pid));
                    let _ = outbox.send(task.ended());
                }
            }
        };
        if may_take_long {
            tokio::task::spawn_blocking(work);
        } else {
            // A few small files: passing that to a thread and back takes longer.
            work();
        }
    }

    fn await_end(&mut self, key: AttemptKey, work: Arc<Work>, attempt: Attempt) {
        self.on_thread(Box::new(move || {
            attempts::judge(key, &work, &attempt, attempt.wait())
        }));
    }

    fn stop(&mut self, stop: AttemptStop) {
        let AttemptStop {
            job,
            node,
            attempt,
            grace,
            elsewhere,
        } = stop;
        let (outbox, home) = (self.outbox.clone(), self.home.clone());
        let end_elsewhere = self.foreign_jobs.as_ref().map(|(_, foreign)| foreign.end);
        tokio::task::spawn_local(async move {
            let ended = end(attempt.clone(), grace).await;
            if let Some((work, end)) = elsewhere.zip(end_elsewhere) {
                let id = job.clone();
                let alarm = Alarm(outbox.clone());
                let killed = tokio::task::spawn_blocking(move || {
                    let _alarm = alarm;
                    end(&work, &home, &id, &attempt)
                });
                if let Ok(Err(problem)) = killed.await {
                    let _ = outbox.send(Incoming::Warning(job.clone(), node, problem));
                }
            }
            let _ = outbox.send(match ended {
                Ok(()) => Incoming::Canceled(job, node),
                Err(error) => Incoming::Machine(format!("cannot stop a process: {error}")),
            });
        });
    }

    fn has_launcher(&self) -> bool {
        self.launcher.is_some()
    }

    fn start_launcher(&mut self, name: &str, log: &Path, pending: &Path) -> io::Result<()> {
        let outbox = self.outbox.clone();
        let proof = (!self.home.store_location().is_file()).then(|| self.home.host_alive());
        let launcher = Launcher::start(name, log, pending, proof.as_deref(), move |report| {
            let _ = outbox.send(Incoming::Launcher(report));
        })?;
        self.launcher = Some(launcher);
        Ok(())
    }

    fn forget_launcher(&mut self) {
        self.launcher = None;
    }

    fn request(&mut self, request: &LauncherRequest) {
        if let Some(launcher) = &self.launcher {
            launcher.send(request);
        }
    }

    fn flush(&mut self) {
        if let Some(launcher) = &self.launcher {
            launcher.flush();
        }
    }

    /// If no thread can be started, `recover` sends them.
    fn send_notices(&mut self) {
        if self.sender.is_none() {
            self.sender = NotificationSender::start(&self.home, &self.root, self.hash).ok();
        }
        if let Some(sender) = &self.sender {
            sender.look();
        }
    }

    fn rouse(&mut self, job: &str) {
        if let Some((session, foreign)) = &self.foreign_jobs {
            (foreign.rouse)(session, job);
        }
    }

    fn finish(&mut self) {
        if let Some(sender) = self.sender.take() {
            sender.finish();
        }
    }
}

/// Returns when no process of a claimed attempt runs and none can be started any more.
async fn end(attempt: Attempt, grace: Duration) -> io::Result<()> {
    let group = loop {
        match attempt.inspect()? {
            AttemptState::Unclaimed => return Ok(()),
            // The process is gone, but perhaps not all of its descendants.
            AttemptState::Exited(_) => {
                if let Some(group) = attempt.claim_record().and_then(ClaimRecord::group) {
                    group.signal(Signal::TERM);
                    end_group(group, grace).await;
                }
                return Ok(());
            }
            AttemptState::Lost(claim) => {
                if let Some(group) = claim.and_then(ClaimRecord::group) {
                    end_group(group, Duration::ZERO).await;
                }
                return Ok(());
            }
            AttemptState::Running => match attempt.claim_record().and_then(ClaimRecord::group) {
                Some(group) => break group,
                // It is being spawned at this moment.
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
        // The launcher reaps it and releases the claim.
        let _ = ended.await;
    }
    end_group(group, grace.saturating_sub(begun.elapsed())).await;
    Ok(())
}

/// Waits until no process of the group is left, and kills those that are alive after `grace`.
async fn end_group(group: ProcessGroup, grace: Duration) {
    let begun = Instant::now();
    let mut last = None;
    let mut pause = LOOK_AGAIN;
    while group.is_any_alive(&mut last) {
        if begun.elapsed() >= grace {
            group.signal(Signal::KILL);
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LOOK_SELDOM);
    }
}

#[cfg(test)]
mod tests {
    use std::{os::unix::process::ExitStatusExt, process::Command};

    use tokio::{runtime::Builder, sync::mpsc::unbounded_channel, task::LocalSet};

    use super::*;

    #[test]
    fn a_group_ends_by_itself_or_by_force_when_its_time_is_over() {
        let runtime = Builder::new_current_thread().enable_time().build().unwrap();
        for (line, grace, ended_by) in [
            ("sleep 0.3", Duration::from_secs(600), None),
            (
                "trap '' TERM; while :; do sleep 0.05; done",
                Duration::from_millis(200),
                Some(Signal::KILL.as_raw()),
            ),
        ] {
            let mut first = Command::new("setsid")
                .args(["sh", "-c", line])
                .spawn()
                .unwrap();
            let (id, session) = (first.id(), first.id());
            let group = ProcessGroup { id, session };
            while !group.is_alive() {
                thread::sleep(LOOK_AGAIN);
            }
            group.signal(Signal::CONT);
            runtime.block_on(end_group(group, grace));
            assert!(!group.is_alive(), "{line}");
            assert_eq!(first.wait().unwrap().signal(), ended_by, "{line}");
        }
    }

    #[test]
    fn a_thread_that_panics_is_no_thread_that_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open_at(folder.path().join("home")).unwrap();
        let (outbox, mut incoming) = unbounded_channel();
        let mut machine = RealEnvironment::new(outbox, home, "job".to_owned(), "hash");
        let runtime = Builder::new_current_thread().build().unwrap();
        LocalSet::new().block_on(&runtime, async {
            machine.on_thread(Box::new(|| panic!("spoiled")));
            drop(machine);
            let told = incoming.recv().await;
            assert!(matches!(told, Some(Incoming::Machine(_))));
        });
    }
}
