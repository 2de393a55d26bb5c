//! What a thread does for one attempt: starts it, finds it again, awaits its end.

use std::{
    io,
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
};

use hpdlc_executors::{AttemptPlace, Completion, ProcessOutcome, StartError, Work};
use hpdlc_launcher::{Attempt, AttemptState, ClaimRecord, StartRequest};
use hpdlc_program::failure::ActionError;
use hpdlc_store::hosts::HostPlace;

use crate::{
    engine::{AttemptKey, Incoming},
    session::JobLock,
};

/// What a thread needs to start or find one attempt.
pub(in crate::engine) struct AttemptTask {
    pub(super) key: AttemptKey,
    pub(super) node: &'static str,
    /// With the secrets that it refers to.
    pub(super) work: Arc<Work>,
    /// A secret that it refers to cannot be read: it must not be started.
    pub(super) unread: Option<ActionError>,
    pub(super) attempt: Attempt,
    pub(super) app_folder: PathBuf,
    pub(super) app_path: String,
    pub(super) home: PathBuf,
    pub(super) is_canceled: Arc<AtomicBool>,
    /// The intent was recorded in this boot of the machine, by this host.
    pub(super) is_same_boot: bool,
    /// The other host that has recorded it.
    pub(super) recorded_by: Option<HostPlace>,
    /// Prevents other processes from becoming the owner while files are changed, even if this engine has given up.
    pub(super) lock: Option<Arc<JobLock>>,
    /// It may have been started before.
    pub(super) look_first: bool,
}

/// The external status of an attempt that was not started.
const NOT_STARTED: &str = "FAILED/KILLED";

/// The result of a task so far.
pub(in crate::engine) enum TaskProgress {
    Came(Incoming),
    /// The attempt was started before, and its process with this id runs: its end has to be awaited.
    Runs(Option<u32>),
}

impl AttemptTask {
    /// It has no local process: the engine does the work itself.
    pub(super) fn is_in_process(&self) -> bool {
        !self.work.is_process()
    }

    /// Whether [`AttemptTask::begin`] may block.
    pub(in crate::engine) fn may_take_long(&self) -> bool {
        self.look_first || self.work.executor().is_slow_to_start()
    }

    /// Starts the attempt, or finds out its state. Call it once.
    pub(in crate::engine) fn begin(&mut self) -> TaskProgress {
        if self.unread.is_some() && self.is_in_process() {
            return TaskProgress::Came(self.start());
        }
        match self.work.executor().run(&self.attempt, &self.is_canceled) {
            None => self
                .find()
                .unwrap_or_else(|| TaskProgress::Came(self.start())),
            Some(Ok(completion)) => {
                TaskProgress::Came(Incoming::Completed(self.key.clone(), completion))
            }
            Some(Err(problem)) => TaskProgress::Came(Incoming::Machine(problem)),
        }
    }

    /// The result of an attempt that may have been started before; `None` if it was not.
    fn find(&mut self) -> Option<TaskProgress> {
        if !self.look_first {
            return None;
        }
        let found = self.attempt.inspect();
        let came = match found {
            Ok(AttemptState::Unclaimed) if self.is_same_boot => return None,
            Ok(AttemptState::Unclaimed) => Incoming::Lost(
                self.key.clone(),
                match &self.recorded_by {
                    Some(HostPlace { machine, folder }) => format!(
                        "host {machine} ({folder}), which was to run it, is gone; whether it ran is not known"
                    ),
                    None => "the machine went down after the intent to start was recorded; whether it ran is not known".to_owned(),
                },
            ),
            Ok(AttemptState::Running) => {
                // From here on the task only waits.
                self.lock = None;
                let claim = self.attempt.claim_record();
                return Some(TaskProgress::Runs(claim.and_then(|claim| claim.process)));
            }
            Ok(AttemptState::Exited(_) | AttemptState::Lost(_)) | Err(_) => {
                judge(self.key.clone(), &self.work, &self.attempt, found)
            }
        };
        Some(TaskProgress::Came(came))
    }

    #[cfg(test)]
    pub(in crate::engine) fn attempt(&self) -> &Attempt {
        &self.attempt
    }

    /// Ends what lost attempts have started; returns a warning if some of it may go on. Blocks.
    pub(in crate::engine) fn end_lost(&self) -> Option<Incoming> {
        let (id, node, _) = &self.key;
        let problem = self.work.executor().end_lost(id, &self.attempt).err()?;
        Some(Incoming::Warning(id.clone(), *node, problem))
    }

    /// Reports that the attempt's process runs.
    pub(in crate::engine) fn attached(&self, pid: Option<u32>) -> Incoming {
        Incoming::Attached(self.key.clone(), pid)
    }

    /// Waits for the end of the attempt and judges it. Blocks.
    pub(in crate::engine) fn ended(&self) -> Incoming {
        judge(
            self.key.clone(),
            &self.work,
            &self.attempt,
            self.attempt.wait(),
        )
    }

    fn place(&self) -> AttemptPlace<'_> {
        AttemptPlace {
            job_id: &self.key.0,
            node: self.node,
            attempt: &self.attempt,
            app_folder: &self.app_folder,
            app_path: &self.app_path,
            home: &self.home,
            is_canceled: &self.is_canceled,
        }
    }

    /// The request for an attempt that can be prepared before its intent is on disk.
    pub(super) fn hold(&self) -> Option<StartRequest> {
        if self.unread.is_some() {
            return None;
        }
        self.work.executor().hold(&self.place())
    }

    fn start(&self) -> Incoming {
        let key = self.key.clone();
        if let Some(error) = &self.unread {
            return Incoming::Completed(key, Completion::failed(error.clone(), NOT_STARTED));
        }
        match self.work.start(&self.place()) {
            Ok(request) => Incoming::Ready(key, request),
            Err(StartError::Action(error)) => {
                Incoming::Completed(key, Completion::failed(error, NOT_STARTED))
            }
            Err(StartError::Machine(problem)) => Incoming::Machine(problem),
        }
    }
}

/// The event for an attempt whose processes have all ended.
pub(in crate::engine) fn judge(
    key: AttemptKey,
    work: &Work,
    attempt: &Attempt,
    found: io::Result<AttemptState>,
) -> Incoming {
    let failed =
        |error: io::Error| Incoming::Machine(format!("{}: {error}", attempt.folder().display()));
    let told = |ending| match ending {
        ProcessOutcome::Completed(completion) => Incoming::Completed(key.clone(), completion),
        ProcessOutcome::Lost(problem) => Incoming::Lost(key.clone(), problem),
    };
    if let Ok(AttemptState::Lost(_)) = &found {
        match work.left(attempt) {
            Ok(Some(ending)) => return told(ending),
            Ok(None) => {}
            Err(error) => return failed(error),
        }
    }
    match found {
        Ok(AttemptState::Exited(record)) => {
            match work.executor().finish(&key.0, attempt, &record) {
                Ok(ending) => told(ending),
                Err(error) => failed(error),
            }
        }
        Ok(AttemptState::Lost(claim)) => {
            let problem = match claim.and_then(ClaimRecord::group) {
                Some(_) if attempt.was_fenced() => {
                    "this host could not reach the job store for hpdl.host.timeout: its process was ended, since another host may \
                     have taken the job over"
                        .to_owned()
                }
                Some(group) if group.is_alive() => format!(
                    "its launcher died while it ran; its process group {} is still running, and no process monitors it",
                    group.id
                ),
                Some(group) => format!(
                    "its launcher died while it ran (process {}): how it ended is not known",
                    group.id
                ),
                None => {
                    "its launcher died while it started it: whether it ran is not known".to_owned()
                }
            };
            Incoming::Lost(key, problem)
        }
        Ok(AttemptState::Unclaimed | AttemptState::Running) => Incoming::Lost(
            key,
            "its launcher died before it started it, or its files were removed".to_owned(),
        ),
        Err(error) => failed(error),
    }
}
